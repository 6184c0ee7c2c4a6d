import { askEmulator } from '../../emulator/gateway.ts'
import type { WorldClient } from '../../kits/client.ts'
import { ruleNames } from '../plan/scenario.ts'
import { asExplore } from '../play/as-explore.ts'

/** A request that a rule of a scenario will hold. */
export interface HeldRequest {
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
