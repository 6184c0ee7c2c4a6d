import { factsOfFamily, formatDuration, makesTask } from '../../emulator/words.ts'
import type { RequestView } from '../../kits/views.ts'
import type { Case } from '../plan/case.ts'
import type { WorldObservation } from '../plan/observe.ts'
import type { Run } from '../run/run.ts'
import type { TwoLives } from '../run/two-lives.ts'
import { billOf, settledFor } from './bill.ts'
import { diskOf, wrongOnDisk } from './disk.ts'
import { endingOf } from './ending.ts'
import { concerns, lackingIn, type Results, resultsOf, steppingOperations } from './results.ts'
import type { Judgement } from './row.ts'
import { newFindings } from './verdict.ts'
import type { Ending, Facts, Level, Verdict } from './verdicts.ts'
import { skippedFor } from './waiting.ts'
import { isSilentRun } from './written.ts'

/** Everything that the verdict on a restart follows from. */
export interface LivesFacts {
  one: Case
  lives: TwoLives
  /** Two lives that nothing disturbed, with one state. */
  undisturbed: TwoLives
  /** The folder in which the program was started; causes name its files. */
  folder: string
}

/** The verdict on a program that was killed at a point and started again. It follows only from the facts of these two lives and of two undisturbed ones. */
export function livesVerdictOf(facts: LivesFacts): Judgement {
  const { one, lives, undisturbed, folder } = facts
  const steps = steppingOperations(undisturbed.observed)
  const before = resultsOf(lifeOf(undisturbed, undisturbed.first.requests), steps)
  const all = resultsOf(lives.observed, steps)
  const disk = diskOf(undisturbed.first.kept, lives.second.kept)
  // Where the undisturbed program kept each result as a file, a result counts only when it is there whole.
  const isKept = disk !== undefined && disk.expected > 0 && disk.expected === before.fetched.length
  const now = isKept ? { ...all, fetched: disk.whole } : all
  const judged: Facts = {
    one,
    run: lives.second.run,
    observed: lives.observed,
    baseline: undisturbed.observed,
    undisturbedOutput: undisturbed.first.run.output + undisturbed.second.run.output,
    ...(undisturbed.second.run.system && { undisturbedSystem: undisturbed.second.run.system }),
    paceMs: undefined,
    folder,
  }
  const { bill, sentence, beyond } = billOf(judged, { now, before, isOver: true })
  const ending = endingOf(
    { ...judged, observed: { ...lives.observed, requests: lives.second.requests } },
    { now, before },
  )
  const findings = newFindings(lives.observed, undisturbed.observed)
  const isTwice = bill.verdict === 'twice'
  const isExpected = isTwice && isAsMuchAsTwoRuns(facts, { all, before })
  const about = {
    bill: { ...bill, ...(isExpected && { is_expected: true as const }) },
    findings,
    end: ending.end,
  }
  const whoEnded = lives.killed === undefined ? 'the second life' : 'the driver'
  const ends =
    lives.killed === undefined
      ? secondLife(ending)
      : `after ${lives.killed} was killed and started again, ${ending.sentence}`

  const judgement = (
    verdict: Verdict,
    level: Level,
    { sentences, cause }: { sentences: readonly (string | undefined)[]; cause: Judgement['cause'] },
  ): Judgement => ({ ...about, verdict, level, evidence: sentences.filter(Boolean).join('; '), cause })

  if (isTwice && !isExpected) {
    const isUnknowable = !mayFind(one)
    const title = isUnknowable
      ? 'makes a task again whose create got no reply; no program can know'
      : againTitle(facts, before)
    return judgement('paid_again', isUnknowable && !ending.isCheckFailed ? 'warning' : 'problem', {
      sentences: [sentence, isUnknowable ? noProgramCanKnow : undefined, ends],
      cause: { title, where: null },
    })
  }
  if (ending.end === 'done' || ending.end === 'false_success') {
    const wrong = disk && wrongOnDisk(disk)
    if (ending.end === 'done' && !wrong)
      return judgement('resumed', 'good', {
        sentences: [ends, isKept ? `${disk.whole.length} whole in the state folder` : undefined],
        cause: null,
      })
    const lost = judgement('lost', 'problem', {
      sentences: [wrong ? `${whoEnded} ended with 0, but ${wrong.sentence}` : ends, sentence],
      cause: { title: wrong?.title ?? ending.title, where: null },
    })
    return { ...lost, end: 'false_success' }
  }
  const isAll = lackingIn(now, before) === 0
  if (isAll && !ending.isCheckFailed && failsAlways(undisturbed, ending))
    return judgement('resumed', 'good', {
      sentences: [`${ends}, as it does undisturbed`, 'every result is there'],
      cause: null,
    })
  const skipped = skippedFor(judged)
  const shownMs = skipped === undefined ? shownToStandStillMs(facts, ending) : undefined
  const isAsDone = isSameFailure(lives.second.run, undisturbed.second.run)
  const { title, where = null, error } = ending
  return judgement(
    'stuck',
    levelOfStuck({
      ...{ isLost: bill.lost > 0 && !beyond, ending, shownMs },
      isSkipped: skipped !== undefined,
    }),
    {
      sentences: [
        isAsDone ? `${ends}, as when all is done` : ends,
        shownMs === undefined ? skipped : `${formatDuration(shownMs)} of virtual time had passed in it`,
        sentence ?? (isAll ? 'every result is there' : bill.settled === 0 ? 'nothing was paid' : undefined),
      ],
      cause: isAsDone
        ? { title: 'ends as if nothing were left to do', where: null }
        : { title, where, ...(error !== undefined && { error }) },
    },
  )
}

