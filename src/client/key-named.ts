import { keyOf } from '../http/account.ts'
import { isName, nameRule } from '../worlds/names.ts'
import { EmulatorError } from './call.ts'

/** The key of a world and account; both are `default` when absent. Throws EmulatorError for a name that is not possible in a key. */
export function keyNamed(world = 'default', account = 'default'): string {
  checkName(world, 'world')
  checkName(account, 'account')
  return keyOf(world, account)
}

function checkName(given: unknown, what: 'world' | 'account'): void {
  if (typeof given === 'string' && isName(given)) return
  const message = `${JSON.stringify(given)} is not the name of ${what === 'account' ? 'an account' : 'a world'}: ${nameRule}`
  throw new EmulatorError(0, { code: 'bad_name', message, path: what })
}
