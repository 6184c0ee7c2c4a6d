import type { Observed } from '../read/observed.ts'
import type { Step } from '../read/steps.ts'
import type { Check } from './check.ts'
import { checkFailures } from './check-failures.ts'
import { checkList, checkPages } from './check-lists.ts'
import { checkExpiry, checkMoments } from './check-moments.ts'
import { checkPictures } from './check-pictures.ts'
import { judgeStates } from './judge-rows.ts'
import { checkSums } from './usage-sums.ts'

/** Checks of a recording without a replay: the order of states and moments, sums, pages of lists, and pictures inside replies. */
export function checkRecorded(steps: readonly Step[], tasks: readonly Observed[]): Check[] {
  const accepted = steps.filter(({ status }) => status < 300)
  return [
    ...tasks.flatMap(task => [...orderOf(task), ...checkExpiry(task)]),
    ...checkPages(steps),
    ...accepted.flatMap(step => [
      ...checkSums(step),
      ...checkList(step),
      ...checkMoments(step),
      ...checkPictures(step),
      ...checkFailures(step),
    ]),
  ]
}

const ranks: Readonly<Record<string, number>> = { queued: 0, running: 1 }

/** The order of a task's states. A step back that no row speaks of is a difference all the same. */
function orderOf(task: Observed): Check[] {
  const judged = judgeStates(task)
  const back = task.seen.slice(1).flatMap((next, index): Check[] => {
    const last = task.seen[index]
    const isBack =
      last && last.status !== next.status && (ranks[last.status] ?? 2) >= (ranks[next.status] ?? 2)
    if (!isBack || judged.some(({ step, isAlike }) => step === next.step && !isAlike)) return []
    const recorded = `${last.word}, then ${next.word}`
    const emulated = `never ${next.word} after ${last.word}`
    return [{ step: next.step, aspect: 'order', path: 'state', recorded, emulated, isAlike: false }]
  })
  return [...judged, ...back]
}