const noProgramCanKnow = 'the family has neither a list of tasks nor an external id, so no program can know'

/** What a run that ended well has is counted over both lives. */
function secondLife({ sentence }: Ending): string {
  const words = sentence.replace('ended with 0, with', 'ended with 0; both lives have')
  return /^an /.test(words) ? `in the second life ${words}` : `the second life ${words}`
}

/** The world as if only the tasks of some requests had been made. */
function lifeOf(
  { observed }: TwoLives,
  requests: RequestView[],
): Pick<WorldObservation, 'requests' | 'tasks' | 'settled'> {
  const made = new Set(requests.map(({ request_id }) => request_id))
  const tasks = observed.tasks.filter(({ request_id }) => made.has(request_id))
  return { requests, tasks, settled: tasks.reduce((sum, task) => sum + settledFor(task), 0) }
}

/**
 * Whether a program that makes a new task each time it runs paid for two runs and has the results of both: then it finished what the
 * first life had begun.
 */
function isAsMuchAsTwoRuns(
  { lives, undisturbed }: LivesFacts,
  { all, before }: { all: Results; before: Results },
): boolean {
  const both = resultsOf(undisturbed.observed)
  if (both.paid.length <= before.paid.length || all.paid.length > both.paid.length) return false
  return hadBy(lives.observed, all, before) >= hadBy(undisturbed.observed, both, before)
}

/** The number of results that a program had, of the kind that the undisturbed one has: files, links, news of success, or at least ids. */
function hadBy({ requests, tasks }: WorldObservation, results: Results, before: Results): number {
  if (before.fetched.length > 0) return results.fetched.length
  if (before.linked.length > 0) return results.linked.length
  if (before.seen.length > 0) return results.seen.length
  const read = requests.filter(({ reply_lost }) => reply_lost !== true).map(({ request_id }) => request_id)
  return tasks.filter(({ request_id }) => read.includes(request_id)).length
}

/** Whether a program can find the task of a create that got no reply. At any other point it can have the id. */
function mayFind({ operation, failure }: Case): boolean {
  if (!makesTask(operation) || failure.id !== 'killed_after') return true
  return factsOfFamily(operation.split('.')[0] ?? '')?.findsBy !== undefined
}

function againTitle({ one, lives, undisturbed }: LivesFacts, before: Results): string {
  const made = new Set(lives.first.requests.map(({ request_id }) => request_id))
  const known = lives.observed.tasks.filter(({ request_id }) => made.has(request_id))
  const asks = lives.second.requests.some(request => known.some(({ id }) => concerns(request, id)))
  const paysAnew = resultsOf(undisturbed.observed).paid.length > before.paid.length
  if (!asks && paysAnew) return 'remembers nothing: it makes its tasks anew each time it starts'
  if (makesTask(one.operation) && one.failure.id === 'killed_after')
    return `makes a task again after ${one.operation} without a reply: it does not look for it`
  return `makes a task again that it had made before ${lives.killed ?? 'it'} was killed`
}

/** A program may refuse to run again when all is done. */
function failsAlways({ second }: TwoLives, { end }: Ending): boolean {
  const { exit } = second.run
  return exit.kind === 'ended' && exit.code !== 0 && (end === 'told' || end === 'uncaught')
}

/** Whether a program failed in the same way as when it was started again after all was done. */
function isSameFailure(run: Run, { exit, output }: Run): boolean {
  if (run.exit.kind !== 'ended' || exit.kind !== 'ended') return false
  return exit.code !== 0 && run.exit.code === exit.code && isSilentRun(run, output)
}

/** A second life that its limit of wall time ended is shown to stand still after so much virtual time, ms. */
const longMs = 3_600_000

/** How much virtual time passed in a second life that was ended at the limit, when it was much. */
function shownToStandStillMs({ lives, undisturbed }: LivesFacts, { end }: Ending): number | undefined {
  if (end !== 'unfinished') return undefined
  const lastOf = (requests: readonly RequestView[]) => requests.at(-1)?.at_ms ?? 0
  const usualMs = lastOf(undisturbed.first.requests) - (undisturbed.first.requests[0]?.at_ms ?? 0)
  const ms = lives.observed.endedAt - lastOf(lives.first.requests)
  return lives.observed.isDriven && ms >= Math.max(longMs, 10 * usualMs) ? ms : undefined
}

/**
 * A problem when a paid result is left behind, and the second life is over or shown to stand still; and when the check of a system failed. A
 * part beside for which the time was skipped may keep a lease or a delay after which the system would have gone on.
 */
function levelOfStuck({
  isLost,
  ending,
  shownMs,
  isSkipped,
}: {
  isLost: boolean
  ending: Ending
  shownMs: number | undefined
  isSkipped: boolean
}): Level {
  if (ending.isCheckFailed) return 'problem'
  if (!isLost || (isSkipped && (ending.end === 'told' || ending.end === 'unfinished'))) return 'warning'
  return ending.end === 'unfinished' && shownMs === undefined ? 'warning' : 'problem'
}
