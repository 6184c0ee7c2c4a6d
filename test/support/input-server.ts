import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface InputServer {
  origin: string
  port: number
  /** The requested paths, in order. */
  asked: string[]
  close(): Promise<void>
}

/** A file server on the loopback address, for tests of reading links. */
export async function startInputServer(answer: RequestListener): Promise<InputServer> {
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(request.url ?? '')
    answer(request, response)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const close = () =>
    new Promise<void>(resolve => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  return { origin: `http://127.0.0.1:${port}`, port, asked, close }
}
