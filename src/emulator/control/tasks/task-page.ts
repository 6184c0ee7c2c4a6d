import type { TaskLine } from '../../../kits/views.ts'
import { families, familyOf } from '../../families/index.ts'
import { namesOfModel } from '../../families/models.ts'
import { linksEnd } from '../../families/result-link.ts'
import type { Options } from '../../options/table.ts'
import { changesOf, nextChange, viewAt } from '../../tasks/lifecycle.ts'
import { statuses, type Task } from '../../worlds/task.ts'
import { nowIn, type World } from '../../worlds/world.ts'
import { checkKnown, unknownCursor } from '../control-error.ts'
import { promptOf } from './prompt.ts'
import { taskHead } from './task-view.ts'

/** Which tasks a list shows. */
export interface TaskFilter {
  family?: string
  status?: string
  account?: string
  search?: string
  limit: number
  cursor?: string
}

/** A filter that no task can match is a mistake. Throws 400. */
function checkFilter({ family, status }: TaskFilter): void {
  const ids = families.map(({ id }) => id)
  if (family !== undefined) checkKnown(family, ids, { path: 'family' })
  if (status !== undefined) checkKnown(status, statusWords(), { path: 'status' })
}

/** Every word for a task's state: the emulator's and those of all families. */
function statusWords(): string[] {
  const theirs = families.flatMap(({ words, makers }) =>
    Object.keys(makers).flatMap(kind => Object.values(words({ kind }))),
  )
  return [...new Set([...statuses, ...theirs])]
}

/** One page of tasks, newest first. The cursor is the id of the last task of the previous page. Throws 400 for an unknown filter word, and when that task no longer exists, for example after a reset. */
export function taskPage(world: World, query: TaskFilter): { items: Task[]; next?: string } {
  checkFilter(query)
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

/** Throws 400 for an unknown cursor. */
function cursorTask(world: World, cursor: string): Task {
  const task = world.state.tasks.get(cursor)
  if (!task) throw unknownCursor(cursor)
  return task
}

function fits(task: Task, { family, status, account, search }: TaskFilter, now: number): boolean {
  if (family !== undefined && task.family !== family) return false
  if (account !== undefined && task.account !== account) return false
  if (search !== undefined && !isFound(task, search)) return false
  if (status === undefined) return true
  const own = viewAt(task, now).status
  return own === status || familyOf(task.family).words(task)[own] === status
}

function isFound(task: Task, search: string): boolean {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  const about =
    `${task.id} ${namesOfModel(task.model).join(' ')} ${task.kind} ${task.label ?? ''}`.toLowerCase()
  const rest = words.filter(word => !about.includes(word))
  if (rest.length === 0) return true
  const prompt = promptOf(JSON.parse(task.request)).toLowerCase()
  return rest.every(word => prompt.includes(word))
}

/**
 * A task as a short row of a time line: its kind, and all its states with their moments (epoch ms), in the family's words and in
 * the emulator's. It is a tenth of the size of the whole view, so that a page can show ten thousand tasks.
 */
export function taskLine(world: World, task: Task, options: Pick<Options, 'links'>): TaskLine {
  const now = nowIn(world)
  const words = familyOf(task.family).words(task)
  const view = viewAt(task, now)
  const next = nextChange(task, now)
  const linksEndAt = linksEnd(familyOf(task.family), task, options)
  return {
    ...taskHead(task, view),
    prompt: promptStart(JSON.parse(task.request)),
    states: [
      { at_ms: task.createdAt, state: 'queued', word: words.queued ?? 'queued' },
      ...changesOf(task).flatMap(({ at, to }) =>
        to === 'deleted' ? [] : [{ at_ms: at, state: to, word: words[to] ?? to }],
      ),
    ],
    next_change_ms: next ?? null,
    deleted_at_ms: view.deletedAt ?? null,
    ...(linksEndAt !== undefined && { links_end_ms: linksEndAt }),
    ...(view.error && { error: view.error }),
    ...(task.label && { label: task.label }),
    ...(task.rule && { rule: task.rule }),
  }
}

/** The first 160 characters of a request's prompt. */
export function promptStart(request: unknown): string {
  return promptOf(request).slice(0, 160)
}
