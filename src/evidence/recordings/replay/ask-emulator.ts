import { type IncomingMessage, request } from 'node:http'
import { request as secureRequest } from 'node:https'
import { buffer } from 'node:stream/consumers'
import { directAgent } from '../../../emulator/gateway.ts'
import { type ControlClient, controlClient } from '../../../kits/client.ts'
import { controlCaller } from '../../../kits/views.ts'
import type { MediaDescription } from '../describe-media.ts'

/** The emulator's reply to a repeated request of a recording. */
export interface Replayed {
  status: number
  headers: WholeReply['headers']
  /** The reply as JSON; undefined when it is none. */
  reply: unknown
  media?: MediaDescription
  /** Why there is no complete reply; its status is then 0. */
  broken?: string
}

/** A reply of the emulator, with its whole body. */
export interface WholeReply {
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

/** Why a request has no complete reply, such as ECONNRESET. */
export class BrokenReply extends Error {}

/**
 * Sends one request of a recording. Throws BrokenReply when the connection is reset or ends before the reply does, and another
 * error when no emulator answers.
 */
export async function askAgain(url: string, asked: Asked): Promise<WholeReply> {
  try {
    return await askEmulator(url, asked)
  } catch (error) {
    const { code = 'no reply' } = error as NodeJS.ErrnoException
    if (/^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH)$/.test(code)) throw error
    throw new BrokenReply(code, { cause: error })
  }
}

/**
 * Sends one request, and follows no redirect. Rejects when there is no reply. A comparison sends thousands of requests, and `fetch`
 * needs three times the processor time of `node:http`.
 */
async function askEmulator(url: string, { method, headers = {}, body }: Asked): Promise<WholeReply> {
  const target = new URL(url)
  const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
  const send = target.protocol === 'https:' ? secureRequest : request
  const sendOnce = () =>
    new Promise<IncomingMessage>((resolve, reject) => {
      const options = { method, headers: { ...headers, ...length }, agent: directAgent(target) }
      const outgoing = send(target, options, resolve)
      // A server may close an idle connection just when it is used again.
      outgoing.on('error', error =>
        outgoing.reusedSocket ? sendOnce().then(resolve, reject) : reject(error),
      )
      outgoing.end(body)
    })
  const incoming = await sendOnce()
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

function headersOf({ headers }: IncomingMessage): WholeReply['headers'] {
  const found = (name: string) => headers[name.toLowerCase()]
  return {
    has: name => found(name) !== undefined,
    get: name => [found(name) ?? []].flat().join(', ') || null,
  }
}

/** A client of the emulator at `url` for comparisons. Throws EmulatorError when `url` is not an http or https address. */
export function emulatorForReplays(url: string): ControlClient {
  return controlClient(url, base => controlCaller(base, { by: askEmulator }))
}
