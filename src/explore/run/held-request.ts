import { askEmulator } from '../../emulator/gateway.ts'
import type { WorldClient } from '../../kits/client.ts'
import { ruleNames } from '../plan/scenario.ts'

/** A request that a rule of a scenario will hold. */
export interface HeldRequest {
  /** Resolves when the request is held; never when it does not come. */
  reached: Promise<void>
  /** Stops looking for it. */
  leave(): void
}

/** Listens for the request that a rule holds, such as `explore/1`. Resolves when no request can be missed any more. */
export async function heldRequest(
  { id, baseUrl }: WorldClient,
  rules: readonly string[],
): Promise<HeldRequest> {
  const stop = new AbortController()
  const { signal } = stop
  const reply = await askEmulator(`${baseUrl}/__emulator/worlds/${encodeURIComponent(id)}/events`, { signal })
  if (!reply.ok || !reply.body) throw new Error(`The emulator gives no events: ${reply.status}`)
  const events = eventsIn(reply.body)
  // The stream begins with what it says to every listener.
  await events.next()
  const reached = new Promise<void>(resolve => {
    void (async () => {
      for await (const event of events) if (isHeld(event, rules)) resolve()
    })().catch(() => {
      // The stream ended: the case is over.
    })
  })
  return { reached, leave: () => stop.abort() }
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

function isHeld(event: string, rules: readonly string[]): boolean {
  const data = /^data: (.*)$/m.exec(event)?.[1]
  if (data === undefined) return false
  const entry = JSON.parse(data) as { kind?: string; rule?: string }
  return entry.kind === 'request' && ruleNames(entry).some(name => rules.includes(name))
}
