import type { Inputs } from '../spec/forms.ts'

/** A reply of the checked gateway. */
export interface Answer {
  status: number
  headers: Headers
  /** The body as JSON, or undefined when it is not JSON. */
  body: unknown
  bytes: Uint8Array
}

export interface Request {
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

/** A gateway at an address. */
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
      return send(method, base + path, headers, request.body === undefined ? undefined : textOf(request.body))
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

function textOf(body: unknown): string {
  return typeof body === 'string' ? body : JSON.stringify(body)
}
