import { atThisMoment } from '../http/call.ts'
import type { Call, Reply } from '../http/endpoint.ts'
import type { Task } from '../tasks/task.ts'

/**
 * A create that nothing is wrong with so far. Reading its inputs may take any time, in which clock, account and world change. So
 * a task is made in two parts: `read` may wait and stores nothing; `admit` waits for nothing and stores the task.
 */
export interface Order<Read = unknown> {
  /** Reads the inputs; absent when there is nothing to wait for. */
  read?(): Promise<Read>
  /** Checks what depends on the inputs and admits the task. `read` is what was read. */
  admit(read?: Read): Task
}

/** Checks a create call and gives its order. It may be asked twice for one call, so it changes nothing. */
export type Maker = (call: Call) => Order

/**
 * Makes a task. After a wait the maker is asked again at the moment of admission, so that account, balance, clock and names are those
 * of this moment. Throws what the maker throws, and `unavailable` when the call's world has gone meanwhile.
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
