import { familyOf } from '../../families/index.ts'
import type { Outlet } from '../../pipeline/exchange.ts'
import { announceNow } from '../../tasks/advance.ts'
import { iso } from '../../worlds/clock.ts'
import type { JournalEvent, Numbered } from '../../worlds/journal.ts'
import type { Status } from '../../worlds/task.ts'
import { watchTime } from '../../worlds/wait.ts'
import type { World } from '../../worlds/world.ts'
import { type ControlCall, endpoints } from '../control-endpoint.ts'
import { entryView } from '../journal/entry-view.ts'
import { clockView } from './clock.ts'

/** A listener with more unread bytes than this is disconnected. */
const mostWaiting = 8 * 1024 * 1024
/** A client that missed more characters than this gets the event `missed` in place of them. */
const mostReplayed = 2 * 1024 * 1024

/** Live events. */
export const eventEndpoints = endpoints({
  'GET /events': {
    summary: 'Journal entries, transitions and clock changes as server-sent events',
    handle: call => ({
      kind: 'stream',
      status: 200,
      headers: {
        'Content-Type': 'text/event-stream; charset=utf-8',
        'Cache-Control': 'no-store',
        'X-Accel-Buffering': 'no',
      },
      run: outlet => stream(call, outlet),
    }),
  },
})

/**
 * Runs until the client disconnects or the world is dropped. A client that was away says which event it received last: it gets the
 * events after it, or `missed` when some of them are lost.
 */
function stream({ world, request }: ControlCall, outlet: Outlet): void {
  const { events } = world.journal
  const write = (text: string) => {
    outlet.write(text)
    if (outlet.waitingBytes > mostWaiting) outlet.cut()
  }
  const hear = (numbered: Numbered) => {
    write(textOf(world, numbered))
    if (numbered.event.kind !== 'dropped') return
    // A slow client stays connected for a while, and must not be sent more.
    leave()
    outlet.end()
  }
  // Changes until now belong to the events before this stream.
  announceNow(world)
  const missed = missedBy(world, request.headers['last-event-id'])
  const unlisten = events.listen(hear)
  const stop = watchTime({
    looked: () => announceNow(world),
    heartbeat: () => outlet.write(': still here\n\n'),
  })
  const leave = () => {
    unlisten()
    stop()
  }
  outlet.onClose(leave)
  outlet.write(': live\n\n')
  write(missed)
  write(eventText(events.last, 'clock', clockView(world)))
}

/** The events that a client missed, as text; empty without a number. An event `missed` says that they are lost, or too many. */
function missedBy(world: World, given: string | string[] | undefined): string {
  if (given === undefined || given === '') return ''
  const { events } = world.journal
  const found = /^\d+$/.test(String(given)) && events.since(Number(given), world.journal.entries())
  const text = found ? found.map(numbered => textOf(world, numbered)).join('') : undefined
  if (text !== undefined && text.length <= mostReplayed) return text
  const message = 'Events after this one are no longer known: read again what you show'
  return eventText(events.last, 'missed', { last_event_id: String(given), message })
}

function textOf(world: World, { number, event }: Numbered): string {
  return eventText(number, event.kind, viewOf(world, event))
}

function eventText(number: number, kind: string, data: object): string {
  return `id: ${number}\nevent: ${kind}\ndata: ${JSON.stringify({ kind, ...data })}\n\n`
}

function viewOf(world: World, event: JournalEvent): object {
  switch (event.kind) {
    case 'request':
      return entryView(world, event.entry)
    case 'clock':
    case 'reset':
    case 'restored':
      return { ...clockView(world), now: iso(event.at), now_ms: event.at }
    case 'dropped':
      return { at: iso(event.at), world: world.id }
    case 'made':
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
