import { type ControlEndpoint, listed } from './control-endpoint.ts'
import { incompleteness } from './incomplete.ts'
import { storyOf } from './story.ts'
import type { StoryItem } from './story-items.ts'
import { taskNamed } from './tasks.ts'

/** The story of a task. */
export const storyEndpoints: readonly ControlEndpoint[] = [
  {
    method: 'GET',
    paths: ['/tasks/:id/story'],
    summary: 'What happened to a task, in order, and what comes next and why',
    handle({ world, params, services }) {
      const task = taskNamed(world, params.id)
      const items = storyOf(world, task, services)
      return listed(items.map(itemView), {
        task_id: task.id,
        text: items.map(lineOf).join('\n'),
        incomplete: incompleteness(world, task.createdAt),
      })
    },
  },
]

function itemView({ at, place: _, ...rest }: StoryItem) {
  return { at: new Date(at).toISOString(), at_ms: at, ...rest }
}

/** One line of the story as a log: virtual time of day, kind, text. */
function lineOf({ at, kind, text }: StoryItem): string {
  return `${new Date(at).toISOString().slice(11, 23)}  ${kind.padEnd(10)}  ${text}`
}
