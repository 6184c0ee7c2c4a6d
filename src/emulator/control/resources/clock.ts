import type { ClockChange, ClockEvent, ClockView } from '../../../kits/views.ts'
import { placeToJoin } from '../../conductor/run-time.ts'
import { familyOf } from '../../families/index.ts'
import { linksEnd } from '../../families/result-link.ts'
import type { Options } from '../../options/table.ts'
import type { Services } from '../../pipeline/endpoint.ts'
import { advanceTo, announceNow, lastChangeIn, nextChangeIn, type TaskEvent } from '../../tasks/advance.ts'
import { transitions, viewAt } from '../../tasks/lifecycle.ts'
import {
  clockModes,
  iso,
  latestMs,
  parseDuration,
  parseRate,
  reclocked,
  steadyNow,
} from '../../worlds/clock.ts'
import { underWayIn } from '../../worlds/under-way.ts'
import { headChanged, nowIn, type World } from '../../worlds/world.ts'
import { closed, done, endpoints } from '../control-endpoint.ts'
import { badRequest, conflict, momentIn, noSuchTask } from '../control-error.ts'

/** The schemas of a `ClockChange`. */
export const clockProperties = {
  mode: { enum: clockModes },
  rate: { type: ['number', 'string'] },
  now: { type: ['string', 'number'] },
} as const

interface AdvanceBody {
  by?: string | number
  to?: string | number
  until?: 'next' | 'idle' | { task: string; status: string }
}

/** Virtual time. */
export const clockEndpoints = endpoints({
  'GET /clock': {
    summary: 'Virtual time and how it moves',
    handle: ({ world }) => done(clockView(world)),
  },
  'POST /clock/join': {
    opens: true,
    summary: 'Where a process that follows this clock connects to, with `CONNECT`',
    handle({ world, services, request }) {
      const place = placeToJoin(world, { services, request })
      if (place !== undefined) return done({ connect: place })
      throw conflict(
        'The server of this emulator does not show itself, so that no process can join the clock',
      )
    },
  },
  'PATCH /clock': {
    opens: true,
    example: { body: { mode: 'manual' } },
    summary: 'Change mode, rate or time; time goes forward only',
    body: closed(clockProperties),
    handle({ world, body }) {
      change(world, body as ClockChange)
      return done(clockView(world))
    },
  },
  'POST /clock/advance': {
    opens: true,
    example: { body: { by: '30s' } },
    summary: 'Move time forward; the reply lists what changed on the way',
    body: closed({
      by: { type: ['string', 'number'] },
      to: { type: ['string', 'number'] },
      until: {
        anyOf: [
          { type: 'string', enum: ['next', 'idle'] },
          closed({ task: { type: 'string' }, status: { type: 'string' } }, ['task', 'status']),
        ],
      },
    }),
    handle({ world, body, services }) {
      const advance = body as AdvanceBody
      checkOneAim(advance)
      const before = nowIn(world)
      const events = advanceTo(world, targetOf(world, advance, services))
      const ended = linksEnded(world, { from: before, to: nowIn(world) }, services.options)
      const all = [...events, ...ended].sort((a, b) => a.at - b.at)
      return done({ ...moment(nowIn(world)), events: all.map(eventView) })
    },
  },
})

function change(world: World, { mode, rate: givenRate, now: givenNow }: ClockChange): void {
  const rate = givenRate === undefined ? undefined : parseRate(givenRate)
  if (givenRate !== undefined && rate === undefined)
    throw badRequest(`${JSON.stringify(givenRate)} is not a rate such as 60 or "60x"`, { path: 'rate' })
  const now = givenNow === undefined ? undefined : comingMoment(world, givenNow, 'now')
  const { head } = world.state
  head.clock = reclocked(head.clock, steadyNow(), {
    ...(mode && { mode }),
    ...(rate !== undefined && { rate }),
  })
  headChanged(world)
  // Afterwards, so that no change can fall between the announcement and the moment from which the new mode or rate holds.
  announceNow(world)
  if (now !== undefined) advanceTo(world, now)
  else world.journal.events.announce({ kind: 'clock', at: nowIn(world) })
}

