import type { TaskLine } from '../../../kits/views.ts'
import { familyOf } from '../../families/index.ts'
import { linksEnd } from '../../families/result-link.ts'
import type { Options } from '../../options/table.ts'
import { changesOf, nextChange, viewAt } from '../../tasks/lifecycle.ts'
import type { Task } from '../../worlds/task.ts'
import { nowIn, type World } from '../../worlds/world.ts'
import { promptOf } from './prompt.ts'
import { taskHead } from './task-view.ts'

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
