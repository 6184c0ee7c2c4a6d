import type { Finding } from '../client/types.ts'
import { type Case, nameOfCall } from './case.ts'
import { waitedFor } from './evidence.ts'
import type { Observed } from './observe.ts'
import { isFasterThan } from './poll-pace.ts'
import { type Results, resultsOf } from './results.ts'
import type { Run } from './run.ts'
import { unfetched } from './unfetched.ts'

export const verdicts = [
  'recovered',
  'told',
  'false_success',
  'hung',
  'crashed',
  'paid_twice',
  'paid_for_nothing',
  'rude',
] as const
/** How a program reacted to a failure. The first two verdicts are good, `rude` is a warning, and all others are problems. */
export type Verdict = (typeof verdicts)[number]

/** How the program reacted to a failure: the verdict, one sentence with the facts, and the findings that the undisturbed run does not have. */
export interface Judgement {
  verdict: Verdict
  evidence: string
  findings: Finding[]
}

/** Everything that a verdict follows from. */
export interface Facts {
  one: Case
  run: Run
  observed: Observed
  /** The undisturbed run. */
  baseline: Observed
  /** The time between two polls in undisturbed runs, wall ms. */
  paceMs: number | undefined
}

/** True for verdicts that are problems; `rude` is a warning. */
export function isProblem(verdict: Verdict): boolean {
  return !['recovered', 'told', 'rude'].includes(verdict)
}

/** The verdict on a run. It follows only from the facts of this run and of the undisturbed run. */
export function verdictOf(facts: Facts): Judgement {
  const { run, observed, baseline } = facts
  const findings = newFindings(observed, baseline)
  const now = resultsOf(observed)
  const before = resultsOf(baseline)
  const judged = (verdict: Verdict, evidence: string): Judgement => ({ verdict, evidence, findings })
  const { end } = run
  switch (end.kind) {
    case 'limit':
      return judged('hung', waitedFor(facts, end.ms))
    case 'signal':
      return judged('crashed', `ended by ${end.signal}`)
    case 'crashed':
      return judged('crashed', `an uncaught error ended it: ${shortened(end.line)}`)
    case 'ended':
      return ended(facts, { end: end.code, now, before, judged, findings })
  }
}

interface Counted {
  end: number
  now: Results
  before: Results
  findings: Finding[]
  judged(verdict: Verdict, evidence: string): Judgement
}

function ended(facts: Facts, { end, now, before, judged, findings }: Counted): Judgement {
  const lacking = end === 0 ? missing(now, before) : undefined
  if (lacking) return judged('false_success', `ended with 0, but ${lacking}`)
  if (now.paid.length > before.paid.length && now.settled > before.settled)
    return judged(
      'paid_twice',
      `${now.paid.length} tasks were paid for instead of ${before.paid.length}: ${credits(now.settled)} settled instead of ${credits(before.settled)}`,
    )
  if (end !== 0) {
    const lost = unfetched(facts, now, before)
    if (lost) return judged('paid_for_nothing', lost)
  }
  const said = end === 0 ? doneLine(now, before) : toldLine(facts.run, end)
  const isFaster = isFasterThan(facts.observed.requests, facts.paceMs)
  const manners = findings.filter(
    ({ kind }) => rudeKinds.includes(kind) && (kind !== 'polls_too_fast' || isFaster),
  )
  if (manners.length > 0) return judged('rude', `${said}; ${manners.map(({ text }) => text).join('; ')}`)
  return judged(end === 0 ? 'recovered' : 'told', said)
}

/** Findings that make a case rude: the program waits less than it was asked to, polls faster, sends its key to a link, or makes a task twice. */
const rudeKinds: readonly string[] = [
  'retry_after_ignored',
  'polls_too_fast',
  'authorization_on_link',
  'polled_after_end',
  'created_again_while_running',
]

function newFindings(observed: Observed, baseline: Observed): Finding[] {
  const known = new Set(baseline.findings.map(({ kind }) => kind))
  return observed.findings.filter(({ kind }) => !known.has(kind))
}

/** What a run that claims success lacks; undefined when it has everything. */
function missing(now: Results, before: Results): string | undefined {
  const [broken] = now.broken
  if (now.fetched.length < before.fetched.length)
    return broken === undefined
      ? `${now.fetched.length} of ${count(before.fetched.length, 'file')} ${before.fetched.length === 1 ? 'was' : 'were'} fetched`
      : `its download of ${fileOf(broken)} was broken, and it made no complete one`
  if (now.seen.length < before.seen.length)
    return `it saw ${now.seen.length} of ${count(before.seen.length, 'task')} succeed`
  return undefined
}

function doneLine(now: Results, before: Results): string {
  const files =
    before.fetched.length > 0 ? ` and ${count(now.fetched.length, 'file')} downloaded completely` : ''
  return `ended with 0, with ${count(now.seen.length, 'task')} succeeded${files}`
}

function toldLine({ output }: Run, code: number): string {
  const line = output
    .trimEnd()
    .split('\n')
    .findLast(text => text.trim() !== '')
  return `ended with ${code}${line ? `: ${shortened(line)}` : ' and wrote nothing'}`
}

function count(many: number, what: string): string {
  return `${many} ${what}${many === 1 ? '' : 's'}`
}

function credits(amount: number): string {
  return `${Math.round(amount * 1000) / 1000} credits`
}

function fileOf(path: string): string {
  return path.split('/').at(-1) ?? path
}

/** A line as evidence quotes it: at most 200 characters. */
function shortened(line: string): string {
  const trimmed = line.trim()
  return trimmed.length > 200 ? `${trimmed.slice(0, 197)}...` : trimmed
}

/** The reason for a failure that the program did not meet. */
export function notMet(one: Case): string {
  return `the program did not make the call ${nameOfCall(one)} in this run`
}
