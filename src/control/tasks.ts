import { families, familyOf } from '../families/index.ts'
import { viewAt } from '../tasks/lifecycle.ts'
import { statuses, type Task } from '../tasks/task.ts'
import { nowIn, type World } from '../worlds/world.ts'
import { type ControlEndpoint, done, listed } from './control-endpoint.ts'
import { badRequest, notFound } from './control-error.ts'
import { checkKnown } from './known-word.ts'
import { taskLine } from './task-line.ts'
import { taskView } from './task-view.ts'

interface TaskQuery {
  family?: string
  status?: string
  account?: string
  detail: 'full' | 'line'
  limit: number
  cursor?: string
}

/** The tasks of all accounts of a world, removed records included. */
export const taskEndpoints: readonly ControlEndpoint[] = [
  {
    method: 'GET',
    paths: ['/tasks'],
    summary: 'Tasks, newest first',
    query: {
      type: 'object',
      properties: {
        family: { type: 'string' },
        status: { type: 'string' },
        account: { type: 'string' },
        detail: {
          type: 'string',
          enum: ['full', 'line'],
          default: 'full',
          description: 'line: only what a bar on a time line needs.',
        },
        limit: { type: 'integer', minimum: 1, maximum: 1000, default: 100 },
        cursor: { type: 'string' },
      },
    },
    handle(call) {
      const query = call.query as unknown as TaskQuery
      // A filter that no task can match is a mistake.
      const ids = families.map(({ id }) => id)
      if (query.family !== undefined) checkKnown(query.family, ids, { path: 'family' })
      if (query.status !== undefined) checkKnown(query.status, statusWords(), { path: 'status' })
      const { items, next } = page(call.world, query)
      return listed(
        items.map(task => (query.detail === 'line' ? taskLine(call.world, task) : taskView(call, task))),
        next === undefined ? {} : { next_cursor: next },
      )
    },
  },
  {
    method: 'GET',
    paths: ['/tasks/:id'],
    summary: 'One task',
    handle: call => done(taskView(call, taskNamed(call.world, call.params.id))),
  },
]

/** Every word for a task's state: the emulator's and those of all families. */
function statusWords(): string[] {
  const theirs = families.flatMap(({ words, makers }) =>
    Object.keys(makers).flatMap(kind => Object.values(words({ kind }))),
  )
  return [...new Set([...statuses, ...theirs])]
}

/** A task by id, of any account. Throws 404. */
export function taskNamed(world: World, id = ''): Task {
  const task = world.state.tasks.get(id)
  if (!task) throw notFound(`The task ${id}`)
  return task
}

/** The cursor is the id of the last task of the previous page. Throws 400 when that task no longer exists, for example after a reset. */
function page(world: World, query: TaskQuery): { items: Task[]; next?: string } {
  const now = nowIn(world)
  const tasks = [...world.state.tasks.values()]
  const before = query.cursor === undefined ? undefined : cursorTask(world, query.cursor)
  const items: Task[] = []
  for (let i = before ? tasks.lastIndexOf(before) : tasks.length; i-- > 0; ) {
    const task = tasks[i]
    if (!task || !fits(task, query, now)) continue
    const last = items.at(-1)
    if (items.length === query.limit && last) return { items, next: last.id }
    items.push(task)
  }
  return { items }
}

/** Throws 400 for an unknown cursor: starting again at the first page would make a client that reads all pages loop for ever. */
function cursorTask(world: World, cursor: string): Task {
  const task = world.state.tasks.get(cursor)
  if (task) return task
  throw badRequest(`${JSON.stringify(cursor)} is not a cursor of this list`, {
    path: 'cursor',
    hint: 'take next_cursor from the previous page; after a reset or restore, begin without a cursor',
  })
}

function fits(task: Task, { family, status, account }: TaskQuery, now: number): boolean {
  if (family !== undefined && task.family !== family) return false
  if (account !== undefined && task.account !== account) return false
  if (status === undefined) return true
  const own = viewAt(task, now).status
  return own === status || familyOf(task.family).words(task)[own] === status
}