function checkOneAim({ by, to, until }: AdvanceBody): void {
  const given = [by, to, until].filter(aim => aim !== undefined).length
  if (given === 0) throw badRequest('by or to or until is required')
  if (given > 1) throw badRequest('must have only 1 of by, to, until')
}

function targetOf(world: World, { by, to, until }: AdvanceBody, services: Services): number {
  const now = nowIn(world)
  if (by !== undefined) {
    const ms = parseDuration(by)
    if (ms === undefined)
      throw badRequest(`${JSON.stringify(by)} is not a duration such as 250ms, 90s, 5m, 2h, 7d or 1h30m`, {
        path: 'by',
      })
    if (now + ms > latestMs)
      throw badRequest(
        `${JSON.stringify(by)} would take the clock beyond the end of virtual time, ${iso(latestMs)}; now it is ${iso(now)}`,
        { path: 'by' },
      )
    return now + ms
  }
  if (to !== undefined) return comingMoment(world, to, 'to')
  if (until === 'next') return nextChangeIn(world) ?? now
  if (until === 'idle') return lastChangeIn(world) ?? now
  return until ? momentOf(world, until, services) : now
}

/** A given moment, epoch ms. Throws a conflict when it is before the present. */
function comingMoment(world: World, given: string | number, path: string): number {
  const at = momentIn(given, path)
  const now = nowIn(world)
  if (at >= now) return at
  throw conflict(`The clock goes forward only: ${iso(at)} is before ${iso(now)}`)
}

/** When a task will take a status, given in its family's own word. Throws a conflict when it never will. */
function momentOf(
  world: World,
  { task: id, status }: { task: string; status: string },
  services: Services,
): number {
  const task = world.state.tasks.get(id)
  if (!task) throw noSuchTask(id, services)
  const now = nowIn(world)
  const words = familyOf(task.family).words(task)
  const view = viewAt(task, now)
  if (words[view.status] === status) return now
  const coming = transitions(task).filter(change => change.at > now)
  const hit = coming.find(change => words[change.to] === status)
  if (hit) return hit.at
  const rest = coming.map(change => words[change.to]).join(', ') || 'none'
  throw conflict(
    `The task ${id} is ${words[view.status]} and will never be ${status}; states it will still take: ${rest}`,
  )
}

/** The tasks whose links ended after `from` up to and including `to`, virtual ms. */
function linksEnded(
  world: World,
  { from, to }: { from: number; to: number },
  options: Pick<Options, 'links'>,
): Passed[] {
  return [...world.state.tasks.values()].flatMap(task => {
    const at = linksEnd(familyOf(task.family), task, options)
    const isPassed = at !== undefined && at > from && at <= to
    return isPassed ? [{ at, task, from: 'succeeded', to: 'links_expired' }] : []
  })
}

/** A change of a task that the clock has passed, or the end of its links. */
type Passed = Omit<TaskEvent, 'to'> & { to: TaskEvent['to'] | 'links_expired' }

function eventView({ at, task, from, to }: Passed): ClockEvent {
  const words: Readonly<Record<string, string>> = familyOf(task.family).words(task)
  return {
    at: iso(at),
    task_id: task.id,
    family: task.family,
    from: words[from] ?? from,
    to: words[to] ?? to,
  }
}

/** A world's clock in a reply of the control API. */
export function clockView(world: World): ClockView {
  const { mode, rate } = world.state.head.clock
  const { wallPace, unseenLibraries } = underWayIn(world)
  const { ms, programs = [] } = wallPace ?? { ms: 0 }
  const wall = ms > 0 && { wall_pace: { ms, programs: [...programs].sort() } }
  const unseen = unseenLibraries && { unseen_libraries: [...unseenLibraries.values()] }
  return { mode, rate, ...moment(nowIn(world)), ...wall, ...unseen }
}

/** A moment in both forms: ISO 8601 and epoch milliseconds. */
function moment(ms: number) {
  return { now: iso(ms), now_ms: ms }
}
