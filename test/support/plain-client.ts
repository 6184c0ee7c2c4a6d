import { Agent, request } from 'node:http'

/** A reply, without any interpretation. */
export interface PlainAnswer {
  status: number
  headers: Record<string, string | string[] | undefined>
  text: string
}

export interface PlainRequest {
  method?: string
  /** The bytes as sent: nothing is normalized. */
  path: string
  headers?: Record<string, string>
  body?: string | Buffer
}

/** Sends requests unchanged over a few connections; rejects when a connection breaks. */
export interface PlainClient {
  send(wanted: PlainRequest): Promise<PlainAnswer>
  close(): void
}

/** A client of a server on the loopback address. */
export function plainClient(url: string, connections = 8): PlainClient {
  const { hostname, port } = new URL(url)
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  return {
    close: () => agent.destroy(),
    send: ({ method = 'POST', path, headers = {}, body }) =>
      new Promise((resolve, reject) => {
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
