import { world } from './address.ts'

/** What the control API refused, as it said it. */
export class Refused extends Error {
  readonly status: number
  readonly path: string | undefined
  readonly hint: string | undefined

  constructor(status: number, { message, path, hint }: { message: string; path?: string; hint?: string }) {
    super(message)
    this.status = status
    this.path = path
    this.hint = hint
  }
}

/** The root of everything that the emulator itself serves, with a slash at the end. */
const root = new URL('.', location.href).pathname

/** The address of a call of the control API for this world. */
export function controlPath(path: string): string {
  return `${root}worlds/${world}${path}`
}

/** A call of the control API for this world. Throws Refused. */
export async function control<T>(method: string, path: string, body?: unknown): Promise<T> {
  return await ask<T>(method, controlPath(path), body)
}

/** A call of the control API that is about no world in particular. Throws Refused. */
export async function about<T>(method: string, path: string, body?: unknown): Promise<T> {
  return await ask<T>(method, `${root}${path.slice(1)}`, body)
}

async function ask<T>(method: string, address: string, body: unknown): Promise<T> {
  const reply = await fetch(address, {
    method,
    ...(body !== undefined && {
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    }),
  })
  const answer: unknown = await reply.json()
  if (!reply.ok) throw new Refused(reply.status, complaintIn(answer))
  return answer as T
}

function complaintIn(answer: unknown): { message: string; path?: string; hint?: string } {
  const { error } = (answer ?? {}) as { error?: { message: string; path?: string; hint?: string } }
  return error ?? { message: 'The emulator answered something unexpected' }
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
