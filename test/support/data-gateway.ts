import type { EmulatorOptions } from '../../src/emulator/options/config.ts'
import { assembleEmulator } from '../../src/emulator/server/emulator.ts'
import { listening } from './input-server.ts'
import { type PlainAnswer, plainClient } from './plain-client.ts'
import { poolForTest } from './shared-pool.ts'

/** Sends a request with a JSON body. Rejects with the reply when it is not a success. */
export type Send = (
  method: string,
  path: string,
  body?: unknown,
  key?: string,
) => Promise<PlainAnswer & { body: unknown }>

/** An emulator with a data directory. */
export type DataGateway = Awaited<ReturnType<typeof openData>>

/** Where links and samples seem to be, so that stored requests do not depend on the port. */
export const publicUrl = 'http://emulator.test'

/**
 * Opens a data directory on a free port, with every reply checked against its schema. It renders only what is asked for. Rejects with
 * DataDirectoryError when the directory is refused.
 */
export async function openData(data: string, options: EmulatorOptions = {}) {
  const { dispatch, services, close } = await assembleEmulator({
    data,
    publicUrl,
    strict: true,
    pool: poolForTest(),
    clock: { mode: 'manual', rate: 1 },
    ...options,
  })
  services.library.ahead = () => undefined
  const { url, close: leave } = await listening(dispatch)
  const { send, end } = senderTo(url)
  return {
    url,
    send,
    async close() {
      end()
      await leave()
      await close()
    },
  }
}

/** A sender of requests to an emulator, and the end of its connections. */
export function senderTo(url: string): { send: Send; end(): void } {
  const client = plainClient(url, Number.POSITIVE_INFINITY)
  return {
    end: () => client.close(),
    async send(method, path, body, key = 'sk-emulator') {
      const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' }
      const sent = body === undefined ? {} : { body: JSON.stringify(body) }
      const reply = await client.send({ method, path, headers, ...sent })
      if (reply.status >= 400)
        throw new Error(`${method} ${path}: ${reply.status} ${reply.text.slice(0, 500)}`)
      return { ...reply, body: reply.text.startsWith('{') ? JSON.parse(reply.text) : undefined }
    },
  }
}
