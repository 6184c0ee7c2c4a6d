import { readSync } from 'node:fs'
import { Agent, request } from 'node:http'
import type { Socket } from 'node:net'

/** The connection to the conductor of the run; `emulator/conductor/member.ts` says what is spoken. */
export interface ConductorLink {
  say(line: string): void
  /** Reads what has come, without the event loop. False where that is not possible. */
  drain(): boolean
  /** Leaves the run. */
  end(): void
  /** How many times the event loop has read something. */
  reads(): number
}

/** What a process says of itself before it is tied. */
export interface LinkOptions {
  url: string
  world: string
  hello: string
  /** Is called for each line. */
  hear(line: string): void
  /** Is called when the connection has ended. */
  ended(): void
}

/** Its connections are not those of the program. */
const agent = new Agent({ keepAlive: false })

/**
 * Joins the clock of a world, which is opened when it is not. Throws when `url` is no address, and rejects when no emulator answers there, or it
 * refuses.
 */
export async function joinRun({ url, world, hello, hear, ended }: LinkOptions): Promise<ConductorLink> {
  const socket = await connected(url, world)
  let rest = ''
  let reads = 0
  const take = (chunk: Buffer) => {
    const lines = (rest + chunk.toString('latin1')).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) hear(line)
  }
  let isEnded = false
  const end = () => {
    if (!isEnded) ended()
    isEnded = true
  }
  const first = new Promise<void>(resolve => socket.once('data', () => resolve()))
  socket.on('data', chunk => {
    reads++
    take(chunk)
  })
  socket.on('close', end)
  socket.on('error', end)
  socket.write(`${hello}\n`)
  await Promise.race([first, new Promise(resolve => socket.once('close', resolve))])
  socket.unref()
  const { fd = -1 } = (socket as Socket & { _handle?: { fd?: number } })._handle ?? {}
  const buffer = Buffer.alloc(65_536)
  return {
    say: line => void (socket.writable && socket.write(`${line}\n`)),
    reads: () => reads,
    end: () => void socket.destroy(),
    drain() {
      if (fd < 0 || isEnded) return false
      try {
        for (;;) {
          const length = readSync(fd, buffer)
          if (length === 0) return false
          take(buffer.subarray(0, length))
        }
      } catch (error) {
        return (error as NodeJS.ErrnoException).code === 'EAGAIN'
      }
    },
  }
}

async function connected(url: string, world: string): Promise<Socket> {
  if (!URL.canParse(url) || new URL(url).protocol !== 'http:')
    throw new Error(
      `GATEWAY_EMULATOR_URL is ${JSON.stringify(url)}, not an http address such as http://127.0.0.1:8585`,
    )
  const place = `${url.replace(/\/+$/, '')}/__emulator/worlds/${encodeURIComponent(world)}/clock/join`
  const path = placeIn(await textOf(place))
  return new Promise((resolve, reject) => {
    const asking = request(url, { agent, method: 'CONNECT', path })
    asking.on('connect', (_, socket: Socket) => resolve(socket.setNoDelay(true)))
    asking.on('error', ({ message }) =>
      reject(new Error(`${new URL(url).origin} lets no process join: ${message}`)),
    )
    asking.end()
  })
}

function textOf(place: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const fail = ({ code, message }: NodeJS.ErrnoException) =>
      reject(new Error(`No emulator answers at ${new URL(place).origin} (${code ?? message})`))
    const asking = request(place, { agent, method: 'POST' }, async reply => {
      let text = ''
      for await (const chunk of reply) text += chunk
      resolve(text)
    })
    asking.on('error', fail).end()
  })
}

/** Where to connect to. Throws with what an emulator says when it refuses. */
function placeIn(text: string): string {
  let answer: { connect?: string; error?: { message?: string } } = {}
  try {
    answer = JSON.parse(text)
  } catch {
    // Something else answers.
  }
  if (answer.connect) return answer.connect
  const other = `What answers is no emulator that conducts the time of processes: ${JSON.stringify(text.slice(0, 80))}`
  throw new Error(answer.error?.message ?? other)
}
