import { at, isObject } from './json.ts'
import { isSameLife, linkLife } from './lives.ts'
import type { Agrees } from './predicates.ts'

/** What other parts of a record decide. */
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

/** The moments of a record, in the order of a task's life. Those that are absent say nothing. */
export function rising(view: string, ...paths: readonly [...string[], last: string]): Agrees {
  const order = agrees(view, paths.at(-1) ?? '', record => {
    const told = paths.map(path => at(record, ...path.split('.'))).filter(isMoment)
    const isRising = told.every((one, place) => place === 0 || one >= (told[place - 1] ?? one))
    const isOneKind = new Set(told.map(one => typeof one)).size === 1
    return told.length < 2 || !isOneKind
      ? undefined
      : [isRising ? 'in order' : 'before the task was made', 'in order']
  })
  return { ...order, isNeverShown: true }
}

function isMoment(value: unknown): value is number | string {
  return typeof value === 'number' || /^\d{4}-\d\d-\d\d /.test(String(value))
}

/** How many hours the links of a record live, where they show it. Some other lives say nothing. */
export function lives(view: string, hours: number, ...silent: readonly number[]): Agrees {
  return agrees(view, 'link.life', record => {
    const life = isObject(record) ? linkLife(record) : undefined
    if (life === undefined || silent.some(other => isSameLife(life, other * 3600))) return undefined
    return [`${life} s`, `${isSameLife(life, hours * 3600) ? life : hours * 3600} s`]
  })
}

/** A list that has the newest tasks first, and no more than its page holds. */
export function pages(view: string, rows: string, made: string, usual: number): Agrees[] {
  const rowsOf = (reply: unknown) => {
    const found = at(reply, rows)
    return Array.isArray(found) ? found.filter(isObject) : []
  }
  return [
    agrees(view, rows, (reply, { body }) => {
      const total = at(reply, 'total')
      const size = Number(at(body, 'page_size') ?? usual)
      const before = (Number(at(body, 'page_num') ?? at(body, 'page_no') ?? 1) - 1) * size
      const wanted = Math.max(0, Math.min(size, Number(total) - before))
      return typeof total === 'number' && Array.isArray(at(reply, rows))
        ? [rowsOf(reply).length, wanted]
        : undefined
    }),
    agrees(view, rows, reply => {
      const moments = rowsOf(reply).map(row => Number(at(row, made)))
      const isSorted = moments.every((one, place) => place === 0 || !(one > (moments[place - 1] ?? 0)))
      return moments.length < 2 ? undefined : [isSorted ? 'newest first' : 'another order', 'newest first']
    }),
  ]
}
