import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

export type InputServer = Awaited<ReturnType<typeof startInputServer>>

/** A file server on the loopback address, for tests of reading links. */
export async function startInputServer(answer: RequestListener) {
  /** The requested paths, in order. */
  const asked: string[] = []
  const { url, port, close } = await listening((request, response) => {
    asked.push(request.url ?? '')
    answer(request, response)
  })
  return { origin: url, port, asked, close }
}

/** A server on the loopback address, by default on a free port. */
export async function listening(answer: RequestListener, wanted = 0) {
  const server = createServer(answer)
  // A connection that the server closes at the moment of the next request would make a test fail.
  server.keepAliveTimeout = 0
  await new Promise<void>(resolve => server.listen(wanted, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const close = () =>
    new Promise<void>(resolve => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  return { server, url: `http://127.0.0.1:${port}`, port, close }
}

/** The address of a server that ends with the test. */
export async function serverOfTest(answer: RequestListener): Promise<string> {
  const { origin, close } = await startInputServer(answer)
  onTestFinished(close)
  return origin
}
