export function linksIn(value: unknown): string[] {
  if (typeof value === 'string') return /^https?:\/\//.test(value) && URL.canParse(value) ? [value] : []
  if (typeof value !== 'object' || value === null) return []
  return Object.values(value).flatMap(linksIn)
}

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

/** The moment in a value of a record, epoch ms. The value is Unix seconds, milliseconds, or family B's text in UTC+8; else undefined. */
function momentOf(value: unknown): number | undefined {
  if (typeof value === 'number') {
    if (value > 1e11 && value < 1e14) return value
    return value > 1e8 && value < 1e11 ? value * 1000 : undefined
  }
  const text = typeof value === 'string' ? /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d(?:\.\d+)?)$/.exec(value) : null
  const ms = text ? Date.parse(`${text[1]}T${text[2]}+08:00`) : Number.NaN
  return Number.isNaN(ms) ? undefined : ms
}

/** Fields that say when a task was made. */
export const startNames = ['created_at', 'submit_time', 'create_time', 'gmt_create', 'created']
const workNames = ['scheduled_time', 'start_time']
/** Fields that say when a task last changed. */
export const endNames = ['end_time', 'updated_at', 'update_time', 'created']

/** When a task was made, began and last changed, by its record, epoch ms. Each is absent when the record does not have it. */
export function lifeOf(record: Readonly<Record<string, unknown>>) {
  const first = (names: readonly string[]) =>
    names.map(name => momentOf(record[name])).find(moment => moment !== undefined)
  return { createdAt: first(startNames), startedAt: first(workNames), changedAt: first(endNames) }
}
