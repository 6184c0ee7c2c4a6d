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

/** The world that a key leads to; undefined for a key of another form. */
export function worldOf(key: string): string | undefined {
  const [, name = 'default'] = /^(?:sk-emulator|sk-test-([A-Za-z0-9_-]+))(?:\.|$)/.exec(key) ?? [
    undefined,
    '',
  ]
  return name || undefined
}
