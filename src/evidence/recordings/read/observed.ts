import { familyOf } from '../../../emulator/gateway.ts'
import { isUnknownWord, type Status } from '../../../emulator/words.ts'
import { names } from '../../spec/cases.ts'
import { at, isObject } from '../../spec/json.ts'
import { isMediaDescription } from '../describe-media.ts'
import { endpointOf, factsOf, kindOf } from '../operation.ts'
import { filesOrigin } from '../redact/link.ts'
import { isOtherList, isWholeList } from './list-rows.ts'
import { type Job, rowsOf, type Step } from './steps.ts'

/** A task of a recording: the call that made it (if the recording has it), and every reply that shows it. */
export interface TaskObservation {
  id: string
  kind: string
  family: string
  makes?: Step
  /** The call that cancelled it or removed its record. */
  isRemoved?: true
  seen: StateObservation[]
  /** What other replies show about its state, in the order of the replies. */
  hints: Hint[]
}

/** The tasks of a job, with the replies that show them. */
export function observedTasks({ steps }: Job): TaskObservation[] {
  const tasks = new Map<string, TaskObservation>()
  const taskOf = (id: string, step: Step) => {
    const known = tasks.get(id)
    if (known) return known
    const { operation, family, reply } = step
    const kind = kindOf(operation, family, at(reply, 'task') ?? reply)
    const task: TaskObservation = { id, family, kind, seen: [], hints: [] }
    tasks.set(id, task)
    return task
  }
  const named = new Set(
    steps.flatMap(({ operation, tasks: ids }) => (operation.endsWith('.list') ? [] : ids)),
  )
  for (const step of steps) {
    if (step.makes !== undefined) taskOf(step.makes, step).makes = step
    const removed = /\.(?:delete|cancel)$/.test(step.operation) ? step.params.task_id : undefined
    // 409 and 501 refuse a task that exists; other refusals may mean that it does not exist.
    if (removed !== undefined && (step.status < 300 || step.status === 409 || step.status === 501)) {
      const task = taskOf(removed, step)
      if (step.status < 300) task.isRemoved = true
    }
    if (step.status >= 300 || step.makes !== undefined) continue
    for (const [id, record] of recordsIn(step)) {
      // A list also shows tasks from before the recording. They are not compared.
      if (!named.has(id)) continue
      const task = taskOf(id, step)
      const word = wordOf(record)
      const status = word === undefined ? undefined : statusOf(word, task, record)
      if (word !== undefined && status) task.seen.push({ step, at: step.at, word, status, record })
    }
  }
  for (const task of tasks.values()) {
    const own = steps.filter(
      ({ family, at }) => family === task.family && (task.makes === undefined || at > task.makes.at),
    )
    const isGone = ({ params, status }: Step) => params.task_id === task.id && status === 404
    const isLeftOut = (step: Step) => step.status < 300 && isWholeList(step) && !step.tasks.includes(task.id)
    const goneAt = own.find(step => isGone(step) || isLeftOut(step))?.at
    task.hints = own.flatMap(step => hintFor(step, { ...task, goneAt }))
  }
  return [...tasks.values()]
}

function hintFor(step: Step, task: Shown): Hint[] {
  const isAbout = step.tasks.includes(task.id) || step.operation.endsWith('.list')
  const hint = isAbout ? hintOf(step, task) : undefined
  return hint ? [hint] : []
}

/** The records of tasks in a reply, by id. */
export function recordsIn({
  reply,
  operation,
  family,
  params,
}: Step): [id: string, record: Record<string, unknown>][] {
  if (isOtherList({ operation, family }) || !endpointOf(operation)) return []
  const single = operation.endsWith('.get') && rowsOf(reply).length === 0
  const wrapped = [at(reply, 'task'), at(reply, 'output'), at(reply, 'data')].find(isObject)
  const records = single ? [wrapped ?? reply] : rowsOf(reply)
  return records.filter(isObject).flatMap(record => {
    const id = record.id ?? record.task_id ?? (single ? params.task_id : undefined)
    return typeof id === 'string' ? [[id, record] as [string, Record<string, unknown>]] : []
  })
}

/** The word for the state in a record of any family. */
function wordOf(record: Record<string, unknown>): string | undefined {
  const word = record.status ?? record.task_status
  return typeof word === 'string' ? word : undefined
}

/** The emulator's status for a family's word. For an unknown word, the other fields of the record decide. */
function statusOf(
  word: string,
  { family, kind }: Pick<TaskObservation, 'family' | 'kind'>,
  record: object,
): Status | undefined {
  if (isUnknownWord(word)) return undefined
  const words = Object.entries(familyOf(family).words({ kind }))
  const known = words.find(([, own]) => own === word)?.[0] as Status | undefined
  if (known) return known
  if ('error' in record || 'code' in record) return 'failed'
  return 'usage' in record || 'content' in record || 'video_url' in record ? 'succeeded' : 'running'
}

/** Whether a request refers to a file that is not in the recording. */
export function hasForeignInput({ body }: Step): boolean {
  return body.kind === 'json' && !inputsIn(body.value).every(isKnownInput)
}

/** All values of a body that may be files: descriptions and links. */
export function inputsIn(value: unknown, key = ''): unknown[] {
  if (isMediaDescription(value)) return [value]
  if (typeof value === 'string')
    return /^(?:https?|asset|oss|mm_file):/.test(value) || key === 'element_id' ? [value] : []
  if (Array.isArray(value)) return value.flatMap(item => inputsIn(item, key))
  return isObject(value) ? Object.entries(value).flatMap(([name, inner]) => inputsIn(inner, name)) : []
}

