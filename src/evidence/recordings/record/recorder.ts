import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { listenError } from '../../../emulator/gateway.ts'
import type { RecordedExchange } from '../har.ts'
import type { HarFile } from '../har-file.ts'
import type { Redactor } from '../redact/redactor.ts'
import { entryOf } from './entry.ts'
import { type Passing, passOn } from './pass-on.ts'
import { createLinkMap } from './rewrite-links.ts'

export interface RecorderOptions {
  /** The gateway: http or https, with or without a path. */
  upstream: URL
  host: string
  port: number
  file: HarFile
  redactor: Redactor
  /** Called when an entry could not be written. */
  onError(error: unknown): void
}

/** A running recorder. */
export interface Recorder {
  url: string
  /** Ends within two seconds. The file has every exchange until then, and stays open. */
  close(): Promise<void>
}

/** Replies that take longer are cut when the recorder ends. Wall ms. */
const longestEndMs = 1500

/** Starts a proxy in front of a gateway that records requests and replies. Rejects when the port is in use. */
export async function startRecorder(options: RecorderOptions): Promise<Recorder> {
  const { upstream, file, redactor } = options
  const links = createLinkMap(upstream)
  const running = new Set<Promise<void>>()
  let order: Promise<unknown> = Promise.resolve()
  // One after the other, so that the numbers of names and the entries have the order of the replies.
  const record = (exchange: RecordedExchange): Promise<void> => {
    const written = order.then(async () => file.add(await entryOf(exchange, redactor)))
    order = written.catch(options.onError)
    return written.catch(() => undefined)
  }
  let cutBy: 'client_left' | 'recorder_ended' = 'client_left'
  const passing: Passing = { upstream, links, record, answered: () => file.entries, cutBy: () => cutBy }
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    const passed = passOn(request, response, passing).finally(() => running.delete(passed))
    running.add(passed)
  })
  // The gateway may take as long as it needs.
  server.requestTimeout = 0
  await listen(server, options)
  const { port } = server.address() as AddressInfo
  const host = options.host.includes(':') ? `[${options.host}]` : options.host
  return {
    url: `http://${host}:${port}`,
    async close() {
      server.close()
      server.closeIdleConnections()
      await Promise.race([Promise.all(running), elapsed(longestEndMs)])
      cutBy = 'recorder_ended'
      server.closeAllConnections()
      await Promise.all(running)
      await order
    },
  }
}

function listen(server: Server, { port, host }: RecorderOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = (error: unknown) => void listenError(error, { host, port }).then(reject)
    server.once('error', fail)
    server.listen(port, host, () => {
      server.off('error', fail)
      resolve()
    })
  })
}

function elapsed(ms: number): Promise<void> {
  return new Promise(resolve => setTimeout(resolve, ms).unref())
}
