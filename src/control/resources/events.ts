import { familyOf } from '../../families/index.ts'
import type { Outlet } from '../../http/reply.ts'
import { announceNow } from '../../tasks/advance.ts'
import type { Status } from '../../tasks/task.ts'
import type { JournalEvent } from '../../worlds/journal.ts'
import { watchTime } from '../../worlds/watch-time.ts'
import type { World } from '../../worlds/world.ts'
import type { ControlEndpoint } from '../control-endpoint.ts'
import { entryView } from '../journal/entry-view.ts'
import { clockView } from './clock.ts'

/** A listener with more unread bytes than this is disconnected. */
const mostWaiting = 8 * 1024 * 1024

/** Live events. */
export const eventEndpoints: readonly ControlEndpoint[] = [
  {
    method: 'GET',
    paths: ['/events'],
    summary: 'Journal entries, transitions and clock changes as server-sent events',
    handle: ({ world }) => ({
      kind: 'stream',
      status: 200,
      headers: {
        'Content-Type': 'text/event-stream; charset=utf-8',
        'Cache-Control': 'no-store',
        'X-Accel-Buffering': 'no',
      },
      run: outlet => stream(world, outlet),
    }),
  },
]

/** Runs until the client disconnects or the world is dropped. */
function stream(world: World, outlet: Outlet): void {
  let number = 0
  const send = (kind: string, data: object) => {
    outlet.write(`id: ${++number}\nevent: ${kind}\ndata: ${JSON.stringify({ kind, ...data })}\n\n`)
    if (outlet.waitingBytes > mostWaiting) outlet.cut()
  }
  const hear = (event: JournalEvent) => {
    send(event.kind, viewOf(world, event))
    if (event.kind !== 'dropped') return
    // A slow client stays connected for a while, and must not be sent more.
    leave()
    outlet.end()
  }
  const stop = watchTime({
    looked: () => announceNow(world),
    heartbeat: () => outlet.write(': still here\n\n'),
  })
  const leave = () => {
    world.journal.listeners.delete(hear)
    stop()
  }
  // Earlier changes are sent only to the present listeners: the new one starts now.
  announceNow(world)
  world.journal.listeners.add(hear)
  outlet.onClose(leave)
  outlet.write(': live\n\n')
  send('clock', clockView(world))
}

function viewOf(world: World, event: JournalEvent): object {
  switch (event.kind) {
    case 'request':
      return entryView(world, event.entry)
    case 'clock':
    case 'reset':
    case 'restored':
      return clockView(world)
    case 'dropped':
      return { at: iso(event.at), world: world.id }
    case 'download':
      return { at: iso(event.at), task_id: event.taskId }
    case 'transition': {
      const { taskId, family, from, to } = event
      const word = wordsIn(world, taskId, family)
      return { at: iso(event.at), at_ms: event.at, task_id: taskId, family, from: word(from), to: word(to) }
    }
  }
}

function wordsIn(world: World, taskId: string, family: string): (status: string) => string {
  const task = world.state.tasks.get(taskId)
  const words = familyOf(family).words(task ?? { kind: family })
  return status => words[status as Status] ?? status
}

function iso(ms: number): string {
  return new Date(ms).toISOString()
}
