/** The names of worlds, accounts and scenarios, as a part of a pattern. */
export const nameForm = '[A-Za-z0-9_-]{1,64}'
/** The whole pattern, for JSON Schemas. */
export const namePattern = `^${nameForm}$` as const
/** What a name may hold, for messages. */
export const nameRule = '1 to 64 letters, digits, _ or -'

const wholeName = new RegExp(namePattern)

/** Whether a text can be the name of a world or an account. */
export function isName(text: string): boolean {
  return wholeName.test(text)
}

/** The key that leads to an account of a world. A label makes it another key of that account. */
export function keyOf(world: string, account = 'default', label = ''): string {
  const base = world === 'default' ? 'sk-emulator' : `sk-test-${world}`
  const first = account === 'default' ? base : `${base}.${account}`
  return label === '' ? first : `${first}:${label}`
}

/** What a key names. */
export interface KeyAddress {
  world: string
  account: string
  /** Tells the keys of one account apart (A-keys); undefined for its first one. */
  label?: string | undefined
}

const keyForm = new RegExp(`^(?:sk-emulator|sk-test-(${nameForm}))(?:\\.(${nameForm}))?(?::(${nameForm}))?$`)

/** Reads a key; undefined for one of another form. */
export function readKey(key: string): KeyAddress | undefined {
  const found = keyForm.exec(key)
  if (!found) return undefined
  const [, world = 'default', account = 'default', label] = found
  return { world, account, label }
}
