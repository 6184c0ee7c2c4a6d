import { X509Certificate } from 'node:crypto'
import { lookup } from 'node:dns/promises'
import { once as happened } from 'node:events'
import { createServer as createHttpServer, type RequestListener, type Server } from 'node:http'
import { type AddressInfo, createServer, type Server as Socket } from 'node:net'
import { once } from '../../media/index.ts'
import { isLoopback } from '../http/loopback.ts'
import { pause } from '../worlds/wait.ts'
import { type Door, endsSeen } from './closing.ts'

/** An open port. */
interface OpenPort {
  port: number
  /** Closes it at all its addresses. */
  door: Door
  /** Whether `localhost` and 127.0.0.1 lead here, and to nobody else. */
  hasLoopbackNames: boolean
  /** Whether another program has the port at `::1`. */
  isTwinTaken: boolean
}

/** Addresses to listen at beside which `::1` is one more: `localhost` may be either. */
const withTwin = ['127.0.0.1', 'localhost', '0.0.0.0']
const mostTries = 20

/**
 * Opens a port of a host, and the same port of `::1` where the host is one for this machine: many clients try that address first for
 * `localhost`. Rejects with the system's error when the port of the host is taken; that of `::1` may be.
 */
export async function openPort(
  server: Server,
  { host, port }: { host: string; port: number },
  certificate?: string | Buffer,
): Promise<OpenPort> {
  for (let tries = 1; ; tries++) {
    await listenAt(server, host === 'localhost' ? '127.0.0.1' : host, port)
    const opened = (server.address() as AddressInfo).port
    const twin = withTwin.includes(host) ? await twinOf(server, opened) : 'none'
    // A free port of one address may be in use at the other.
    if (twin === 'taken' && port === 0 && tries < mostTries) await closed(server)
    else {
      const isAtBoth = host === '::' || (withTwin.includes(host) && twin !== 'taken')
      const hasLoopbackNames = isAtBoth && isFor(certificate) && (await isLocalhostHere())
      const door = typeof twin === 'string' ? server : doorOf(server, twin)
      return { port: opened, door, hasLoopbackNames, isTwinTaken: twin === 'taken' }
    }
  }
}

/** A second socket whose connections are the server's. `none` on a machine without `::1`. */
async function twinOf(server: Server, port: number): Promise<Socket | 'taken' | 'none'> {
  const allowHalfOpen = !('setSecureContext' in server)
  const twin = createServer({ allowHalfOpen, noDelay: true }, socket => server.emit('connection', socket))
  try {
    await listenAt(twin, '::1', port)
    return twin
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EADDRINUSE' ? 'taken' : 'none'
  }
}

function listenAt(server: Socket, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject).listen(port, host, () => {
      server.off('error', reject)
      resolve()
    })
  })
}

function closed(server: Socket): Promise<void> {
  return new Promise(resolve => server.close(() => resolve()))
}

function doorOf(server: Server, twin: Socket): Door {
  return {
    close: done => Promise.all([closed(server), closed(twin)]).then(() => done()),
    closeIdleConnections: () => server.closeIdleConnections(),
    closeAllConnections: () => server.closeAllConnections(),
  }
}

/** Whether a client accepts a certificate for both names. */
function isFor(certificate: string | Buffer | undefined): boolean {
  if (certificate === undefined) return true
  const read = new X509Certificate(certificate)
  return read.checkHost('localhost') !== undefined && read.checkIP('127.0.0.1') !== undefined
}

/** A machine without a file of hosts does not know the name, or asks a server that may answer anything. */
const isLocalhostHere = once(() => Promise.race([looksUpLocalhost(), pause(lookupMs).then(() => false)]))
/** How long a start waits for what the name means, wall ms. */
const lookupMs = 500

async function looksUpLocalhost(): Promise<boolean> {
  const found = await lookup('localhost', { all: true }).catch(() => [])
  return found.length > 0 && found.every(({ address }) => isLoopback(address))
}

/** A loopback server for a handler, started at first use. */
interface Loopback {
  /** The base address, without a slash at the end. */
  url(): Promise<string>
  close(): Promise<void>
}

/** Listens on a free port of the loopback address; does not keep the process alive. */
export function createLoopback(handle: RequestListener): Loopback {
  let server: Server | undefined
  const url = once(async () => {
    const opened = createHttpServer(handle).unref()
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
      const closed = happened(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
      await endsSeen()
    },
  }
}
