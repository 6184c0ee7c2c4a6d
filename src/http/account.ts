import type { Account, World } from '../worlds/world.ts'
import type { Worlds } from '../worlds/worlds.ts'
import { ApiError } from './errors.ts'

/** Whose request it is. */
export interface Caller {
  world: World
  account: Account
}

interface KeyAddress {
  world: string
  account: string
}

const name = '[A-Za-z0-9_-]{1,64}'
const worldKey = new RegExp(`^sk-test-(${name})(?:\\.(${name}))?$`)
const defaultKey = new RegExp(`^sk-emulator(?:\\.(${name}))?$`)
const openKey = new RegExp(`^sk-(${name})$`)
const addresses = new Map<string, KeyAddress | undefined>()
const maxRemembered = 20_000

/** The account a request is made for, active or not. Throws `unauthenticated` (Spec, "Authentication" 3) with the cause as reason. */
export function callerOf(authorization: string | undefined, worlds: Worlds): Caller {
  if (authorization === undefined) throw refused('the header is missing')
  if (!authorization.startsWith('Bearer ')) throw refused('the prefix "Bearer " is missing')
  const key = authorization.slice(7)
  if (/\s/.test(key) || key === '')
    throw refused(key.trim() === '' ? 'the key is empty' : 'the key has extra whitespace')
  const address = addressOf(key, worlds.options.auth)
  if (!address) throw refused('no such key')
  const world = worlds.open(address.world, { byKey: address.world !== 'default' })
  return { world, account: worlds.account(world, address.account) }
}

/** Throws `unauthenticated` for a disabled or deleted key. Apart from `callerOf`, so that the refusal is told in the key's own world. */
export function checkActive({ status }: Account): void {
  if (status !== 'active') throw refused(`the key is ${status}`)
}

/** The key that leads to an account of a world (interface, "Keys choose worlds"). */
export function keyOf(world: string, account = 'default'): string {
  const base = world === 'default' ? 'sk-emulator' : `sk-test-${world}`
  return account === 'default' ? base : `${base}.${account}`
}

function addressOf(key: string, auth: 'keys' | 'open'): KeyAddress | undefined {
  const remembered = `${auth}\n${key}`
  if (addresses.has(remembered)) return addresses.get(remembered)
  const address = readKey(key, auth)
  if (addresses.size >= maxRemembered) addresses.clear()
  addresses.set(remembered, address)
  return address
}

function readKey(key: string, auth: 'keys' | 'open'): KeyAddress | undefined {
  const inDefault = defaultKey.exec(key)
  if (inDefault) return { world: 'default', account: inDefault[1] ?? 'default' }
  const inWorld = worldKey.exec(key)
  if (inWorld) return { world: inWorld[1] ?? '', account: inWorld[2] ?? 'default' }
  const own = auth === 'open' ? openKey.exec(key) : null
  return own ? { world: 'default', account: own[1] ?? '' } : undefined
}

function refused(reason: string): ApiError {
  return new ApiError('unauthenticated', { reason })
}
