import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { once as onlyOnce } from '../../media/index.ts'
import { endsSeen } from './closing.ts'

/** A loopback server for a handler, started at first use. */
export interface Loopback {
  /** The base address, without a slash at the end. */
  url(): Promise<string>
  close(): Promise<void>
}

/** Listens on a free port of the loopback address; does not keep the process alive. */
export function createLoopback(handle: RequestListener): Loopback {
  let server: Server | undefined
  const url = onlyOnce(async () => {
    const opened = createServer(handle).unref()
    server = opened
    await new Promise<void>((resolve, reject) => {
      opened.once('error', reject).listen(0, '127.0.0.1', resolve)
    })
    return `http://127.0.0.1:${(opened.address() as AddressInfo).port}`
  })
  return {
    url,
    async close() {
      if (!server?.listening) return
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
      await endsSeen()
    },
  }
}
