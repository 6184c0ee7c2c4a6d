import { atThisMoment, type Call, type Reply } from '../pipeline/endpoint.ts'
import type { MediaFacts } from '../worlds/media-facts.ts'
import type { Task } from '../worlds/task.ts'
import { type MediaReference, resolveMedia } from './input-media.ts'

/**
 * A create call that passed all checks so far. Reading its inputs can take long, and clock, account and world
 * may change in the meantime. Therefore a task is made in two parts: `read` may wait and stores nothing; `admit` does not wait and stores the task.
 */
export interface Order<Read = unknown> {
  /** Reads the inputs. Absent when the request has none. */
  read?(): Promise<Read>
  /** Checks what depends on the inputs and admits the task. `read` is the result of reading. */
  admit(read?: Read): Task
}

/** Checks a create call and returns its order. It may run twice for one call, so it must change nothing. */
export type Maker = (call: Call) => Order

/**
 * Makes a task. After a wait it runs the maker again, so that account, balance, clock and names are those of the moment of
 * admission. Throws what the maker throws, and `unavailable` when the call's world was dropped in the meantime.
 */
export function makeTask(call: Call, maker: Maker): Task | Promise<Task> {
  const order = maker(call)
  if (!order.read) return order.admit()
  return order.read().then(read => maker(atThisMoment(call)).admit(read))
}

/** The reply to a create call. */
export function replyToCreate(
  call: Call,
  maker: Maker,
  reply: (task: Task) => Reply,
): Reply | Promise<Reply> {
  const made = makeTask(call, maker)
  return made instanceof Promise ? made.then(reply) : reply(made)
}

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
