import { fetched, parsed } from '../store/api.ts'
import type { PublicReply } from '../store/public-reply.ts'
import type { DocOperation, Parameter } from './document.ts'
import { pathFor } from './document.ts'

/** The values of an operation's fields, by `place name`. */
export type Values = Readonly<Record<string, string>>

export interface TryCall {
  method: string
  /** With its query. */
  path: string
  headers: Record<string, string>
  text?: string
}

export function fieldOf({ in: place, name }: Parameter): string {
  return `${place} ${name}`
}

/** The request that the fields make. */
export function callOf(
  operation: DocOperation,
  values: Values,
  sent: { key: string; text: string },
): TryCall {
  const given = (place: Parameter['in']) =>
    operation.parameters
      .filter(parameter => parameter.in === place)
      .map(parameter => [parameter.name, values[fieldOf(parameter)] ?? ''] as const)
      .filter(([, value]) => value !== '')
  const path = given('path').reduce(
    (filled, [name, value]) => filled.replace(`{${name}}`, encodeURIComponent(value)),
    pathFor(operation),
  )
  const query = new URLSearchParams(given('query').map(([name, value]) => [name, value]))
  return {
    method: operation.method,
    path: query.size > 0 ? `${path}?${query}` : path,
    headers: {
      ...(operation.api === 'public' && { Authorization: `Bearer ${sent.key}` }),
      ...(operation.body && { 'Content-Type': 'application/json' }),
      ...Object.fromEntries(given('header')),
    },
    ...(operation.body && { text: sent.text }),
  }
}

/** Sends a request and reads its reply; the body of a media file is described by its type and size. Rejects with EmulatorError. */
export async function send({ method, path, headers, text }: TryCall): Promise<PublicReply> {
  const startedAt = performance.now()
  const reply = await fetched(path, { method, headers, ...(text !== undefined && { body: text }) })
  const blob = await reply.blob()
  return {
    status: reply.status,
    headers: [...reply.headers],
    body: await readable(blob),
    ms: performance.now() - startedAt,
  }
}

async function readable(blob: Blob): Promise<unknown> {
  if (/^(image|video|audio)\//.test(blob.type)) return `${blob.size} bytes of ${blob.type}`
  return parsed(await blob.text())
}
