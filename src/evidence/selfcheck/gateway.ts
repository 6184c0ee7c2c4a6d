import { describeMedia } from '../recordings/describe-media.ts'
import type { Inputs } from '../spec/forms.ts'
import { at, shown } from '../spec/json.ts'
import { judge, sentenceOf } from '../spec/judge.ts'
import {
  isWordFor,
  newTrail,
  type Observation,
  parametersOf,
  type SpecFamily,
  stateIn,
} from '../spec/observation.ts'
import { always, fields } from '../spec/predicates.ts'

/** A reply of the checked gateway. */
export interface Answer {
  status: number
  headers: Headers
  /** The body as JSON, or undefined when it is not JSON. */
  body: unknown
  bytes: Uint8Array
}

interface Request {
  body?: unknown
  /** Another key than the usual one. */
  key?: string
  /** The whole Authorization header; null = none. */
  authorization?: string | null
  headers?: Record<string, string>
}

/** The checked gateway: the emulator or the real one. */
export interface Gateway extends Inputs {
  key: string
  ask(method: string, path: string, request?: Request): Promise<Answer>
  /** The file behind a result link, without a key. */
  download(url: string, headers?: Record<string, string>): Promise<Answer>
  /** The key of another account, when there is one. */
  otherKey: string | undefined
  /** Waits for a short time between two polls. */
  pause(): Promise<void>
  /** Results that several rules share, so that they are paid for only once. */
  once<T>(name: string, make: () => Promise<T>): Promise<T>
}

/** Sends one request and reads the whole reply. Rejects without a reply. */
export type Send = (
  method: string,
  url: string,
  headers: Record<string, string>,
  body: string | undefined,
) => Promise<Answer>

export interface GatewaySettings {
  base: string
  key: string
  otherKey: string | undefined
  models: Readonly<Record<string, string>>
  picture: string
  samples: string | undefined
  send: Send
  pause(): Promise<void>
}

export function gatewayAt(settings: GatewaySettings): Gateway {
  const { base, key, models, samples, send } = settings
  const made = new Map<string, Promise<unknown>>()
  return {
    key,
    ask(method, path, request = {}) {
      const authorization =
        request.authorization === undefined ? `Bearer ${request.key ?? key}` : request.authorization
      const headers = {
        ...(authorization !== null && { Authorization: authorization }),
        ...(request.body !== undefined && { 'Content-Type': 'application/json' }),
        ...request.headers,
      }
      const text = typeof request.body === 'string' ? request.body : JSON.stringify(request.body)
      return send(method, base + path, headers, text)
    },
    download: (url, headers = {}) => send('GET', url, headers, undefined),
    model: placeholder => models[placeholder] ?? placeholder,
    picture: settings.picture,
    sample: name => (samples === undefined ? undefined : `${samples}/${name}`),
    otherKey: settings.otherKey,
    pause: settings.pause,
    once<T>(name: string, make: () => Promise<T>): Promise<T> {
      const known = made.get(name) ?? make()
      made.set(name, known)
      return known as Promise<T>
    },
  }
}

/** The gateway does not keep a rule. */
export class Mismatch extends Error {}

/** Rejects with the given text unless the condition is true. */
export function must(holds: boolean, message: string): asserts holds {
  if (!holds) throw new Mismatch(message)
}

/** A string inside JSON; rejects when it is anything else. */
export function textAt(value: unknown, path: string): string {
  const found = at(value, ...path.split('.').map(step => (/^\d+$/.test(step) ? Number(step) : step)))
  must(typeof found === 'string', `${path} is ${shown(found)} and not a string`)
  return found
}

/** What one client sees of one task. */
export interface Watch {
  observations: Observation[]
  ask(operation: string, [method, path]: readonly [string, string], request?: Request): Promise<Answer>
  /** Fetches a file without a key. */
  download(url: string, videoSize?: string): Promise<string>
}

/** Watches the requests about one task. `made` is the body of its create. */
export function watchOn(gateway: Gateway, family: SpecFamily, made: unknown): Watch {
  const observations: Observation[] = []
  const trail = newTrail()
  return {
    observations,
    async ask(operation, [method, path], request = {}) {
      const answer = await gateway.ask(method, path, request)
      const { status, body: reply } = answer
      const query = parametersOf(new URL(path, 'http://any').searchParams)
      const observed: Observation = { operation, family, body: request.body ?? query, status, reply }
      observations.push({ ...trail(observed, 'the task'), made })
      return answer
    },
    async download(url, videoSize) {
      const { status, bytes } = await gateway.download(url)
      const { type, width, height } = await describeMedia(Buffer.from(bytes), '')
      const file = {
        type,
        ...(width && { width }),
        ...(height && { height }),
        ...(videoSize && { videoSize }),
      }
      observations.push({ operation: 'media.download', family, status, file, made })
      return `${width}x${height}`
    },
  }
}

const mostPolls = 400

/** Polls until the task has ended, and once more. `onChange` is called for each state that a poll shows first. */
export async function pollToEnd(
  gateway: Gateway,
  watch: Watch,
  { operation, path, onChange }: { operation: string; path: string; onChange?(state: string): Promise<void> },
): Promise<unknown> {
  let last = ''
  for (let poll = 0; poll < mostPolls; poll++) {
    if (poll > 0) await gateway.pause()
    const { status, body } = await watch.ask(operation, ['GET', path])
    must(status === 200, `The status of a poll is ${status}: ${shown(body)}`)
    const state = stateIn({ operation, status, reply: body })
    must(state !== undefined, `A poll shows no state: ${shown(body)}`)
    if (state !== last) await onChange?.(state)
    last = state
    if (isWordFor('open', state)) continue
    must(isWordFor('success', state), `The task ended as ${state}: ${shown(body)}`)
    await watch.ask(operation, ['GET', path])
    return body
  }
  throw new Mismatch(`The task was still ${last} after ${mostPolls} polls`)
}

/** The fields of every error body of a family; a refusal that lacks them keeps no rule. */
export function mustBeError(observed: Observation): void {
  const { family } = observed
  const message = family === 'b' ? 'message' : 'error.message'
  const form = { called: 'a string', has: (value: unknown) => typeof value === 'string', good: '', bad: [] }
  const wrong = judge('', fields(`${family}.error`, { [message]: form }, always), observed).find(
    one => !one.holds,
  )
  must(wrong === undefined, wrong === undefined ? '' : sentenceOf(wrong))
}
