import { computed, signal } from '@preact/signals'

/** Where the console stands: a page, what is open on it, and the world. */
export interface Address {
  page: string
  /** What is open on the page, decoded. */
  item: string | undefined
}

const hash = signal(location.hash)
addEventListener('hashchange', () => {
  hash.value = location.hash
})

/** The world that everything on the page is about. */
export const world = new URLSearchParams(location.search).get('world') ?? 'default'

export const address = computed<Address>(() => {
  const [page = '', ...rest] = hash.value.replace(/^#\/?/, '').split('/')
  const item = rest.length > 0 ? decodeURIComponent(rest.join('/')) : undefined
  return { page: page === '' ? 'tasks' : page, item }
})

/** The address of a page, for links. */
export function to(page: string, item?: string): string {
  return item === undefined ? `#/${page}` : `#/${page}/${encodeURIComponent(item)}`
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
