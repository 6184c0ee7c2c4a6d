import { connect } from 'node:net'

/** Sends requests as fast as a server accepts them, many at once, and returns the bodies of the answers in no order. */
export async function pipeline(
  url: string,
  requests: Iterable<string>,
  { connections = 16, onAnswer = () => {} }: { connections?: number; onAnswer?: (body: string) => void } = {},
): Promise<number> {
  const source = requests[Symbol.iterator]()
  const counts = await Promise.all(Array.from({ length: connections }, () => feed(url, source, onAnswer)))
  return counts.reduce((sum, count) => sum + count, 0)
}

const onTheWay = 16

/** One connection. Its answers are separated by their Content-Length. */
function feed(url: string, source: Iterator<string>, onAnswer: (body: string) => void): Promise<number> {
  return new Promise((resolve, reject) => {
    const { port, hostname } = new URL(url)
    const socket = connect(Number(port), hostname)
    let text = ''
    let answered = 0
    let waiting = 0
    const send = () => {
      let batch = ''
      while (waiting < onTheWay) {
        const { value, done } = source.next()
        if (done) break
        batch += value
        waiting++
      }
      if (batch) socket.write(batch)
      else if (waiting === 0) socket.end(() => resolve(answered))
    }
    socket.setEncoding('latin1')
    socket.on('error', reject)
    socket.on('data', chunk => {
      text += chunk
      for (;;) {
        const head = text.indexOf('\r\n\r\n')
        if (head < 0) break
        const length = Number(/content-length: (\d+)/i.exec(text.slice(0, head))?.[1] ?? 0)
        if (text.length < head + 4 + length) break
        if (!text.startsWith('HTTP/1.1 200')) reject(new Error(text.slice(0, 400)))
        onAnswer(text.slice(head + 4, head + 4 + length))
        text = text.slice(head + 4 + length)
        answered++
        waiting--
      }
      send()
    })
    socket.on('connect', send)
  })
}

/** A request as text. */
export function requestText(
  method: string,
  path: string,
  { key = 'sk-emulator', body }: { key?: string; body?: string } = {},
): string {
  const entity =
    body === undefined
      ? ''
      : `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n`
  return `${method} ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\n${entity}\r\n${body ?? ''}`
}
