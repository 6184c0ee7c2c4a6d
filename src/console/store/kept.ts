import { world } from './address.ts'

/** Texts longer than this are not kept: a file inside a request would fill what a browser grants to a page. */
const longest = 500_000

/** What this browser kept under a name for this world; undefined when there is nothing, or nothing readable. */
export function kept<T>(name: string): T | undefined {
  try {
    const text = localStorage.getItem(keyOf(name))
    return text === null ? undefined : (JSON.parse(text) as T)
  } catch {
    return undefined
  }
}

/** Keeps a value over a reload; undefined forgets it. */
export function keep(name: string, value: unknown): void {
  try {
    const text = JSON.stringify(value)
    if (text === undefined || text.length > longest) localStorage.removeItem(keyOf(name))
    else localStorage.setItem(keyOf(name), text)
  } catch {
    // The browser grants no storage: drafts live as long as the page.
  }
}

function keyOf(name: string): string {
  return `emulator:${world}:${name}`
}
