import { at, valuesAt } from './json.ts'

export const specFamilies = ['a', 'b', 'c', 'special', 'k', 'image'] as const
export type SpecFamily = (typeof specFamilies)[number]

/** The family whose rows hold for a family: those of C hold for the special variant too. */
export function homeOf(family: string): string {
  return family === 'special' ? 'c' : family
}

/** A request and its reply, whoever saw them: a test, `selfcheck`, or a recording. */
export interface Observation {
  /** Such as `a.create`; `media.download` for the file behind a link. */
  operation: string
  family: SpecFamily
  /** The JSON body of the request; for a request without a body its query parameters. */
  body?: unknown
  status: number
  /** The reply as JSON; undefined when it is none. */
  reply?: unknown
  /** The file of a download. */
  file?: ObservedFile
  /** For a download: how long ago the task of its link ended, hours. */
  ageHours?: number
  /** Which case of a row this is, where a row has several: a wrong key, or one that worked before. */
  kind?: string
  /** True for a download with an Authorization header. */
  isKeyed?: boolean
  /** The body of the request that made the task. */
  made?: unknown
  /** The state that the last reply showed of the same task, in the family's word. */
  before?: string
  /** Records of the same account that earlier replies showed. */
  others?: readonly unknown[]
  /** Rows whose case this is, where only the sender of the request knows it: a missing task, a key with blanks. */
  about?: readonly string[]
}

/** What an observation shows of a file. Sizes are pixels. */
export interface ObservedFile {
  /** The media type, such as `video/mp4`. */
  type: string
  width?: number
  height?: number
  /** For the last frame of a video: the size of that video, `1280x720`. */
  videoSize?: string
}

/** Where replies have records of tasks: by the name that rows use, the operations and the place in their replies. */
const records: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'a.record': { 'a.get': '', 'a.list': 'items[]' },
  'c.record': { 'c.get': 'task', 'c.list': 'items[]' },
  'special.record': { 'special.get': 'task', 'special.list': 'items[]' },
  'b.row': { 'b.list': 'data[]' },
  'image.item': { 'image.generate': 'data[]' },
  'k.record': { 'k.tasks.get': 'data[]' },
  'k.slow-record': { 'k.avatar.get': 'data', 'k.voice.get': 'data' },
}

/** Operations whose replies have what a row is about: `a.record`, `c.error`, or the name of one operation. */
export function operationsOf(view: string): readonly string[] {
  const family = view.split('.')[0]
  return view.endsWith('.error')
    ? [`${family}.create`, `${family}.get`]
    : Object.keys(records[view] ?? { [view]: '' })
}

/** Where the reply of an operation has the records of a view: `items[]`; empty when the reply is the record. */
export function rootOf(view: string, operation: string): string {
  return records[view]?.[operation] ?? ''
}

/** The records that a reply has for a view, each with its path. An error view has the body of every refusal of its family. */
export function recordsFor(view: string, observed: Observation): [path: string, record: unknown][] {
  const { operation, family, status, reply } = observed
  if (view.endsWith('.error')) return status >= 400 && view === `${family}.error` ? [['', reply]] : []
  const place = records[view] ? records[view]?.[operation] : operation === view ? '' : undefined
  if (place === undefined || status >= 300) return []
  return valuesAt(reply, place).filter(([path, record]) => !path.includes('[]') || record !== undefined)
}

/** The words of the specification for the states of a task: "States and transitions". */
const words = {
  open: ['queued', 'running', 'PENDING', 'RUNNING', 'submitted', 'processing'],
  success: ['succeeded', 'SUCCEEDED', 'succeed'],
  failure: ['failed', 'FAILED'],
}

/** Whether a word in any family's record means that its task has not ended, has succeeded, or has failed. */
export function isWordFor(meaning: keyof typeof words, word: string | undefined): boolean {
  return word !== undefined && words[meaning].includes(word)
}

/** The state in a record of any family, in its own word. */
export function stateOf(record: unknown): string | undefined {
  const inside = at(record, 'output') ?? at(record, 'data')
  const word = at(record, 'status') ?? at(record, 'task_status') ?? at(inside, 'task_status')
  return typeof word === 'string' ? word : undefined
}

/** The state of the one task that a reply shows. */
export function stateIn({ operation, reply, status }: Pick<Observation, 'operation' | 'reply' | 'status'>) {
  const isQuery = operation.endsWith('.get') && status < 300
  if (!isQuery) return undefined
  return stateOf(at(reply, 'task') ?? at(reply, 'data', 0) ?? at(reply, 'data') ?? reply)
}

/** Whether a DELETE removed a record. That of a queued task cancels it, and its record stays. */
function removes({ operation, status, before, reply }: Observation): boolean {
  const isCancelled = before === 'queued' || at(reply, 'action') === 'cancelled'
  return operation.endsWith('.delete') && status < 300 && !isCancelled
}

/** The parameter that a refusal names, in its field or in its message. */
export function namedBy(reply: unknown): string | undefined {
  const param = at(reply, 'error', 'param')
  if (typeof param === 'string' && param !== '') return param
  const message = String(at(reply, 'error', 'message') ?? at(reply, 'message') ?? '')
  return (
    /`([\w.[\]-]+)`/.exec(message)?.[1] ??
    /(?:invalid params, |Field required: |request parameters: )(?!the\b|one of\b)([\w.[\]-]+)/.exec(
      message,
    )?.[1] ??
    // However it is worded: `…: size: …`.
    /[:,] ([a-z][\w.[\]-]*): /.exec(message)?.[1]
  )
}

/** The parameters of a query; those that are given several times are joined with commas. */
export function parametersOf(query: URLSearchParams): Record<string, string> {
  return Object.fromEntries([...new Set(query.keys())].map(name => [name, query.getAll(name).join(',')]))
}

/** Completes an observation of one account with what its earlier observations showed: the request that made the task, its last state, and other records. */
export type Trail = (observed: Observation, task: string | undefined) => Observation

export function newTrail(): Trail {
  const made = new Map<string, unknown>()
  const states = new Map<string, string>()
  const records = new Map<string, unknown>()
  return (observed, task) => {
    if (task === undefined) return observed
    if (observed.status < 300 && /\.(?:create|enhance|regenerate)$/.test(observed.operation))
      made.set(task, observed.body)
    const before = states.get(task)
    const seen: Observation = {
      ...observed,
      made: made.get(task),
      others: [...records.values()],
      ...(before !== undefined && { before }),
    }
    const now = stateIn(observed)
    if (now !== undefined) states.set(task, now)
    if (removes(seen)) states.delete(task)
    for (const [, record] of recordsFor(`${observed.family}.record`, observed))
      records.set(String(at(record, 'id')), record)
    return seen
  }
}
