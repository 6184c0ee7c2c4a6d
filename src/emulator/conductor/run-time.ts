import { randomUUID } from 'node:crypto'
import type { IncomingMessage, Server } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { clearTimeout, setTimeout } from 'node:timers'
import type { Services } from '../pipeline/endpoint.ts'
import { advanceTo } from '../tasks/advance.ts'
import { noteByHand } from '../worlds/by-hand.ts'
import { realTime, reclocked, steadyNow } from '../worlds/clock.ts'
import { type OpenRequest, type Pace, underWayIn } from '../worlds/under-way.ts'
import { headChanged, nowIn, type World } from '../worlds/world.ts'
import { Conductor } from './conductor.ts'
import { freeProcesses } from './free-processes.ts'
import { helloOf, type Member } from './member.ts'
import { Past } from './past.ts'
import type { RunPort, Wall } from './port.ts'

/** A line is shorter, characters. */
const longestLine = 20_000

/** It keeps no process alive. */
const wall: Wall = {
  nowMs: () => realTime.elapsedMs(),
  after(ms, act) {
    const timer = setTimeout(act, ms).unref()
    return () => clearTimeout(timer)
  },
}

/** The runs of one emulator, and the connections of their processes. */
interface Runs {
  token: string
  conductors: WeakMap<World, { conductor: Conductor; past: Past }>
  sockets: Set<Duplex>
  servers: WeakSet<Server>
}

/** Of each emulator of this process, as long as it lives. */
const known = new WeakMap<Services, Runs>()

interface Asked {
  services: Services
  request: IncomingMessage
}

/**
 * The name with which a process asks the server of a request for a connection to the conductor of a world: `CONNECT {name}`. No other client
 * asks so, and the server may be somebody else's of which the emulator is a part. Undefined when the request does not show its server.
 */
export function placeToJoin({ id }: World, { services, request }: Asked): string | undefined {
  const { server } = request.socket as Socket & { server?: Server }
  if (server === undefined) return undefined
  const none = { conductors: new WeakMap(), sockets: new Set<Duplex>(), servers: new WeakSet<Server>() }
  const runs: Runs = known.get(services) ?? { token: randomUUID(), ...none }
  known.set(services, runs)
  if (!runs.servers.has(server)) server.on('connect', letJoin(server, { services, runs }))
  runs.servers.add(server)
  return `${id}.${runs.token}:1`
}

/** Ends the connections of all processes that follow a clock of this emulator. */
export function endRuns(services: Services): void {
  for (const socket of known.get(services)?.sockets ?? []) socket.destroy()
}

function letJoin(server: Server, { services, runs }: { services: Services; runs: Runs }) {
  return ({ url = '' }: IncomingMessage, socket: Duplex) => {
    const [id = '', token] = url.replace(/:1$/, '').split('.')
    const world = token === runs.token ? services.worlds.use(id) : undefined
    if (!world) {
      // As a server does that has not been told what to do.
      if (token === runs.token || server.listenerCount('connect') === 1) socket.destroy()
      return
    }
    const port = () => (server.address() as AddressInfo | null)?.port ?? 0
    const run = runs.conductors.get(world) ?? begin(world, port)
    runs.conductors.set(world, run)
    runs.sockets.add(socket)
    socket.once('close', () => runs.sockets.delete(socket)).on('error', () => socket.destroy())
    ;(socket as Socket).setNoDelay?.(true)
    ;(socket as Socket).setTimeout?.(0)
    socket.write('HTTP/1.1 200 OK\r\n\r\n')
    attend(socket, run)
  }
}

function begin(world: World, port: () => number) {
  const past = new Past({ wallMs: realTime.fineWallNow(), ms: nowIn(world) })
  return { conductor: new Conductor(runOf({ world, port, past })), past }
}

/** Passes the lines of a process on. The first one is its `hello`. */
function attend(socket: Duplex, { conductor, past }: { conductor: Conductor; past: Past }): void {
  let member: Member | undefined
  let rest = ''
  const hear = (line: string) => {
    if (line.startsWith('when ')) socket.write(past.answer(line))
    else if (member) conductor.hear(member, line)
    else member = conductor.join(helloOf(line), text => void (socket.writable && socket.write(`${text}\n`)))
  }
  socket.on('data', (chunk: Buffer) => {
    const lines = (rest + chunk.toString('latin1')).split('\n')
    rest = lines.pop() ?? ''
    try {
      for (const line of lines) hear(line)
      if (rest.length > longestLine) throw new Error('a line is too long')
    } catch (error) {
      socket.end(`over ${(error as Error).message}\n`)
    }
  })
  // A server's connections stay half open.
  socket.on('end', () => socket.destroy())
  socket.once('close', () => member && conductor.leave(member))
}

