import { createHash } from 'node:crypto'
import { readlinkSync } from 'node:fs'
import type { Socket } from 'node:net'
import { FaultError } from '../faults/fault.ts'
import { mostKeys } from '../worlds/account.ts'
import { environmentOf, hasWorld, procNames, procText } from '../worlds/processes.ts'
import { type KeyAddress, readKey } from '../worlds/record-values.ts'
import { type Account, put, type World } from '../worlds/world.ts'
import type { Worlds } from '../worlds/worlds.ts'

/** The world and account that a request's key leads to. */
interface Caller {
  world: World
  account: Account
  keyLabel: KeyLabel
}

export type KeyLabel = KeyAddress['label']

const openKey = /^sk-./

/**
 * The account a request is made for. Throws `unauthenticated` (Spec, "Authentication" 3) with the cause as reason. It does not
 * check whether the key is still active: `checkActive` does.
 */
export function callerOf(authorization: string | undefined, worlds: Worlds): Caller {
  const address = readAuthorization(authorization, worlds.options.auth)
  const world = worlds.open(address.world, { byKey: address.world !== 'default' })
  const account = worlds.account(world, address.account)
  return { world, account: noted(world, account, address.label), keyLabel: address.label }
}

/** The account, with a key that it has not seen before in its list. */
function noted(world: World, account: Account, label: KeyLabel): Account {
  const { keys = [] } = account
  if (label === undefined || keys.length >= mostKeys || keys.some(key => key.label === label)) return account
  const seen = { ...account, keys: [...keys, { label, isDisabled: false }] }
  put(world, 'accounts', account.id, seen)
  return seen
}

function readAuthorization(authorization: string | undefined, auth: 'keys' | 'open'): KeyAddress {
  if (authorization === undefined) throw refused('the header is missing')
  if (!authorization.startsWith('Bearer ')) throw refused('the prefix "Bearer " is missing')
  const key = authorization.slice(7)
  if (/\s/.test(key)) throw refused('the key has extra whitespace')
  const isOpen = auth === 'open' && openKey.test(key)
  const address = readKey(key) ?? (isOpen ? { world: 'default', account: openAccount(key) } : undefined)
  if (!address) throw refused('no such key')
  return address
}

/** Throws `unauthenticated` for a disabled or deleted key. Separate from `callerOf`, so that the key's own world records the refusal. */
export function checkActive({ status, keys }: Account, label: KeyLabel): void {
  if (status !== 'active') throw refused(`the key is ${status}`)
  if (keys?.some(key => key.label === (label ?? '') && key.isDisabled)) throw refused('the key is disabled')
}

/** The account of a real key. Its name is stored and shown, so it is made from a digest: no part of the key is in it. */
function openAccount(key: string): string {
  return `key-${createHash('sha256').update(key).digest('hex').slice(0, 16)}`
}

function refused(reason: string): FaultError {
  return new FaultError('unauthenticated', { reason })
}

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
