import { computed, signal } from '@preact/signals'

/** Where the console stands: a page, what is open on it, and the world. */
export interface Address {
  page: string
  /** What is open on the page, decoded. */
  item: string | undefined
  /** What the page is narrowed to. */
  query: URLSearchParams
}

const hash = signal(location.hash)
/** The page and item before the present ones; undefined on the first. */
let before: Address | undefined
addEventListener('hashchange', () => {
  before = address.peek()
  hash.value = location.hash
})

/** The item of a page from which the present address was reached: a list puts the focus back on it. */
export function cameFrom(page: string): string | undefined {
  return before?.page === page ? before.item : undefined
}

/** The world that everything on the page is about. */
export const world = new URLSearchParams(location.search).get('world') ?? 'default'

export const address = computed<Address>(() => {
  const [place = '', query = ''] = hash.value.replace(/^#\/?/, '').split('?', 2)
  const [page = '', ...rest] = place.split('/')
  const item = rest.length > 0 ? decoded(rest.join('/')) : undefined
  return { page: page === '' ? 'tasks' : page, item, query: new URLSearchParams(query) }
})

/** A text that is no URI component stays as it is: its page says that it is unknown. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Whether the address names a world that can be. */
export const isWorldName = /^[A-Za-z0-9_-]{1,64}$/.test(world)

/** The address of a page, for links. */
export function to(page: string, item?: string, query: Readonly<Record<string, string>> = {}): string {
  const place = item === undefined ? `#/${page}` : `#/${page}/${encodeURIComponent(item)}`
  const text = new URLSearchParams(query).toString()
  return text === '' ? place : `${place}?${text}`
}

/** Changes what the page is narrowed to; going back leads to the page before, not to the letters before. */
export function narrowTo(query: Readonly<Record<string, string>>): void {
  const { page, item } = address.peek()
  history.replaceState(history.state, '', to(page, item, query))
  hash.value = location.hash
}

export function go(page: string, item?: string): void {
  location.hash = to(page, item)
}

/** Another world is another load of the page: nothing of the old one stays behind. */
export function openWorld(id: string): void {
  location.assign(
    `${id === 'default' ? location.pathname : `?world=${encodeURIComponent(id)}`}#/${address.value.page}`,
  )
}
