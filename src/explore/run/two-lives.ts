import { askEmulator } from '../../emulator/gateway.ts'
import type { ScenarioDocument } from '../../emulator/words.ts'
import type { WorldClient } from '../../kits/client.ts'
import type { RequestView } from '../../kits/views.ts'
import type { Case } from '../plan/case.ts'
import { asExplore, requestsOf } from '../plan/observe.ts'
import { ruleNames, rulesByFailure, scenarioOf } from '../plan/scenario.ts'
import type { Exploration } from '../play/settings.ts'
import { downloadedFiles, type KeptFiles, keptFiles } from './kept-files.ts'
import type { Death, Run } from './run.ts'
import { type Done, filesReady, inPlace, type Order, optionsOf, seenIn } from './world-run.ts'

export interface Lived {
  run: Run
  requests: RequestView[]
  /** What was in the state folder when it was over, compared with all files that were downloaded. */
  kept: KeptFiles | undefined
}

/** Two lives of a program in one world, with one state folder. */
export interface TwoLives extends Done {
  first: Lived
  second: Lived
  /** The request at which the first life was killed; absent when the program did not make it. */
  held?: RequestView
  /** The service of a system that was killed and started again. */
  killed?: string
  /** When that was: virtual, ISO 8601. Absent: the run was over before. */
  startedAgainAt?: string
}

export interface LivesOrder extends Omit<Order, 'scenarios' | 'afterwards'> {
  /** The point at which the first one is killed; absent: it ends by itself. */
  one?: Case
  active: readonly ScenarioDocument[]
}

/** How long a program is dead when its own sleeps drive the clock, virtual. In real time it is as long as a start takes. */
const deadFor = '1s'

/**
 * Runs a program, kills it at the point of `one`, and starts it again with the same state. Without a point it ends by itself and is started
 * again. Half-way through a file it is killed when it has worked on all that it has received.
 */
export async function liveTwice(exploration: Exploration, order: LivesOrder): Promise<TwoLives> {
  const { subject, settings } = exploration
  const { one, active } = order
  const rules = one ? rulesByFailure(one).flatMap(each => each.map(({ name }) => name)) : []
  const scenarios = [...(one ? [scenarioOf(one)] : []), ...active]
  const afterRest = one?.failure.id === 'killed_during'
  return inPlace(exploration, { scenarios }, async ({ world, state = '' }) => {
    const live = (death?: Death) =>
      subject.run(world, { ...optionsOf(world, order, settings), state, ...(death && { death }) })
    const first = await firstLife(world, rules, held => live(held && { reached: held.reached, afterRest }))
    const early = await requestsOf(world)
    const filesNow = () => keptFiles(state, () => downloadedFiles(world))
    const kept = await filesNow()
    await passDeath(world)
    const second = await live()
    const seen = await seenIn(world, exploration)
    const { requests, tasks } = seen.observed
    // The second life may have given up because of it, and is then played again.
    if (seen.wasRendering) await filesReady(tasks, settings)
    const lastId = early.at(-1)?.id ?? 0
    const held = early.find(request => ruleNames(request).some(name => rules.includes(name)))
    return {
      ...seen,
      run: second,
      first: { run: first, requests: early, kept },
      second: { run: second, requests: requests.filter(({ id }) => id > lastId), kept: await filesNow() },
      ...(held && { held }),
    }
  })
}

async function firstLife(
  world: WorldClient,
  rules: readonly string[],
  live: (held?: { reached: Promise<void> }) => Promise<Run>,
): Promise<Run> {
  if (rules.length === 0) return live()
  const held = await heldRequest(world, rules)
  try {
    return await live(held)
  } finally {
    held.leave()
  }
}

async function passDeath(world: WorldClient): Promise<void> {
  const { clock } = asExplore(world)
  if ((await clock.get()).mode === 'manual') await clock.advance(deadFor)
}

/** A request that a rule of a scenario will hold. */
interface HeldRequest {
  /** Resolves when the request is held; never when it does not come. */
  reached: Promise<void>
  /** The service that made it, once it is held; undefined when nobody knows. */
  service(): string | undefined
  /** Lets it be answered as if nothing had held it. */
  release(): Promise<unknown>
  /** Stops looking for it. */
  leave(): void
}

/** Listens for the request that a rule holds, such as `explore/1`. Resolves when no request can be missed any more. */
export async function heldRequest(world: WorldClient, rules: readonly string[]): Promise<HeldRequest> {
  const { id, baseUrl } = world
  const stop = new AbortController()
  const { signal } = stop
  const reply = await askEmulator(`${baseUrl}/__emulator/worlds/${encodeURIComponent(id)}/events`, { signal })
  if (!reply.ok || !reply.body) throw new Error(`The emulator gives no events: ${reply.status}`)
  const events = eventsIn(reply.body)
  // The stream begins with what it says to every listener.
  await events.next()
  let service: string | undefined
  const reached = new Promise<void>(resolve => {
    void (async () => {
      for await (const event of events) {
        const held = heldBy(event, rules)
        if (!held) continue
        service = held.service
        resolve()
      }
    })().catch(() => {
      // The stream ended: the case is over.
    })
  })
  return {
    reached,
    service: () => service,
    release: () => asExplore(world).requests.release(),
    leave: () => stop.abort(),
  }
}

async function* eventsIn(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of body) {
    text += decoder.decode(chunk, { stream: true })
    const blocks = text.split('\n\n')
    text = blocks.pop() ?? ''
    yield* blocks
  }
}

interface Event {
  kind?: string
  rule?: string
  service?: string
}

/** The request of an event, if one of the rules acted on it. */
function heldBy(event: string, rules: readonly string[]): Event | undefined {
  const data = /^data: (.*)$/m.exec(event)?.[1]
  if (data === undefined) return undefined
  const entry = JSON.parse(data) as Event
  const isHeld = entry.kind === 'request' && ruleNames(entry).some(name => rules.includes(name))
  return isHeld ? entry : undefined
}
