import { signal } from '@preact/signals'
import { controlCaller, EmulatorError } from '../../kits/views.ts'
import { world } from './address.ts'
import { connection, openings } from './connection.ts'

/** The path of the control API, with a slash at the end. */
const root = new URL('.', location.href).pathname

/** The address of a call of the control API for this world. */
export function controlPath(path: string): string {
  return `${root}worlds/${world}${path}`
}

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** A call of the control API for this world. Rejects with EmulatorError; also when the world is not open and the call would open it. */
export async function control<T>(method: Method, path: string, body?: unknown): Promise<T> {
  if (connection.peek() === 'absent' && method !== 'GET')
    throw new EmulatorError(0, { code: 'absent', message: `The world ${world} is not open: open it first` })
  const asked = openings.peek()
  try {
    return await ask(controlPath(path), method, body)
  } catch (error) {
    if (isAbsence(error) && openings.peek() === asked) connection.value = 'absent'
    throw error
  }
}

/** Whether a call was refused because the world is not open. */
export function isAbsence(error: unknown): boolean {
  return error instanceof EmulatorError && error.code === 'not_found' && error.path === 'world'
}

/** A call of the control API that does not belong to a world. Rejects with EmulatorError. */
export function about<T>(method: Method, path: string, body?: unknown): Promise<T> {
  return ask(`${root}${path.slice(1)}`, method, body)
}

/** How many calls that change something are under way. */
export const acting = signal(0)

/** Above this length in characters, browsers give up a call when its page closes. */
const longestKept = 10_000

/** Something that was clicked is sent before all that is only read, and also when the page closes meanwhile. */
async function act(url: string, init: RequestInit & { body?: string }): Promise<Response> {
  const keepalive = (init.body?.length ?? 0) <= longestKept
  acting.value++
  try {
    return await fetch(url, { ...init, priority: 'high', keepalive })
  } finally {
    acting.value--
  }
}

const caller = controlCaller(location.origin, {
  by: (url, init) => (init.method === 'GET' ? fetch(url, init) : act(url, init)),
})

/** Counts the calls of this page that changed something, since the control API sends no events about scenarios and rules. */
export const written = signal(0)

async function ask<T>(path: string, method: Method, body: unknown): Promise<T> {
  if (method === 'GET') return await caller.get<T>(path)
  const answer = await caller.send<T>(method, path, body)
  written.value++
  return answer
}

/** The reply to a call of the emulated API. */
export interface PublicReply {
  status: number
  headers: Headers
  /** Parsed where it is JSON, else a text. */
  body: unknown
  /** Wall milliseconds from the request to the end of the reply. */
  ms: number
}

/** A call of the emulated API, as a client makes it. */
export async function callPublic(call: {
  method: string
  path: string
  key: string
  body?: unknown
  /** The body as it is sent, whether it is JSON or not; in place of `body`. */
  text?: string
}): Promise<PublicReply> {
  const startedAt = performance.now()
  const {
    method,
    path,
    key,
    text: sent = call.body === undefined ? undefined : JSON.stringify(call.body),
  } = call
  const reply = await fetched(path, {
    method,
    headers: {
      Authorization: `Bearer ${key}`,
      ...(sent !== undefined && { 'Content-Type': 'application/json' }),
    },
    ...(sent !== undefined && { body: sent }),
  })
  const text = await reply.text()
  return {
    status: reply.status,
    headers: reply.headers,
    body: parsed(text),
    ms: performance.now() - startedAt,
  }
}

const noReply = 'No reply came: a scenario may have cut the connection, or the emulator went away.'

/** Rejects with EmulatorError when there is no reply, as calls of the control API do. */
async function fetched(path: string, init: RequestInit & { body?: string }): Promise<Response> {
  try {
    return await act(path, init)
  } catch (cause) {
    throw new EmulatorError(0, { code: 'no_reply', message: noReply }, cause)
  }
}

/** The JSON value of a text, or the text when it is not JSON. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
