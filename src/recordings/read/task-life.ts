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

const startNames = ['created_at', 'submit_time', 'create_time', 'gmt_create', 'created']
const workNames = ['scheduled_time', 'start_time']
const endNames = ['end_time', 'updated_at', 'update_time', 'created']

/** When a task was made, began and last changed, by its record, epoch ms. Each is absent when the record does not have it. */
export function lifeOf(record: Readonly<Record<string, unknown>>) {
  const first = (names: readonly string[]) =>
    names.map(name => momentOf(record[name])).find(moment => moment !== undefined)
  return { createdAt: first(startNames), startedAt: first(workNames), changedAt: first(endNames) }
}
