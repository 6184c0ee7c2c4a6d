import { isUnknownWord } from '../../../emulator/words.ts'
import { usualPages } from '../../spec/agreements.ts'
import { at, told, valuesAt, Words } from '../../spec/json.ts'
import { endNames, lifeOf, startNames } from '../../spec/lives.ts'
import { headerOf } from '../har.ts'
import { factsOf } from '../operation.ts'
import { madeBefore } from '../read/jobs.ts'
import { isFiltered, isTaskList, isTooLargePage, pageOf } from '../read/list-rows.ts'
import type { TaskObservation } from '../read/observed.ts'
import { idOf, rowsOf, type Step } from '../read/steps.ts'
import type { Aspect, Check } from './check.ts'
import { formOf, typeOf } from './compare-json.ts'
import { judgeStates } from './judge-rows.ts'

/** What several replies of a recording show together, without a replay: the order of states, moments, expiries, and pages of lists. */
export function checkRecorded(steps: readonly Step[], tasks: readonly TaskObservation[]): Check[] {
  const ofTasks = tasks.flatMap(task => [
    ...orderOf(task),
    ...checkCreated(task),
    ...checkKept(task),
    ...checkExpiry(task),
  ])
  return [...ofTasks, ...checkPages(steps)]
}

/** What a recording has at a path and a rule demands otherwise; `more` says where it is no difference after all. */
function demand(
  step: Step,
  [aspect, path]: readonly [Aspect, string],
  [recorded, emulated]: readonly [unknown, unknown],
  more: Partial<Check> = {},
): Check {
  return { step, aspect, path, recorded, emulated, isRule: true, isAlike: false, ...more }
}

const ranks: Readonly<Record<string, number>> = { queued: 0, running: 1 }

/** The order of a task's states. A step back that no row speaks of is a difference all the same. */
function orderOf(task: TaskObservation): Check[] {
  const judged = judgeStates(task)
  const back = task.seen.slice(1).flatMap((next, index): Check[] => {
    const last = task.seen[index]
    const isBack =
      last && last.status !== next.status && (ranks[last.status] ?? 2) >= (ranks[next.status] ?? 2)
    if (!isBack || judged.some(({ step, isAlike }) => step === next.step && !isAlike)) return []
    const found = new Words(`${told(next.word)} after ${told(last.word)}`)
    const wanted = new Words(`another state than ${told(next.word)}`)
    return [demand(next.step, ['order', 'state'], [found, wanted], { place: 'state' })]
  })
  return [...judged, ...back]
}

/** Clocks may differ by some minutes, and zones by an hour at least. Milliseconds. */
const zoneMs = 1_800_000

/** A record tells the moment of its create, as the Date of the reply to the create does: unit and time zone are those that we know. */
function checkCreated({ makes, seen }: TaskObservation): Check[] {
  const date = makes && Date.parse(headerOf(makes.entry.response.headers, 'date') ?? '')
  const queried = seen.find(({ step }) => step.operation.endsWith('.get'))
  const createdAt = queried && lifeOf(queried.record).createdAt
  if (!date || Number.isNaN(date) || !queried || createdAt === undefined) return []
  const { step, record } = queried
  const name = startNames.find(one => record[one] !== undefined) ?? ''
  const root =
    ['task.', 'output.', 'data[].', 'data.', ''].find(one =>
      valuesAt(step.reply, one + name).some(([, value]) => value !== undefined),
    ) ?? ''
  const isAlike = Math.abs(createdAt - date) < zoneMs
  const wanted = new Words(`the moment of the create, ${new Date(date).toISOString()}`)
  return [demand(step, ['moment', root + name], [record[name], wanted], { isAlike })]
}

/** Records have whole seconds, and a poll takes some time. Milliseconds. */
const edgeMs = 2000

/** A task keeps the moment when it was made, and its seed. A change of its state moves the moment of its last change. */
function checkKept({ makes, seen }: TaskObservation): Check[] {
  return seen.slice(1).flatMap((next, index): Check[] => {
    const last = seen[index]
    if (!last) return []
    const demanded = (name: string, wanted: string) =>
      demand(next.step, ['value', name], [next.record[name], new Words(wanted)])
    const changed = [...startNames, 'seed'].filter(name => {
      const [before, after] = [last.record[name], next.record[name]]
      const form = name === 'seed' ? typeOf : formOf
      return before !== after && form(before) === form(after)
    })
    const { createdAt = Number.NaN, changedAt = Number.NaN } = lifeOf(last.record)
    const isRested =
      makes && last.at - makes.at - last.step.within - makes.within > changedAt - createdAt + edgeMs
    const isStill = isRested && last.word !== next.word && lifeOf(next.record).changedAt === changedAt
    const name = isStill ? endNames.find(one => next.record[one] !== undefined) : undefined
    return [
      ...changed.map(path => demanded(path, `${told(last.record[path])}, as in the reply before`)),
      ...(name === undefined ? [] : [demanded(name, `later than in the state ${told(last.word)}`)]),
    ]
  })
}

