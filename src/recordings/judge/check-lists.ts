import { at } from '../../spec/json.ts'
import { idOf, isTaskList, pageOf } from '../read/list-rows.ts'
import { rowsOf, type Step } from '../read/steps.ts'
import type { Check } from './check.ts'

/** Checks that a recorded page is not too long and has the newest rows first. */
export function checkList(step: Step): Check[] {
  if (!isTaskList(step)) return []
  return [...lengthOf(step), ...orderOf(step)]
}

function lengthOf(step: Step): Check[] {
  const total = at(step.reply, 'total')
  if (typeof total !== 'number') return []
  const { number, size } = pageOf(step)
  const recorded = rowsOf(step.reply).length
  const emulated = Math.max(0, Math.min(size, total - (number - 1) * size))
  return [{ step, aspect: 'count', path: 'items', recorded, emulated, isAlike: recorded === emulated }]
}

function orderOf(step: Step): Check[] {
  const moments = rowsOf(step.reply)
    .map(row => at(row, 'created_at') ?? at(row, 'gmt_create'))
    .filter(moment => typeof moment === 'number')
  if (moments.length < 2) return []
  const isAlike = moments.every((moment, index) => index === 0 || moment <= (moments[index - 1] ?? 0))
  const recorded = isAlike ? 'newest first' : 'another order'
  return [{ step, aspect: 'order', path: 'items', recorded, emulated: 'newest first', isAlike }]
}

/** A task is on one page only, as long as the total does not change. */
export function checkPages(steps: readonly Step[]): Check[] {
  const lists = steps.filter(step => isTaskList(step) && step.status < 300)
  return lists.slice(1).flatMap((step, index) => {
    const last = lists[index]
    const isNext = last && isNextPage(last, step)
    if (!isNext || at(step.reply, 'total') !== at(last.reply, 'total')) return []
    const before = new Set(rowsOf(last.reply).map(idOf))
    const again = rowsOf(step.reply)
      .map(idOf)
      .filter(id => before.has(id))
    const recorded = again.length === 0 ? 'other tasks' : 'tasks of the page before'
    const isAlike = again.length === 0
    return [{ step, aspect: 'count' as const, path: 'items', recorded, emulated: 'other tasks', isAlike }]
  })
}

function isNextPage(last: Step, next: Step): boolean {
  const others = ({ query }: Step) => `${[...query].filter(([name]) => !/^page_n/.test(name)).sort()}`
  const isSame = last.operation === next.operation && last.entry._gateway?.key === next.entry._gateway?.key
  return isSame && others(last) === others(next) && pageOf(last).number + 1 === pageOf(next).number
}
