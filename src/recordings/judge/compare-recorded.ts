import type { Observed, Seen } from '../read/observed.ts'
import type { Step } from '../read/steps.ts'
import type { Check } from './check.ts'
import { checkFailures } from './check-failures.ts'
import { checkList, checkPages } from './check-lists.ts'
import { checkExpiry, checkMoments } from './check-moments.ts'
import { checkPictures } from './check-pictures.ts'
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

/** A task changes from queued to running to one end, and does not change again. */
function orderOf({ seen, family }: Observed): Check[] {
  return seen.slice(1).flatMap((next, index) => {
    const last = seen[index]
    if (!last || last.status === next.status) return []
    const isForward = (ranks[last.status] ?? 2) < (ranks[next.status] ?? 2) && !isBarred(family, last, next)
    const [from, to] = [last.word, next.word]
    return [
      {
        step: next.step,
        aspect: 'order' as const,
        path: `${last.status}>${next.status}`,
        recorded: `${from}, then ${to}`,
        emulated: isForward ? `${from}, then ${to}` : `never ${to} after ${from}`,
        isAlike: isForward,
      },
    ]
  })
}

/** Specification, "States and transitions": in family A only a queued task can be cancelled. */
function isBarred(family: string, last: Seen, next: Seen): boolean {
  return family === 'a' && last.status === 'running' && next.status === 'cancelled'
}
