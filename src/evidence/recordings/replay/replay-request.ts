import { validateHeaderValue } from 'node:http'
import { headerOf } from '../har.ts'
import type { Observed } from '../read/observed.ts'
import type { Step } from '../read/steps.ts'
import { withChoices } from './chosen-values.ts'
import { replayHeader } from './replay-scenario.ts'
import type { ReplayWorld } from './replay-world.ts'
import { standInBody } from './stand-in-body.ts'

const repeated = [
  'content-type',
  'accept',
  'range',
  'if-match',
  'if-none-match',
  'if-modified-since',
  'if-unmodified-since',
  'if-range',
  'x-vendor-async',
  'x-dashscope-async',
  'x-client-request-id',
  'sec-fetch-dest',
]

/** The key with which a recorded request is repeated. It exists, unless the gateway refused the recorded key from then on. */
export function keyToSend(step: Step, world: ReplayWorld): string {
  return world.isDead(step) ? 'sk-unknown-0000' : world.client.keyFor(world.accountOf(step))
}

/** The headers of a recorded request that decide the reply, with a key of the emulator instead of the redacted one. */
export function headersToSend(
  { entry, number }: Step,
  key: string,
  known: ReadonlyMap<string, string>,
): Record<string, string> {
  const { headers } = entry.request
  const sent: Record<string, string> = { [replayHeader]: String(number) }
  for (const name of repeated) {
    const value = headerOf(headers, name)
    if (value !== undefined && canBeSent(name, value)) sent[name] = known.get(value) ?? value
  }
  const authorization = authorizationOf(entry, key)
  if (authorization !== undefined && canBeSent('authorization', authorization))
    sent.authorization = authorization
  return sent
}

/** A file of another program may have a header that HTTP does not allow, such as one with a line break. */
function canBeSent(name: string, value: string): boolean {
  try {
    validateHeaderValue(name, value)
    return true
  } catch {
    return false
  }
}

/** Browsers leave keys out of their HAR files: their requests count as made with a valid key. */
function authorizationOf(entry: Step['entry'], key: string): string | undefined {
  const recorded = headerOf(entry.request.headers, 'authorization')
  if (entry._gateway?.authorization === 'none') return undefined
  if (entry._gateway === undefined) return `Bearer ${key}`
  return recorded?.replace(/key-\d+/g, () => key) ?? `Bearer ${key}`
}

const tooDeep = `${'{"a":'.repeat(200)}1${'}'.repeat(200)}`

/** The body of a recorded request, with stand-ins for redacted parts; undefined without a body. */
export async function bodyToSend(
  step: Step,
  task: Observed | undefined,
  world: ReplayWorld,
): Promise<string | undefined> {
  // The gateway reads no body of these methods.
  if (step.body.kind === 'none' || /^(GET|HEAD)$/i.test(step.method)) return undefined
  if (step.body.kind === 'broken') return '{"broken'
  if (step.body.kind === 'too_deep') return tooDeep
  const account = world.accountOf(step)
  const isMade = step.status < 300
  const value = task ? withChoices(step, task) : step.body.value
  return JSON.stringify(
    await standInBody(value, {
      base: world.base,
      known: world.known,
      // In a refused request, the asset counts as missing.
      asset: async (reference, kind) => (isMade ? world.asset(reference, kind, account) : reference),
    }),
  )
}
