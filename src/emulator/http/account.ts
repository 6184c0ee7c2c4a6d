import { createHash } from 'node:crypto'
import { FaultError } from '../faults/fault.ts'
import { mostKeys } from '../worlds/account.ts'
import { type KeyAddress, readKey } from '../worlds/record-values.ts'
import { type Account, put, type World } from '../worlds/world.ts'
import type { Worlds } from '../worlds/worlds.ts'

/** The world and account that a request's key leads to. */
export interface Caller {
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