function runOf({ world, port, past }: { world: World; port: () => number; past: Past }): RunPort {
  const counts = underWayIn(world)
  const waiting = new Set<{ at: number; wake(): void }>()
  const note = (call: string, body: object, from: number) =>
    noteByHand(world, {
      ...{ by: 'program', call, params: {}, body, from, at: nowIn(world) },
      ...{ ms: realTime.elapsedMs(), after: world.journal.lastId },
    })
  const move = (to: number) => {
    const from = nowIn(world)
    if (to <= from) return
    advanceTo(world, to)
    note('POST /clock/advance', { by: to - from }, from)
  }
  const pace: Pace = {
    now: () => nowIn(world),
    until: (at, gone) =>
      new Promise((resolve, reject) => {
        const end = () => {
          waiting.delete(done)
          counts.held--
          gone.removeEventListener('abort', end)
          if (gone.aborted) reject(gone.reason)
          else resolve()
        }
        const done = { at, wake: end }
        if (gone.aborted) return reject(gone.reason)
        // All that followed the clock have ended.
        if (counts.pace !== pace) return resolve()
        counts.held++
        waiting.add(done)
        gone.addEventListener('abort', end)
      }),
  }
  const free = freeProcesses(world.id, wall)
  return {
    now: () => nowIn(world),
    move(to, isTaken) {
      past.come({ wallMs: realTime.fineWallNow(), ms: to })
      if (isTaken) move(to)
    },
    take(at) {
      const from = nowIn(world)
      const { head } = world.state
      head.clock = reclocked(head.clock, steadyNow(), { mode: 'manual' })
      headChanged(world)
      note('PATCH /clock', { mode: 'manual' }, from)
      move(at)
    },
    passed(ms, programs = []) {
      counts.wallPace ??= { ms: 0, programs: new Set<string>() }
      counts.wallPace.ms += ms
      for (const name of programs) counts.wallPace.programs.add(name)
    },
    unseen({ service, ...library }) {
      const found = service === undefined ? library : { ...library, service }
      counts.unseenLibraries ??= new Map()
      counts.unseenLibraries.set(JSON.stringify(found), found)
    },
    moment: () => (waiting.size > 0 ? Math.min(...[...waiting].map(({ at }) => at)) : undefined),
    follow() {
      counts.pace = pace
    },
    fire(now) {
      for (const { at, wake } of [...waiting]) if (at <= now) wake()
    },
    release() {
      free.end()
      delete counts.pace
      for (const { wake } of [...waiting]) wake()
    },
    requests: () => ({
      ...{ open: counts.requests.length, held: counts.held },
      unanswered: counts.requests.filter(one => !hasBegun(one)).length,
      incomplete: counts.requests.filter(({ request }) => !request.complete).length,
    }),
    progress: () => new Map(counts.requests.map(one => [one, bytesOf(one)])),
    isWorking(before) {
      // A reply that has ended since then may not have been read at the look.
      if ([...before.keys()].some(one => (one as OpenRequest).place < 0)) return true
      const working = counts.requests.length - counts.held
      if (working <= 0) return false
      const waits = counts.requests.filter(one => isOthersTurn(one) && before.get(one) === bytesOf(one))
      return waits.length < working
    },
    turn: then => setImmediate(() => setImmediate(then)),
    port,
    free,
    wall,
  }
}

function bytesOf({ request }: OpenRequest): number {
  return request.socket.bytesWritten - request.socket.writableLength + request.socket.bytesRead
}

/** Whether anything of a reply was sent. One that waits behind another reply of its connection has no socket yet. */
function hasBegun({ response }: OpenRequest): boolean {
  return response.headersSent && response.socket !== null
}

/** Whether the client must send, or read, before anything happens, or another reply of the connection must end. */
function isOthersTurn({ request, response }: OpenRequest): boolean {
  const isBehind = response.writableEnded && response.socket === null
  return !request.complete || isBehind || response.writableNeedDrain || request.socket.writableLength > 0
}
