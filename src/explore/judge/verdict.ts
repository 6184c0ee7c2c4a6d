import { factsOfFamily, makesTask } from '../../emulator/words.ts'
import type { Finding, RequestView } from '../../kits/views.ts'
import type { Case } from '../plan/case.ts'
import type { WorldObservation } from '../plan/observe.ts'
import { isFasterThan } from '../plan/poll-pace.ts'
import { type Billed, billOf } from './bill.ts'
import { type Disk, wrongOnDisk } from './disk.ts'
import { endingOf } from './ending.ts'
import { type Results, resultsOf, steppingOperations } from './results.ts'
import type { Cause, Judgement } from './row.ts'
import {
  type Ending,
  type Facts,
  type Level,
  levelOf,
  levelWords,
  type Verdict,
  verdicts,
} from './verdicts.ts'
import { skippedFor } from './waiting.ts'

/** The verdict on a run. It follows only from the facts of this run and of the undisturbed run. */
export function verdictOf(facts: Facts): Judgement {
  const { observed, baseline } = facts
  const steps = steppingOperations(baseline)
  const received = resultsOf(observed, steps)
  const now = facts.disk ? keptOf(received, facts.disk) : received
  const before = resultsOf(baseline, steps)
  const ending = endingOf(facts, { now: received, before })
  const wrong = ending.end === 'done' ? facts.disk && wrongOnDisk(facts.disk) : undefined
  const { end, sentence, title, where, error, isCheckFailed }: Ending = wrong
    ? { end: 'false_success', sentence: `ended with 0, but ${wrong.sentence}`, title: wrong.title }
    : ending
  const paid = billOf(facts, { now, before, isOver: end !== 'unfinished' })
  const findings = newFindings(observed, baseline)
  const manners = rudeFindings(facts, findings)
  const { verdict, level, isExpected } = headlineOf(facts, {
    ...{ end, paid, isRude: manners.length > 0 },
    ...(isCheckFailed && { isCheckFailed }),
  })
  const sentences = {
    bill: paid.sentence,
    end: sentence,
    skipped: level === 'good' || end === 'done' ? undefined : skippedFor(facts),
    manners: verdict === 'rude' ? manners.map(({ text }) => text).join('; ') : undefined,
  }
  const order = /^paid/.test(verdict) ? [sentences.bill, sentences.end] : [sentences.end, sentences.bill]
  const cause: Cause =
    verdict === 'paid_twice'
      ? paidTwice(facts)
      : verdict === 'rude'
        ? rude(manners)
        : paid.beyond && end === 'told' && !isCheckFailed
          ? { title: losesTitle(paid.beyond), where: null }
          : { title, where: where ?? null, ...(error !== undefined && { error }) }
  return {
    end,
    bill: { ...paid.bill, ...(isExpected && { is_expected: true }) },
    verdict,
    level,
    evidence: [...order, sentences.skipped, sentences.manners].filter(text => text !== undefined).join('; '),
    cause: level === 'good' ? null : cause,
    findings,
  }
}

/** The results without those that were fetched and then not kept whole. */
function keptOf(received: Results, { expected, whole }: Disk): Results {
  const { fetched } = received
  const lacking = fetched.filter(path => !whole.includes(path)).slice(0, expected - whole.length)
  return { ...received, fetched: fetched.filter(path => !lacking.includes(path)) }
}

function headlineOf(
  facts: Facts,
  {
    end,
    paid,
    isRude,
    isCheckFailed,
  }: { paid: Billed; isRude: boolean } & Pick<Ending, 'end' | 'isCheckFailed'>,
): { verdict: Verdict; level: Level; isExpected: boolean } {
  const { one } = facts
  const { bill, beyond } = paid
  // Nobody can cancel the task then, so its price is no fault, but a program that ends with 0 does not say so.
  const isForced = isRefusedForGood(one) && !isMadeAgain(facts)
  const isSilent = end === 'done' || end === 'false_success'
  const isTwice = bill.verdict === 'twice'
  const isExpected = isTwice && isForced && !isSilent
  const found: Verdict[] = [
    ...(isTwice && !isExpected ? (['paid_twice'] as const) : []),
    ...(bill.verdict === 'lost' ? (['paid_for_nothing'] as const) : []),
    ...(isRude ? (['rude'] as const) : []),
    end === 'done' ? 'recovered' : end,
  ]
  // The gateway gives no checksum, so no program can be blamed for a file of wrong bytes.
  const isUnknowable = one.failure.id === 'file_corrupt' && one.and === undefined
  const isExcused = (verdict: Verdict) =>
    isUnknowable ||
    (beyond !== undefined && verdict === 'paid_for_nothing') ||
    (isForced && verdict === 'paid_twice')
  const countsAs = (verdict: Verdict): Level =>
    levelOf(verdict) === 'problem' && isExcused(verdict) ? 'warning' : levelOf(verdict)
  const [worst = 'told'] = found.toSorted(
    (one, other) =>
      levelWords.indexOf(countsAs(one)) - levelWords.indexOf(countsAs(other)) ||
      verdicts.indexOf(one) - verdicts.indexOf(other),
  )
  return { verdict: worst, level: isCheckFailed ? 'problem' : countsAs(worst), isExpected }
}

