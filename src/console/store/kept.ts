import { world } from './address.ts'

/** Longer texts are not stored: a file inside a request would fill the storage that a browser gives to a page. */
const longest = 500_000

/** The value that this browser stores under a name for this world; undefined when there is none. */
export function kept<T>(name: string): T | undefined {
  try {
    const text = localStorage.getItem(keyOf(name))
    return text === null ? undefined : (JSON.parse(text) as T)
  } catch {
    return undefined
  }
}

/** Stores a value in this browser, so that it survives a reload; undefined removes it. False when it is too long to be stored. */
export function keep(name: string, value: unknown, most = longest): boolean {
  try {
    const text = JSON.stringify(value)
    if (text === undefined || text.length > most) localStorage.removeItem(keyOf(name))
    else localStorage.setItem(keyOf(name), text)
    return text !== undefined && text.length <= most
  } catch {
    // Without storage, drafts live as long as the page.
    return false
  }
}

function keyOf(name: string): string {
  return `emulator:${world}:${name}`
}
