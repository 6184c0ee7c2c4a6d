import { createHash } from 'node:crypto'
import { FaultError } from '../faults/fault-error.ts'
import { nameForm } from '../worlds/names.ts'
import type { Account, World } from '../worlds/world.ts'
import type { Worlds } from '../worlds/worlds.ts'

/** The world and account that a request's key leads to. */
export interface Caller {
  world: World
  account: Account
}

interface KeyAddress {
  world: string
  account: string
}

const worldKey = new RegExp(`^sk-test-(${nameForm})(?:\\.(${nameForm}))?$`)
const defaultKey = new RegExp(`^sk-emulator(?:\\.(${nameForm}))?$`)
const openKey = /^sk-./

/**
 * The account a request is made for. Throws `unauthenticated` (Spec, "Authentication" 3) with the cause as reason. It does not
 * check whether the key is still active: `checkActive` does.
 */
export function callerOf(authorization: string | undefined, worlds: Worlds): Caller {
  const address = readAuthorization(authorization, worlds.options.auth)
  const world = worlds.open(address.world, { byKey: address.world !== 'default' })
  return { world, account: worlds.account(world, address.account) }
}

function readAuthorization(authorization: string | undefined, auth: 'keys' | 'open'): KeyAddress {
  if (authorization === undefined) throw refused('the header is missing')
  if (!authorization.startsWith('Bearer ')) throw refused('the prefix "Bearer " is missing')
  const key = authorization.slice(7)
  if (/\s/.test(key)) throw refused('the key has extra whitespace')
  const address = readKey(key, auth)
  if (!address) throw refused('no such key')
  return address
}

/** Throws `unauthenticated` for a disabled or deleted key. Separate from `callerOf`, so that the key's own world records the refusal. */
export function checkActive({ status }: Account): void {
  if (status !== 'active') throw refused(`the key is ${status}`)
}

function readKey(key: string, auth: 'keys' | 'open'): KeyAddress | undefined {
  const inDefault = defaultKey.exec(key)
  if (inDefault) return { world: 'default', account: inDefault[1] ?? 'default' }
  const inWorld = worldKey.exec(key)
  if (inWorld) return { world: inWorld[1] ?? '', account: inWorld[2] ?? 'default' }
  return auth === 'open' && openKey.test(key) ? { world: 'default', account: openAccount(key) } : undefined
}

/** The account of a real key. Its name is stored and shown, so it is made from a digest: no part of the key is in it. */
function openAccount(key: string): string {
  return `key-${createHash('sha256').update(key).digest('hex').slice(0, 16)}`
}

function refused(reason: string): FaultError {
  return new FaultError('unauthenticated', { reason })
}
