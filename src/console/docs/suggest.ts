import { now } from '../store/clock.ts'
import type { TaskLine } from '../store/shapes.ts'
import { stateAt, tasks } from '../store/tasks.ts'
import type { DocOperation, Parameter } from './document.ts'

/** The value with which a parameter's field starts: the newest task that fits, or the document's example; empty when there is neither. */
export function suggested(operation: DocOperation, parameter: Parameter): string {
  if (parameter.example !== undefined) return parameter.example
  if (parameter.name === 'name' && operation.path.includes('/media/')) return 'video'
  return isTaskId(operation, parameter) ? (taskFor(operation)?.id ?? '') : ''
}

/** Whether a parameter is the id of a task that must exist first. */
function isTaskId({ path }: DocOperation, { name, in: place }: Parameter): boolean {
  if (name === 'task_ids') return place === 'query' && !path.includes('/contents/')
  return name === 'task_id' || (place === 'path' && name === 'id' && path.includes('/tasks/'))
}

/** What a task must be for an operation to be tried on it. */
export function neededState({ key, path }: DocOperation): 'any' | 'open' | 'queued' | 'succeeded' {
  if (/expire-link|\/media\//.test(path) || key === 'special.delete') return 'succeeded'
  if (path.endsWith('/force')) return 'open'
  return /\.(delete|cancel)$/.test(key) ? 'queued' : 'any'
}

/** The newest task that an operation can be tried on. */
export function taskFor(operation: DocOperation): TaskLine | undefined {
  const needed = neededState(operation)
  return tasks.value.find(task => {
    if (task.deleted_at_ms !== null || !isOfFamily(operation, task)) return false
    const state = stateAt(task, now.value)?.state
    if (needed === 'open') return state === 'queued' || state === 'running'
    if (needed === 'succeeded') return state === 'succeeded' && !task.kind.endsWith('.enhance')
    return needed === 'any' || state === needed
  })
}

function isOfFamily({ api, group, key, path }: DocOperation, { family, kind }: TaskLine): boolean {
  // The suggested file name `video` exists in family A only.
  if (api === 'control') return !path.includes('/media/') || family === 'a'
  const [own] = /^k\.(avatar|voice)(?=\.)/.exec(key) ?? []
  if (own !== undefined) return kind === own
  return family === group && !/^k\.(avatar|voice|preset)$/.test(kind)
}

/** A parameter that needs an existing id, and the operation whose example makes one. */
export interface Maker {
  parameter: Parameter
  key: string
  /** What it makes, as in `This needs the id of an asset`. */
  what: string
}

const resources: Readonly<Record<string, string>> = {
  inject: 'a rule that acts once',
  assets: 'an asset',
  worlds: 'a world',
}

/** The operation that makes the thing that an operation is about; undefined when it needs none. */
export function makerFor(operation: DocOperation): Maker | undefined {
  const { api, key, path, group, parameters } = operation
  const task = parameters.find(parameter => isTaskId(operation, parameter))
  const [own] = /^k\.(avatar|voice)(?=\.)/.exec(key) ?? []
  const family = api === 'control' ? 'a' : (own ?? group)
  if (task) return { parameter: task, key: `${family}.create`, what: 'a task in a fitting state' }
  const id = parameters.find(({ name, example }) => name === 'id' && example === undefined)
  const [, resource] = /\/(inject|assets|worlds)\/\{id\}/.exec(path) ?? []
  return id && resource !== undefined
    ? { parameter: id, key: `control:POST /${resource}`, what: resources[resource] ?? resource }
    : undefined
}