/** Whether each attempt to cancel a task is refused. */
function isRefusedForGood({ operation, failure: { kind, transient } }: Case): boolean {
  return /\.(?:delete|cancel)$/.test(operation) && kind === 'refusal' && !transient
}

/** Where it gives an external id, a program can name a task before the reply to its create comes. */
function losesTitle({ reply, operation }: NonNullable<Billed['beyond']>): string {
  if (reply === 'late') return `gives up before a late reply to ${operation}, which has the id or link`
  const { findsBy } = factsOfFamily(operation.split('.')[0] ?? '') ?? {}
  const why = findsBy === 'external_id' ? 'it gives no external id' : 'no program can know'
  return `loses what ${operation} made when its reply is lost; ${why}`
}

/** Findings that make a case rude, and the cause in a few words. */
const rudeKinds: Partial<Record<Finding['kind'], string>> = {
  retry_after_ignored: 'does not wait as long as Retry-After asks',
  polls_too_fast: 'polls without a rest',
  authorization_on_link: 'sends its key to the link of a result',
  polled_after_end: 'polls on after the end of the task',
  created_again_while_running: 'makes a task again while the first one still runs',
  made_twice: 'makes a task in two services',
}

function rudeFindings({ observed, paceMs }: Facts, findings: readonly Finding[]): Finding[] {
  const isFaster = isFasterThan(observed, paceMs)
  return findings.filter(({ kind }) => kind in rudeKinds && (kind !== 'polls_too_fast' || isFaster))
}

function rude([first]: readonly Finding[]): Cause {
  return { title: (first && rudeKinds[first.kind]) ?? 'is rude', where: null }
}

function createsOf({ requests }: WorldObservation): RequestView[] {
  return requests.filter(({ operation, task_id }) => makesTask(operation) && task_id)
}

function isMadeAgain({ observed, baseline }: Facts): boolean {
  return createsOf(observed).length > createsOf(baseline).length
}

/** The operation that made more tasks than undisturbed; of several the one that failed, else the one that made the last task. */
function madeAgain({ one, observed, baseline }: Facts): string {
  const made = (world: WorldObservation) => createsOf(world).map(({ operation }) => operation)
  const left = made(baseline)
  const more = made(observed).filter(operation => {
    const index = left.indexOf(operation)
    if (index >= 0) left.splice(index, 1)
    return index < 0
  })
  return more.includes(one.operation) ? one.operation : (more.at(-1) ?? one.operation)
}

function paidTwice(facts: Facts): Cause {
  const { observed, baseline } = facts
  if (!isMadeAgain(facts)) return { title: 'a task is paid for that costs nothing undisturbed', where: null }
  const isKeyed = observed.findings.some(({ kind }) => kind === 'idempotency_ignored')
  const isByTwo = newFindings(observed, baseline).some(({ kind }) => kind === 'made_twice')
  const how = [
    isByTwo ? ' by another service' : '',
    isKeyed ? ' with the same idempotency key, which the gateway does not read' : '',
  ].join('')
  return {
    title: `${madeAgain(facts)} is sent again${how}, and a second task is paid for`,
    where: null,
  }
}

/** The findings of kinds that the undisturbed run does not have. */
export function newFindings(observed: WorldObservation, baseline: WorldObservation): Finding[] {
  const known = new Set(baseline.findings.map(({ kind }) => kind))
  return observed.findings.filter(({ kind }) => !known.has(kind))
}