/** The emulator has its own samples, and can make a picture of a described size. */
export function isKnownInput(input: unknown): boolean {
  if (isMediaDescription(input)) return input.type.startsWith('image/') && input.width !== undefined
  return typeof input === 'string' && input.startsWith(`${filesOrigin}/__emulator/samples/`)
}

/** The account of the replay world that is used for the key of a request. */
export type AccountOf = (step: Step | undefined) => string

/**
 * Finds the keys of a recording that belong to one account: with one of them a task was made, and with another it was found. The
 * first key has the default account. Every other account has the name of its first key.
 */
export function accountsOf(steps: readonly Step[]): AccountOf {
  const makers = new Map(
    steps.flatMap(step => (step.makes === undefined ? [] : [[step.makes, keyOf(step)] as const])),
  )
  const names = new Map<string, string>()
  const nameOf = (key: string): string => {
    const other = names.get(key)
    return other === undefined ? key : nameOf(other)
  }
  for (const step of steps) {
    const key = keyOf(step)
    for (const id of foundBy(step)) {
      const maker = nameOf(makers.get(id) ?? key)
      if (maker !== nameOf(key)) names.set(nameOf(key), maker)
    }
  }
  const first = nameOf('key-1')
  return step => {
    const name = nameOf(step ? keyOf(step) : 'key-1')
    return name === first ? 'default' : name
  }
}

/** A request without a key counts as made with the first key. */
function keyOf({ entry }: Step): string {
  return entry._gateway?.key ?? 'key-1'
}

/** The tasks that a request found. They belong to the account of its key. */
function foundBy(step: Step): string[] {
  if (step.status >= 300 || step.makes !== undefined) return []
  const isRemoved = /\.(?:delete|cancel)$/.test(step.operation) && step.params.task_id !== undefined
  if (isRemoved) return [step.params.task_id ?? '']
  return recordsIn(step).flatMap(([id, record]) => (isUnknownWord(record.task_status) ? [] : [id]))
}

export interface StateObservation {
  step: Step
  /** Virtual milliseconds after the recording's first entry. */
  at: number
  /** The family's word. */
  word: string
  status: Status
  record: Record<string, unknown>
}

export const phases = ['queued', 'running', 'over'] as const
export type Phase = (typeof phases)[number]

/** What a reply shows about a task's state without its record: the phases in which the gateway gives such a reply. */
interface Hint {
  step: Step
  at: number
  /** In the order of a task's life. */
  phases: readonly Phase[]
}

/** When a task was running this short a time before an accepted DELETE, it probably had not ended. Gateway milliseconds. */
const hardlyEnded = 1000

/** What the whole job shows of a task. */
interface Shown {
  id: string
  seen: readonly StateObservation[]
  /** When a request did not find it, or a list left it out; absent when every request found it. */
  goneAt: number | undefined
}

/** The phases that a step allows for a task; undefined when it shows nothing about it. */
function hintOf(step: Step, task: Shown): Hint | undefined {
  const found = phasesAt(step, task)
  return found && { step, at: step.at, phases: found }
}

function phasesAt(step: Step, task: Shown): readonly Phase[] | undefined {
  const { id, seen } = task
  if (step.operation.endsWith('.cancel')) return step.status < 300 ? ['queued'] : ['running', 'over']
  if (step.operation.endsWith('.delete')) return phasesAtDelete(step, task)
  if (step.operation.endsWith('.regenerate')) return phasesOfSource(step, id, seen)
  return step.operation.endsWith('.list') ? phasesOfUnlisted(step, id, seen) : undefined
}

function phasesAtDelete(step: Step, { seen, goneAt = 0 }: Shown): readonly Phase[] | undefined {
  const { status, family, reply } = step
  if (status >= 300) {
    const said = JSON.stringify(reply) ?? ''
    const refused = factsOf(family).refusesDelete
    if (status !== refused?.status || /invalid task_id|Cancelled/.test(said)) return undefined
    const [only, other] = refused.live
    return other !== undefined || only === undefined || names('running', reply)
      ? refused.live
      : [only, 'over']
  }
  const action = at(reply, 'action')
  if (action === 'deleted' || goneAt > step.at) return ['over']
  const isCancelled = seen.some(one => one.at > step.at && one.status === 'cancelled')
  if (action === 'cancelled' || isCancelled) return ['queued']
  const ran = seen.findLast(one => one.at < step.at && one.status === 'running')
  return ran && step.at - ran.at < hardlyEnded ? ['queued'] : ['queued', 'over']
}

/** Only a succeeded task can be regenerated. */
function phasesOfSource({ status, body, at: moment }: Step, id: string, seen: readonly StateObservation[]) {
  if (body.kind !== 'json' || at(body.value, 'source_task_id') !== id) return undefined
  if (status < 300) return ['over'] as const
  const succeedsLater = seen.some(one => one.at > moment && one.status === 'succeeded')
  return status === 400 && succeedsLater ? (['queued', 'running'] as const) : undefined
}

/** A complete list of one state shows every task in it: a task that is not in the list was in another state. */
function phasesOfUnlisted({ reply, status, query }: Step, id: string, seen: readonly StateObservation[]) {
  const wanted = query.get('filter.status')
  const rows = rowsOf(reply)
  const isWhole =
    at(reply, 'total') === rows.length && [...query.keys()].every(key => /status|page/.test(key))
  if (status >= 300 || wanted === null || !isWhole) return undefined
  if (rows.some(row => at(row, 'id') === id || at(row, 'task_id') === id)) return undefined
  if (wanted === 'queued') return ['running', 'over'] as const
  if (wanted === 'running') return ['queued', 'over'] as const
  return seen.some(one => one.word === wanted) ? (['queued', 'running'] as const) : undefined
}