/** Specification, "States and transitions": a task that has not ended at its expiry is expired from then on. */
function checkExpiry({ makes, seen, family }: TaskObservation): Check[] {
  const { expiry } = factsOf(family)
  if (!expiry || !makes) return []
  return seen.flatMap(({ step, at, status, word, record }) => {
    const expiresAfter = record[expiry.field]
    if (typeof expiresAfter !== 'number') return []
    const { createdAt, changedAt } = lifeOf(record)
    const isLive = status === 'queued' || status === 'running'
    const livedMs = isLive
      ? at - makes.at - step.within - makes.within
      : (changedAt ?? Number.NaN) - (createdAt ?? Number.NaN)
    if (status === 'cancelled' || Number.isNaN(livedMs)) return []
    const isPast =
      livedMs > expiresAfter * 1000 + (isLive ? edgeMs : 0) || (!isLive && livedMs === expiresAfter * 1000)
    const isEarly = status === 'expired' && livedMs < expiresAfter * 1000
    if (!isPast && !isEarly) return []
    const wanted = new Words(isEarly ? 'not at an end yet' : 'expired')
    const isAlike = status === 'expired' && !isEarly
    return expiry.rows.map(rule =>
      demand(step, ['order', 'state'], [word, wanted], { place: 'state', isAlike, rule }),
    )
  })
}

/** Every list of tasks reaches a day back at least. Milliseconds. */
const dayMs = 86_400_000

/** A list without a filter counts all tasks that were made before it was requested, unless they were deleted or not found. */
export function checkTotal(list: Step, steps: readonly Step[]): Check[] {
  const recorded = at(list.reply, 'total')
  if (!isTaskList(list) || list.status >= 300 || isFiltered(list) || typeof recorded !== 'number') return []
  const removed = new Set(
    steps
      .filter(
        ({ operation, status, reply }) =>
          operation.endsWith('.delete') || status >= 400 || isUnknownWord(at(reply, 'output', 'task_status')),
      )
      .map(({ params }) => params.task_id),
  )
  const made = madeBefore(list, steps).filter(
    ({ place, at: madeAt, makes = '' }) =>
      place < list.answeredBefore && list.at - madeAt < dayMs && !removed.has(makes),
  )
  const ofTotal = (wanted: unknown) => [demand(list, ['value', 'total'], [recorded, wanted])]
  if (recorded < made.length) return ofTotal(new Words(`at least ${made.length}`))
  const { length } = rowsOf(list.reply)
  const { number, size } = pageOf(list)
  const end = (number - 1) * size + length
  if (length === 0 || length >= size || recorded <= end || isTooLargePage(list)) return []
  // Either the page is short or the total is too large: tasks that were made decide it.
  const least = Math.min(size, made.length - (number - 1) * size)
  if (least <= length) return ofTotal(end)
  const path = at(list.reply, 'items') === undefined ? 'data' : 'items'
  const row = list.query.has('page_size') ? undefined : usualPages[list.operation]
  const sides = [new Words(`${length} long`), new Words(`${least} long`)] as const
  return [demand(list, ['count', path], sides, row === undefined ? {} : { rule: row })]
}

const other = new Words('of other tasks than the page before')

/** A task is on one page only, as long as the total does not change. */
function checkPages(steps: readonly Step[]): Check[] {
  const lists = steps.filter(step => isTaskList(step) && step.status < 300)
  return lists.slice(1).flatMap((step, index) => {
    const last = lists[index]
    const isNext = last && isNextPage(last, step)
    if (!isNext || at(step.reply, 'total') !== at(last.reply, 'total')) return []
    const before = new Set(rowsOf(last.reply).map(idOf))
    const again = rowsOf(step.reply)
      .map(idOf)
      .filter(id => before.has(id))
    const isAlike = again.length === 0
    const found = isAlike ? other : new Words('of tasks of the page before')
    return [demand(step, ['count', 'items'], [found, other], { isAlike })]
  })
}

function isNextPage(last: Step, next: Step): boolean {
  const others = ({ query }: Step) => `${[...query].filter(([name]) => !/^page_n/.test(name)).sort()}`
  const isSame = last.operation === next.operation && last.entry._gateway?.key === next.entry._gateway?.key
  return isSame && others(last) === others(next) && pageOf(last).number + 1 === pageOf(next).number
}
