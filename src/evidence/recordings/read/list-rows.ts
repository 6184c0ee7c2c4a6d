import { at, isObject } from '../../spec/json.ts'
import { endpointOf, factsOf } from '../operation.ts'
import { idOf, rowsOf, type Step } from './steps.ts'

/**
 * Both replies, with only those rows of lists that can be compared. The recorded account may have tasks that the replay world does
 * not have. Then only rows that must be on both pages count.
 */
export function knownRows(
  step: Step,
  own: { reply: unknown },
  ids: ReadonlyMap<string, string>,
): [unknown, unknown] {
  if (!isTaskList(step)) return [step.reply, own.reply]
  const idsIn = (reply: unknown) => new Set(rowsOf(reply).map(row => idOf(row) ?? ''))
  const [recordedIds, ownIds] = [idsIn(step.reply), idsIn(own.reply)]
  const recorded = (id: string) => [...ids].find(([, other]) => other === id)?.[0] ?? ''
  const isSame = [...recordedIds].every(id => ids.has(id)) && total(step.reply) === total(own.reply)
  const page = pageOf(step)
  const isLast = recordedIds.size < page.size && !isTooLargePage(step)
  return [
    keepRows(step.reply, id => ids.has(id) && (isSame || page.number === 1 || ownIds.has(ids.get(id) ?? ''))),
    keepRows(
      own.reply,
      id => recorded(id) !== '' && (isSame || (page.number === 1 && isLast) || recordedIds.has(recorded(id))),
    ),
  ]
}

export function isTaskList(step: Pick<Step, 'operation' | 'family'>): boolean {
  return step.operation.endsWith('.list') && !isOtherList(step)
}

/** Whether a request asks for a page of other things than the account's tasks. */
export function isOtherList({ operation, family }: Pick<Step, 'operation' | 'family'>): boolean {
  return factsOf(family).otherLists?.includes(operation) ?? false
}

/** Whether a list without a filter has all rows on its page. */
export function isWholeList(step: Step): boolean {
  const { number, size } = pageOf(step)
  return (
    isTaskList(step) &&
    number === 1 &&
    !isFiltered(step) &&
    rowsOf(step.reply).length < size &&
    !isTooLargePage(step)
  )
}

/** Whether a list is asked for only some of its rows, besides its page. */
export function isFiltered({ query }: Step): boolean {
  return [...query.keys()].some(name => !name.startsWith('page'))
}

/** The requested page of a list, from 1, and the most rows that it has. */
export function pageOf({ operation, query }: Step): { number: number; size: number } {
  const usual = at(endpointOf(operation)?.query, 'properties', 'page_size', 'default')
  return {
    number: Number(query.get('page_num') ?? query.get('page_no') ?? 1),
    size: Number(query.get('page_size') ?? usual ?? 20),
  }
}

/** Whether a list is asked for more rows than a page may have: the gateway may give fewer. */
export function isTooLargePage(step: Step): boolean {
  // The schema of C describes its limit only: it is no mistake to ask for more.
  const most = at(endpointOf(step.operation)?.query, 'properties', 'page_size', 'maximum') ?? 500
  return pageOf(step).size > Number(most)
}

function total(reply: unknown): unknown {
  return at(reply, 'total')
}

function keepRows(reply: unknown, isKept: (id: string) => boolean): unknown {
  if (!isObject(reply)) return reply
  const name = ['items', 'data'].find(key => Array.isArray(reply[key]))
  return name === undefined
    ? reply
    : { ...reply, [name]: rowsOf(reply).filter(row => isKept(idOf(row) ?? '')) }
}
