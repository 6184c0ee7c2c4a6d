import { maskedJson } from '../../http/secrets.ts'
import { type Actor, actorHeader, type ByHand, noteByHand } from '../../worlds/by-hand.ts'
import { formatDuration, realTime } from '../../worlds/clock.ts'
import { digested } from '../../worlds/digest.ts'
import { nowIn } from '../../worlds/world.ts'
import type { ControlCall, ControlEndpoint } from '../control-endpoint.ts'

/** Calls of the control API that change what clients meet, each in words. Others are not part of a run. */
const words: Readonly<Record<string, (call: ByHand) => string>> = {
  'POST /clock/advance': call => moves[call.by](call),
  'PATCH /clock': ({ by, body }) =>
    by === 'program' ? 'from here on its own sleeps move the clock' : `the clock was set: ${shown(body)}`,
  'PUT /scenarios/active': call => `active scenarios: ${shown(call.body)}`,
  'PATCH /scenarios/active': call => `active scenarios changed: ${shown(call.body)}`,
  'POST /scenarios': ({ body }) => `the scenario ${field(body, 'name')} was posted`,
  'DELETE /scenarios/:name': ({ params }) => `the scenario ${params.name} was taken away`,
  'POST /inject': ({ body }) =>
    `injected for ${field(body, 'operation')}, call ${field(body, 'nth') || '1'} from there: ${shown((body as { then?: unknown }).then)}`,
  'POST /tasks': ({ body }) => `a task of ${field(body, 'kind')} was made`,
  'POST /tasks/:id/force': ({ params, body }) => `${params.id} was forced to ${field(body, 'status')}`,
  'POST /tasks/:id/expire-link': ({ params }) => `the links of ${params.id} were ended`,
  'POST /requests/release': () => 'what a scenario held was released',
  'PATCH /accounts/:id': ({ params, body }) => `the account ${params.id} was changed: ${shown(body)}`,
  'POST /assets': () => 'an asset was added',
  'DELETE /assets/:id': () => 'an asset was removed',
}

/** A move of the clock, by who made it. Only explore's last move goes up to a state of the tasks; the other is the time between two lives. */
const moves: Readonly<Record<Actor, (call: ByHand) => string>> = {
  hand: call => `the clock was moved on by ${moved(call)}`,
  program: call => `it slept or waited for ${moved(call)}`,
  explore: call =>
    field(call.body, 'until') === 'idle'
      ? `the program had ended; until every task had ended, ${moved(call)} passed`
      : `between two lives of the program ${moved(call)} passed`,
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
export function noting({ world, params, body, request }: ControlCall, endpoint: ControlEndpoint): () => void {
  const from = nowIn(world)
  return () =>
    noteByHand(world, {
      by: actorOf(request.headers[actorHeader]),
      call: `${endpoint.method} ${endpoint.paths[0]}`,
      params: maskedJson(params),
      body: maskedJson(digested(body)),
      from,
      at: nowIn(world),
      ms: realTime.elapsedMs(),
      after: world.journal.lastId,
    })
}

function actorOf(header: unknown): Actor {
  return header === 'program' || header === 'explore' ? header : 'hand'
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
