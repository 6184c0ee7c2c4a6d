import { processCaller, type WorldClient, worldClient } from '../../kits/client.ts'
import type { Finding, RequestView, TaskView, UnseenLibrary, WallPace } from '../../kits/views.ts'

/** The world of one run, as the control API shows it. */
export interface WorldObservation {
  /** Oldest first. */
  requests: RequestView[]
  findings: Finding[]
  /** Each in its final state: a task that still runs when the program has ended is charged too. */
  tasks: TaskView[]
  /** All charges that were settled in the end, in credits. */
  settled: number
  /** The moment the program ended, virtual epoch ms. */
  endedAt: number
  /** Whether the clock moved only by advances: the program's own sleeps drove it, or a function of its test. */
  isDriven: boolean
  /** How long its clock went as fast as wall time, and for which programs. */
  wallPace?: WallPace
  /** The libraries in which its processes would wait where nobody sees them. Absent: none. */
  unseenLibraries?: readonly UnseenLibrary[]
}

export interface WorldNow extends Pick<WorldObservation, 'requests' | 'tasks' | 'isDriven'> {
  /** The time of the world, virtual epoch ms. */
  nowMs: number
}

export async function observeNow(world: WorldClient): Promise<WorldNow> {
  const [requests, tasks, { mode, now_ms }] = await Promise.all([
    requestsOf(world),
    world.tasks.list(),
    world.clock.get(),
  ])
  return { requests, tasks, isDriven: mode === 'manual', nowMs: now_ms }
}

/** Advances a world after its run until all its tasks have ended, and reads it. */
export async function observe(world: WorldClient): Promise<WorldObservation> {
  const [requests, findings, clock] = await Promise.all([
    requestsOf(world),
    world.findings(),
    world.clock.get(),
  ])
  await asExplore(world).clock.advanceUntil('idle')
  const [tasks, ledger] = await Promise.all([world.tasks.list(), world.ledger()])
  return {
    requests,
    findings,
    tasks: tasks.reverse(),
    settled: ledger.totals.settled,
    endedAt: clock.now_ms,
    isDriven: clock.mode === 'manual',
    ...(clock.wall_pace && { wallPace: clock.wall_pace }),
    ...(clock.unseen_libraries && { unseenLibraries: clock.unseen_libraries }),
  }
}

/** By world: its first requests, kept aside before its journal drops them. */
const firstRequests = new WeakMap<WorldClient, readonly RequestView[]>()

export function keepFirst(world: WorldClient, requests: readonly RequestView[]): void {
  firstRequests.set(world, requests)
}

/** The requests of a world, oldest first: all of them, or of very many the first and the last ones. */
export async function requestsOf(world: WorldClient): Promise<RequestView[]> {
  const kept = await world.requests.list({ limit: mostKept })
  const from = kept[0]?.id ?? 0
  return [...(firstRequests.get(world) ?? []).filter(({ id }) => id < from), ...kept]
}

/** Whether requests between the first and the last one, or before them, are unknown. */
export function hasGap(requests: readonly Pick<RequestView, 'id'>[]): boolean {
  return (requests[0]?.id ?? 1) > 1 || (requests.at(-1)?.id ?? 0) > requests.length
}

/** As many as a journal keeps. */
const mostKept = 10_000

/** The same world for what explore itself does there: its trace tells that apart from what the program does. */
export function asExplore({ baseUrl, id }: WorldClient): WorldClient {
  const caller = processCaller(`${baseUrl}/__emulator`, { 'x-emulator-by': 'explore' })
  return worldClient(caller, baseUrl, id)
}
