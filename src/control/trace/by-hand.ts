import { maskedJson } from '../../http/masked.ts'
import { type ByHand, isSleep, noteByHand } from '../../worlds/by-hand.ts'
import { formatDuration } from '../../worlds/clock.ts'
import { digested } from '../../worlds/digest.ts'
import { nowIn, type World } from '../../worlds/world.ts'
import type { ControlEndpoint } from '../control-endpoint.ts'

/** Calls of the control API that change what clients meet, each in words. Others are not part of a run. */
const words: Readonly<Record<string, (call: ByHand) => string>> = {
  'POST /clock/advance': call =>
    isSleep(call) ? `the program slept for ${moved(call)}` : `the clock was moved on by ${moved(call)}`,
  'PATCH /clock': call => `the clock was set: ${shown(call.body)}`,
  'PUT /scenarios/active': call => `active scenarios: ${shown(call.body)}`,
  'PATCH /scenarios/active': call => `active scenarios changed: ${shown(call.body)}`,
  'POST /scenarios': ({ body }) => `the scenario ${field(body, 'name')} was posted`,
  'DELETE /scenarios/:name': ({ params }) => `the scenario ${params.name} was taken away`,
  'POST /inject': ({ body }) =>
    `injected for ${field(body, 'operation')}, call ${field(body, 'nth') || '1'} from there: ${shown((body as { then?: unknown }).then)}`,
  'POST /tasks': ({ body }) => `a task of ${field(body, 'kind')} was made`,
  'POST /tasks/:id/force': ({ params, body }) => `${params.id} was forced to ${field(body, 'status')}`,
  'POST /tasks/:id/expire-link': ({ params }) => `the links of ${params.id} were ended`,
  'PATCH /accounts/:id': ({ params, body }) => `the account ${params.id} was changed: ${shown(body)}`,
  'POST /assets': () => 'an asset was added',
  'DELETE /assets/:id': () => 'an asset was removed',
}

/** Whether a call of an endpoint is part of a run. */
export function isOfRun({ method, paths: [path] }: ControlEndpoint): boolean {
  return Object.hasOwn(words, `${method} ${path}`)
}

/** What a call did, in words. */
export function byHandText(call: ByHand): string {
  return words[call.call]?.(call) ?? call.call
}

/** Notes a call when it has succeeded. `world` is as before the call. */
export function noting(
  world: World,
  { endpoint, params, body }: { endpoint: ControlEndpoint; params: ByHand['params']; body: unknown },
): () => void {
  const from = nowIn(world)
  return () =>
    noteByHand(world, {
      call: `${endpoint.method} ${endpoint.paths[0]}`,
      params: maskedJson(params),
      body: maskedJson(digested(body)),
      from,
      at: nowIn(world),
      ms: performance.now(),
      after: world.journal.lastId,
    })
}

const longest = 200

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? ''
  return text.length > longest ? `${text.slice(0, longest)}…` : text
}

function moved({ from, at }: ByHand): string {
  return formatDuration(at - from)
}

function field(body: unknown, name: string): string {
  const value = (body as Record<string, unknown> | undefined)?.[name]
  return value === undefined ? '' : String(value)
}
