import { signal } from '@preact/signals'
import { controlCaller } from '../../client/call.ts'
import { world } from './address.ts'

/** The root of everything that the emulator itself serves, with a slash at the end. */
const root = new URL('.', location.href).pathname

/** The address of a call of the control API for this world. */
export function controlPath(path: string): string {
  return `${root}worlds/${world}${path}`
}

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** A call of the control API for this world. Rejects with EmulatorError. */
export function control<T>(method: Method, path: string, body?: unknown): Promise<T> {
  return ask(controlPath(path), method, body)
}

/** A call of the control API that is about no world in particular. Rejects with EmulatorError. */
export function about<T>(method: Method, path: string, body?: unknown): Promise<T> {
  return ask(`${root}${path.slice(1)}`, method, body)
}

const caller = controlCaller(location.origin)

/** Counts the calls of this page that changed something: the control API sends no events about scenarios and rules. */
export const written = signal(0)

async function ask<T>(path: string, method: Method, body: unknown): Promise<T> {
  if (method === 'GET') return await caller.get<T>(path)
  const answer = await caller.send<T>(method, path, body)
  written.value++
  return answer
}

/** What a call of the emulated API answered. */
export interface PublicReply {
  status: number
  headers: [string, string][]
  body: unknown
  ms: number
}

/** A call of the emulated API, as a client makes it. */
export async function callPublic(call: {
  method: string
  path: string
  key: string
  body?: unknown
}): Promise<PublicReply> {
  const startedAt = performance.now()
  const reply = await fetch(call.path, {
    method: call.method,
    headers: {
      Authorization: `Bearer ${call.key}`,
      ...(call.body !== undefined && { 'Content-Type': 'application/json' }),
    },
    ...(call.body !== undefined && { body: JSON.stringify(call.body) }),
  })
  const text = await reply.text()
  return {
    status: reply.status,
    headers: [...reply.headers],
    body: parsed(text),
    ms: performance.now() - startedAt,
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
