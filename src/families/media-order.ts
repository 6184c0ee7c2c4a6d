import type { Call } from '../pipeline/endpoint.ts'
import type { MediaFacts } from '../worlds/media-facts.ts'
import type { Task } from '../worlds/task.ts'
import { type MediaReference, resolveMedia } from './input-media.ts'
import type { Order } from './order.ts'

/** An order that reads the files of a request, if it has any, and passes their facts to `admit`. */
export function mediaOrder(
  call: Call,
  references: readonly MediaReference[],
  admit: (media: readonly MediaFacts[]) => Task,
): Order<readonly MediaFacts[]> {
  if (references.length === 0) return { admit: () => admit([]) }
  return {
    read: () => resolveMedia(call, references),
    admit: (media = []) => admit(media),
  }
}
