import { linksIn } from './steps.ts'
import { lifeOf } from './task-life.ts'

/** How long the links of a record work after the end of its task, seconds; undefined when record and links do not show it. */
export function linkLife(record: Readonly<Record<string, unknown>>): number | undefined {
  const { changedAt } = lifeOf(record)
  if (changedAt === undefined) return undefined
  const ends = linksIn(record).flatMap(link => endOf(link) ?? [])
  return ends.length === 0 ? undefined : Math.round((Math.min(...ends) - changedAt) / 1000)
}

/** When a link ends, epoch ms: `Expires` as a moment, or a date with a length as object stores sign them. */
function endOf(link: string): number | undefined {
  const parameters = new Map(
    [...new URL(link).searchParams].map(([name, value]) => [name.toLowerCase(), value]),
  )
  const plain = Number(parameters.get('expires') ?? Number.NaN)
  if (plain > 1e8) return plain * 1000
  for (const [name, value] of parameters) {
    const store = /^(x-[a-z]+)-expires$/.exec(name)?.[1]
    const date =
      store && /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(parameters.get(`${store}-date`) ?? '')
    if (!date) continue
    const [, year, month, day, hour, minute, second] = date.map(Number)
    const from = Date.UTC(year ?? 0, (month ?? 1) - 1, day, hour, minute, second)
    return from + Number(value) * 1000
  }
  return undefined
}

/** Two lives count as equal when they differ by at most two minutes or 5 %. */
export function isSameLife(one: number, other: number): boolean {
  return Math.abs(one - other) <= Math.max(120, other / 20)
}
