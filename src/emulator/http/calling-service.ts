import { readlinkSync } from 'node:fs'
import type { Socket } from 'node:net'
import { environmentOf, hasWorld, procNames, procText } from '../worlds/processes.ts'
import type { World } from '../worlds/world.ts'
import type { KeyLabel } from './account.ts'

/** What the processes of connections were found to be. A connection of a pool carries many requests. */
const known = new WeakMap<Socket, { world: World; service: string | undefined }>()

/**
 * Which service of a world sent a request: the one that its key's label names; else, on Linux, the one whose process holds the other end of
 * the connection. Undefined for a call by nobody known, and in a world that was opened without services.
 */
export function callingService(world: World, keyLabel: KeyLabel, socket: Socket): string | undefined {
  const { services } = world
  if (services === undefined) return undefined
  if (keyLabel !== undefined && services.includes(keyLabel)) return keyLabel
  const found = known.get(socket)
  if (found?.world === world) return found.service
  const service = serviceHolding(socket, { id: world.id, services })
  known.set(socket, { world, service })
  return service
}

/** The service whose processes hold the other end of a connection; undefined when they are of several. */
function serviceHolding(
  socket: Socket,
  { id, services }: { id: string; services: readonly string[] },
): string | undefined {
  const link = linkTo(socket)
  if (link === undefined) return undefined
  const holders = procNames('')
    .map(Number)
    .filter(pid => pid > 0 && hasWorld(pid, id) && holds(pid, link))
  const [service, ...others] = new Set(holders.map(serviceOf))
  return service !== undefined && others.length === 0 && services.includes(service) ? service : undefined
}

/** How the client's process names its end of a connection; undefined when the client is not seen from here. */
function linkTo({
  remoteAddress = '',
  remotePort = 0,
  localAddress,
  localPort = 0,
}: Socket): string | undefined {
  if (remoteAddress !== localAddress && !/^(::ffff:)?127\.|^::1$/.test(remoteAddress)) return undefined
  const [own, other] = [remotePort, localPort].map(
    port => `:${port.toString(16).toUpperCase().padStart(4, '0')}`,
  )
  for (const table of ['net/tcp', 'net/tcp6'])
    for (const line of procText(table).split('\n')) {
      const [, local, remote, , , , , , , inode = '0'] = line.trim().split(/\s+/)
      if (local?.endsWith(own ?? '') && remote?.endsWith(other ?? '') && inode !== '0')
        return `socket:[${inode}]`
    }
  return undefined
}

function holds(pid: number, link: string): boolean {
  return procNames(`${pid}/fd`).some(fd => {
    try {
      return readlinkSync(`/proc/${pid}/fd/${fd}`) === link
    } catch {
      return false
    }
  })
}

function serviceOf(pid: number): string | undefined {
  const name = 'GATEWAY_EMULATOR_SERVICE='
  return environmentOf(pid)
    .find(one => one.startsWith(name))
    ?.slice(name.length)
}
