import { familyOf } from '../../families/index.ts'
import { addFact, force } from '../../tasks/commands.ts'
import { viewAt } from '../../tasks/lifecycle.ts'
import type { Status, Task, TaskError } from '../../worlds/task.ts'
import { nowIn, type World } from '../../worlds/world.ts'
import { badRequest, conflict } from '../control-error.ts'

/** A checked body of `POST /tasks/{id}/force`: the state in the family's word or the emulator's. */
export interface ForceBody {
  status: string
  error?: Partial<TaskError>
}

/** Sets the state of a task now. Throws 400 for a word that the family does not have, 409 when the task cannot take that state from its present one. */
export function forced(world: World, task: Task, { status: word, error }: ForceBody): Task {
  const family = familyOf(task.family)
  const words = family.words(task)
  const status = statusOf(words, word)
  if (error && status !== 'failed') throw badRequest('error goes only with a failure', { path: 'error' })
  const view = viewAt(task, nowIn(world))
  if (view.deletedAt !== undefined) throw conflict(`The record of the task ${task.id} was removed`)
  if (!reachableFrom(task, view.status).includes(status))
    throw conflict(`The task ${task.id} is ${words[view.status]} and cannot become ${word}`)
  return force(world, task, {
    status,
    ...(status === 'failed' && { error: family.failure(error ?? {}) }),
  })
}

/** Accepts the family's word first, and the emulator's word too. */
function statusOf(words: Readonly<Partial<Record<Status, string>>>, word: string): Status {
  const entries = Object.entries(words) as [Status, string][]
  const found = entries.find(([, own]) => own === word) ?? entries.find(([status]) => status === word)
  if (found) return found[0]
  throw badRequest(`${JSON.stringify(word)} is not a state of this task`, {
    path: 'status',
    hint: `known are ${entries.map(([, own]) => own).join(', ')}`,
  })
}

/** Ends the links of a succeeded task now. Throws 409 for a task without a link. */
export function withExpiredLink(world: World, task: Task): Task {
  const now = nowIn(world)
  const { status } = viewAt(task, now)
  const family = familyOf(task.family)
  if (status !== 'succeeded')
    throw conflict(`The task ${task.id} is ${family.words(task)[status]} and has no link`)
  if (Object.keys(family.outputs(task)).length === 0)
    throw conflict(`The task ${task.id} gives a text, and no link`)
  return addFact(world, task, { kind: 'link_expired', at: now })
}

/** The states to which a task in a state can be forced: what the machine of its family allows. */
export function reachableFrom(task: Task, status: Status): Status[] {
  if (status !== 'queued' && status !== 'running') return []
  const { words, fromQueueOnly = [] } = familyOf(task.family)
  const known = Object.keys(words(task)) as Status[]
  return known.filter(
    next => next !== 'queued' && next !== status && !(status === 'running' && fromQueueOnly.includes(next)),
  )
}
