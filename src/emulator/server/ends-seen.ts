import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

/**
 * Resolves when clients of this process have seen the end of every connection that was closed before the call: until then, a client that
 * keeps connections would send its next request on one of them, and be cut off. One more connection shows it, since what the loopback
 * interface and this process handle comes in order.
 */
export async function endsSeen(): Promise<void> {
  const server = createServer()
  try {
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const client = connect((server.address() as { port: number }).port, '127.0.0.1')
    const [[served]] = (await Promise.all([once(server, 'connection'), once(client, 'connect')])) as [
      [Socket],
      unknown,
    ]
    served.destroy()
    await once(client.resume(), 'close')
  } catch {
    // A machine without a free port has no order to wait for.
  } finally {
    server.close()
  }
}
