import { askEmulator } from '../../emulator/gateway.ts'
import type { ScenarioDocument } from '../../emulator/words.ts'
import type { WorldClient } from '../../kits/client.ts'
import type { TaskView, Trace } from '../../kits/views.ts'
import {
  asExplore,
  keepFirst,
  observe,
  observeNow,
  requestsOf,
  type WorldNow,
  type WorldObservation,
} from '../plan/observe.ts'
import type { Exploration, Settings } from '../play/settings.ts'
import type { Run, RunOptions } from './run.ts'

/** The parameters of a run: its name for the program, its limit of wall time, and the scenarios of its world. */
export interface Order {
  name: string
  limitMs: number
  scenarios?: readonly (ScenarioDocument | string)[]
  /** Of a system: whether the run is over as soon as a service has ended with an error. */
  isOverByService?: boolean
  before?(world: WorldClient): Promise<unknown>
  /** Whether the run, past its limit, is on its way to a moment that will show whether it ever ends. */
  goesOn?(now: WorldNow): boolean
  /** Is called with the world and the state folder still open. */
  afterwards?(done: Pick<Done, 'run' | 'observed' | 'wasRendering'>, place: OpenCase): Promise<void>
}

export interface Done {
  run: Run
  observed: WorldObservation
  stories: string[]
  trace: Trace
  /** Whether the emulator was rendering any file, of any world, when the program had ended. */
  wasRendering: boolean
}

/** A world and a state folder of one case. */
export interface OpenCase {
  world: WorldClient
  /** Absent for a function. */
  state?: string
}

export async function runOnce(exploration: Exploration, order: Order): Promise<Done> {
  const { subject, settings } = exploration
  return inPlace(exploration, order, async ({ world, state }) => {
    const { isOverByService = false, before, afterwards } = order
    await before?.(asExplore(world))
    const run = await subject.run(world, {
      ...optionsOf(world, order, settings),
      isOverByService,
      ...(state !== undefined && { state }),
    })
    const done = { run, ...(await seenIn(world, exploration)) }
    await afterwards?.(done, { world, ...(state !== undefined && { state }) })
    return done
  })
}

/** What a run is told of its order and of the settings. */
export function optionsOf(
  world: WorldClient,
  { name, limitMs, goesOn }: Pick<Order, 'name' | 'limitMs' | 'goesOn'>,
  { signal, time }: Pick<Settings, 'signal' | 'time'>,
): RunOptions {
  return {
    ...{ name, limitMs, signal, time },
    ...(goesOn && { goesOn: async () => goesOn(await observeNow(world)) }),
  }
}

/** Acts on each item in their order, on so many of them at a time. */
export async function eachInTurn<T>(
  items: readonly T[],
  atOnce: number,
  act: (item: T) => Promise<unknown>,
): Promise<void> {
  const left = items.values()
  const work = async () => {
    for (const item of left) await act(item)
  }
  await Promise.all(Array.from({ length: atOnce }, work))
}

/** What a world shows when the program has ended. */
export async function seenIn(world: WorldClient, { emulator }: Exploration): Promise<Omit<Done, 'run'>> {
  const wasRendering = (await emulator.health()).rendering > 0
  const observed = await observe(world)
  const stories = (await storiesOf(world, observed.tasks)).map(({ text }) => text)
  return { observed, stories, trace: shortTrace(await world.trace()), wasRendering }
}

/** Opens a world and a state folder for one case, and closes both. All worlds have the same seed and moment, so that their equal files are rendered once. */
export async function inPlace<T>(
  { emulator, states, callers, settings }: Exploration,
  { scenarios }: Pick<Order, 'scenarios'>,
  use: (place: OpenCase) => Promise<T>,
): Promise<T> {
  const { seed, now, time } = settings
  // In virtual time that was not asked for, the process that ties itself to the world makes the clock manual.
  const clock = settings.clock ?? (time === 'virtual' ? 'manual' : 'auto')
  const world = await emulator.openWorld({
    seed,
    now,
    clock,
    ...(scenarios && { scenarios }),
    ...(callers && { services: callers }),
  })
  const stop = watchFirst(world)
  try {
    const state = await states?.open()
    try {
      return await use({ world, ...(state && { state: state.path }) })
    } finally {
      await state?.close()
    }
  } finally {
    stop()
    await world.drop()
  }
}

/** A journal drops its oldest requests when it is full: from so many on, those that there are were kept aside. */
const manyRequests = 2000
const lookMs = 1000

/** Keeps the first requests of a world aside when there are many. Returns a function that stops the watch. */
function watchFirst(world: WorldClient): () => void {
  let timer: NodeJS.Timeout
  let isStopped = false
  const look = async () => {
    const [newest] = await world.requests.list({ limit: 1 }).catch(() => [])
    if (newest && newest.id >= manyRequests) return keepFirst(world, await requestsOf(world).catch(() => []))
    if (!isStopped) timer = setTimeout(() => void look(), lookMs)
  }
  timer = setTimeout(() => void look(), lookMs)
  return () => {
    isStopped = true
    clearTimeout(timer)
  }
}

/** Calls that are kept at either end of an attempt. */
const kept = 200

/** A trace in which long attempts have only their first and last calls, since a program that never ends polls thousands of times. It says so. */
export function shortTrace(trace: Trace): Trace {
  const long = trace.attempts.filter(({ calls }) => calls.length > 2 * kept)
  if (long.length === 0) return trace
  const left = long.map(
    ({ operation, calls }) =>
      `of ${calls.length} calls of ${operation}, only the first ${kept} and the last ${kept} are here`,
  )
  return {
    ...trace,
    attempts: trace.attempts.map(attempt =>
      long.includes(attempt)
        ? { ...attempt, calls: [...attempt.calls.slice(0, kept), ...attempt.calls.slice(-kept)] }
        : attempt,
    ),
    incomplete: [trace.incomplete, ...left].filter(Boolean).join('; '),
  }
}

/** The story of one task of a world, as a log below its id. */
export interface TaskStory {
  id: string
  text: string
}

const mostStories = 5

/** The stories of the newest tasks, oldest first. `tasks` are oldest first, too. */
export async function storiesOf(
  { tasks }: Pick<WorldClient, 'tasks'>,
  known: readonly Pick<TaskView, 'id'>[],
): Promise<TaskStory[]> {
  return Promise.all(
    known.slice(-mostStories).map(async ({ id }) => ({ id, text: `${id}\n${(await tasks.story(id)).text}` })),
  )
}

/**
 * Resolves when the files of these tasks are rendered, so that later runs with the same files do not wait for them. It waits as long
 * as a run may take, and not at all after an interrupt.
 */
export async function filesReady(
  tasks: readonly TaskView[],
  { signal, limitMs }: Pick<Settings, 'signal' | 'limitMs'>,
): Promise<void> {
  if (signal.aborted) return
  const links = tasks.flatMap(({ media }) => media.flatMap(({ url }) => url ?? []))
  const end = AbortSignal.any([signal, AbortSignal.timeout(limitMs)])
  await Promise.all(links.map(link => fetched(link, end)))
}

/** Errors are ignored here: the runs open the same link and report them. */
async function fetched(link: string, signal: AbortSignal): Promise<void> {
  const reply = await askEmulator(link, { signal }).catch(() => undefined)
  await reply?.body?.cancel().catch(() => {})
}
