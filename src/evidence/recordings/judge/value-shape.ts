/** Keys of texts that differ from run to run, or that a person or a model wrote: they are not compared. */
const freeTexts =
  /^(?:(?:\w+_)?(?:message|msg|prompt|text|name|description|caption|title)|external_task_id|external_id|safety_identifier|region)$/
const drawnNumbers = /^(?:seed)$/
const moments =
  /^(?:created|created_at|updated_at|create_time|update_time|gmt_create|submit_time|scheduled_time|start_time|end_time)$/
const ids = /(?:^|_)(?:id|ids|uid|by|key)$/

export type ValueClass = 'text' | 'drawn' | 'moment' | 'id' | 'link' | 'value'

/** What kind of value a key holds. */
export function classOf(key: string, value: unknown): ValueClass {
  if (typeof value === 'string' && /^https?:\/\//.test(value)) return 'link'
  if (moments.test(key)) return 'moment'
  if (ids.test(key)) return 'id'
  if (freeTexts.test(key)) return 'text'
  return drawnNumbers.test(key) ? 'drawn' : 'value'
}

/** The JSON type in the words of JSON Schema. */
export function typeOf(value: unknown): string {
  if (value === undefined) return 'absent'
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  return typeof value === 'number' ? (Number.isInteger(value) ? 'integer' : 'number') : typeof value
}

const forms: readonly (readonly [RegExp, string])[] = [
  [/^$/, 'empty'],
  [/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i, 'a UUID'],
  [/^cgt-\d{14}-[a-z0-9]{5}$/, 'cgt-YYYYMMDDHHMMSS-xxxxx'],
  [/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}$/, 'YYYY-MM-DD HH:MM:SS.mmm'],
  [/^\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:?\d\d)$/, 'ISO 8601'],
  [/^02\d{13}[0-9a-f]{30,40}$/, '02, milliseconds and hex digits'],
  [/^02\d{10}[0-9a-f]{15,25}$/, '02, seconds and hex digits'],
  [/^\d{15}$/, '15 digits'],
  [/^\d{18,19}$/, '18 or 19 digits'],
  [/^\d+$/, 'digits'],
  [/^[0-9a-f]{24,}$/i, 'hex digits'],
]

/** The form of an id, a moment or a link, where it is fixed. */
export function formOf(value: unknown): string {
  if (typeof value === 'number')
    return value > 1e11 ? 'milliseconds' : value > 1e8 ? 'seconds' : 'a small number'
  if (typeof value !== 'string') return typeOf(value)
  if (/^https?:\/\//.test(value)) return linkForm(value)
  return forms.find(([pattern]) => pattern.test(value))?.[1] ?? 'a text'
}

function linkForm(value: string): string {
  const ending = /\.([a-z0-9]{2,5})(?:[?#]|$)/i.exec(value)?.[1]?.toLowerCase()
  return `a link${ending === undefined ? '' : ` to ${ending === 'jpg' ? 'jpeg' : ending}`}`
}
