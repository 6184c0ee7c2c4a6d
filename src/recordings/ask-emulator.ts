import { type IncomingMessage, request } from 'node:http'
import { request as secureRequest } from 'node:https'
import { buffer } from 'node:stream/consumers'
import { controlCaller } from '../client/call.ts'
import { clientBy, type EmulatorClient } from '../client/client.ts'

/** A reply of the emulator, with its whole body. */
export interface Answer {
  status: number
  ok: boolean
  headers: Pick<Headers, 'get' | 'has'>
  bytes: Buffer
  text(): Promise<string>
}

/** A request as `fetch` takes it. */
interface Asked {
  method: string
  headers?: Readonly<Record<string, string>>
  body?: string
}

/**
 * Sends one request, and follows no redirect. Rejects when there is no reply. A comparison sends thousands of requests, and `fetch`
 * needs three times the processor time of `node:http`.
 */
export async function askEmulator(url: string, { method, headers = {}, body }: Asked): Promise<Answer> {
  const target = new URL(url)
  const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
  const send = target.protocol === 'https:' ? secureRequest : request
  const incoming = await new Promise<IncomingMessage>((resolve, reject) => {
    const outgoing = send(target, { method, headers: { ...headers, ...length } }, resolve)
    outgoing.on('error', reject)
    outgoing.end(body)
  })
  const bytes = await buffer(incoming)
  const status = incoming.statusCode ?? 0
  return {
    status,
    ok: status >= 200 && status < 300,
    headers: headersOf(incoming),
    bytes,
    text: async () => bytes.toString('utf8'),
  }
}

function headersOf({ headers }: IncomingMessage): Answer['headers'] {
  const found = (name: string) => headers[name.toLowerCase()]
  return {
    has: name => found(name) !== undefined,
    get: name => [found(name) ?? []].flat().join(', ') || null,
  }
}

/** A client of the emulator at `url` for comparisons. Throws EmulatorError when `url` is not an http or https address. */
export function emulatorForReplays(url: string): EmulatorClient {
  return clientBy(base => controlCaller(base, askEmulator), url)
}
