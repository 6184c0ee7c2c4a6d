import { Agent, request } from 'node:http'

/** A reply, without any interpretation. */
export interface PlainAnswer {
  status: number
  headers: Record<string, string | string[] | undefined>
  text: string
}

interface PlainRequest {
  method?: string
  /** The bytes as sent: nothing is normalized. */
  path: string
  headers?: Record<string, string>
  body?: string | Buffer
}

export type PlainClient = ReturnType<typeof plainClient>

/** A client of a server on the loopback address: sends requests unchanged over a few connections; rejects when a connection breaks. */
export function plainClient(url: string, connections = 8) {
  const { hostname, port } = new URL(url)
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  return {
    close: () => agent.destroy(),
    send: ({ method = 'POST', path, headers = {}, body }: PlainRequest) =>
      new Promise<PlainAnswer>((resolve, reject) => {
        const length = body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(body)) }
        const sent = request(
          { hostname, port, agent, method, path, headers: { ...length, ...headers } },
          response => {
            const chunks: Buffer[] = []
            response.on('data', chunk => chunks.push(chunk))
            response.on('error', reject)
            response.on('end', () =>
              resolve({
                status: response.statusCode ?? 0,
                headers: response.headers,
                text: Buffer.concat(chunks).toString(),
              }),
            )
          },
        )
        sent.on('error', reject)
        sent.end(body)
      }),
  }
}
