import { at, isObject, Words } from './json.ts'
import { isSameLife, linkLife } from './lives.ts'
import { type Agrees, elsewhere } from './predicates.ts'

export function agrees(view: string, path: string, read: Agrees['read']): Agrees {
  return { kind: 'agrees', view, path, read }
}

/** A total of numbers of the same record. */
export function sums(view: string, total: string, ...parts: readonly string[]): Agrees {
  return agrees(view, total, record => {
    const [told, ...others] = [total, ...parts].map(path => at(record, ...path.split('.')))
    const numbers = others.filter(one => typeof one === 'number')
    if (typeof told !== 'number' || numbers.length < parts.length) return undefined
    const sum = numbers.reduce((left, one) => left + one, 0)
    return [told, Math.abs(told - sum) < 0.002 ? told : sum]
  })
}

/** The moments of a record, in the order of a task's life. Those that are absent, or of another unit than the one before, say nothing. */
export function rising(view: string, ...paths: readonly [...string[], last: string]): Agrees {
  const order = agrees(view, paths.at(-1) ?? '', record => {
    const told = paths
      .map(path => ({ path, value: at(record, ...path.split('.')) }))
      .filter(({ value }) => unitOf(value) !== undefined)
    const pairs = told.slice(1).map((one, place) => [told[place], one] as const)
    const early = pairs.find(
      ([before, { value }]) =>
        unitOf(before?.value) === unitOf(value) && (value as number) < (before?.value as number),
    )
    if (!early) return pairs.length === 0 ? undefined : ['in order', 'in order']
    const [before, { path, value }] = early
    return [value, new Words(`no earlier than ${before?.path}, ${before?.value}`), path]
  })
  return { ...order, isNeverShown: true }
}

function unitOf(value: unknown): 'ms' | 's' | 'text' | undefined {
  if (typeof value === 'number') return value > 1e11 ? 'ms' : 's'
  return /^\d{4}-\d\d-\d\d /.test(String(value)) ? 'text' : undefined
}

/** How many hours the links of a record live, where their addresses say it. Another number contradicts a row, and the right one does not show it. Some other lives say nothing. */
export function lives(view: string, hours: number, ...silent: readonly number[]): Agrees {
  const life = agrees(view, 'link.life', record => {
    const life = isObject(record) ? linkLife(record) : undefined
    if (life === undefined || silent.some(other => isSameLife(life, other * 3600))) return undefined
    return [`${life} s`, `${isSameLife(life, hours * 3600) ? life : hours * 3600} s`]
  })
  return { ...life, place: 'link', isNeverShown: true, ...elsewhere }
}

/** A list that has the newest tasks first, no more than its page holds, and a total of no fewer than it shows. */
export function pages(view: string, rows: string, made: string, usual: number): Agrees[] {
  const listOf = (reply: unknown) => {
    const found = at(reply, rows)
    return Array.isArray(found) ? found : undefined
  }
  const sizeOf = (body: unknown) => Number(at(body, 'page_size') ?? usual)
  return [
    agrees(view, rows, (reply, { body }) => long(listOf(reply), sizeOf(body))),
    agrees(view, 'total', (reply, { body }) => {
      const [total, list] = [at(reply, 'total'), listOf(reply)]
      if (typeof total !== 'number' || !list) return undefined
      const before = (Number(at(body, 'page_num') ?? at(body, 'page_no') ?? 1) - 1) * sizeOf(body)
      // An empty page shows only that no task comes so late.
      if (list.length === 0) return [total, total > before ? new Words(`at most ${before}`) : total]
      const end = before + list.length
      return [total, total < end ? new Words(`at least ${end}`) : total]
    }),
    agrees(view, rows, reply => {
      const moments = (listOf(reply) ?? []).map(row => Number(at(row, made)))
      const isSorted = moments.every((one, place) => place === 0 || !(one > (moments[place - 1] ?? 0)))
      const wanted = new Words('newest first')
      return moments.length < 2 ? undefined : [isSorted ? wanted : new Words('in another order'), wanted]
    }),
  ]
}

function long(list: readonly unknown[] | undefined, size: number): readonly [Words, Words] | undefined {
  const told = new Words(`${list?.length} long`)
  return list && [told, list.length > size ? new Words(`at most ${size} long`) : told]
}

/** The row about the size of a page, of each list that has one. */
export const usualPages: Readonly<Record<string, string>> = { 'c.list': 'c.list.page-size' }

/** The first page of a list, where the request names no size. Fewer tasks than a page has show nothing about its length. */
export function pageSize(view: string, rows: string, usual: number): Agrees {
  const page = agrees(view, rows, (reply, { body }) => {
    const [list, total] = [at(reply, rows), Number(at(reply, 'total'))]
    const isFirst = [undefined, '1'].includes(at(body, 'page_num') as undefined)
    if (!isFirst || at(body, 'page_size') !== undefined || !Array.isArray(list)) return undefined
    return list.length > usual || (list.length === usual && total > usual) ? long(list, usual) : undefined
  })
  return { ...page, ...elsewhere }
}
