import { computed, signal } from '@preact/signals'
import { isName } from '../../emulator/words.ts'

/** The address inside the console. */
export interface Address {
  page: string
  /** What is open on the page, decoded. */
  item: string | undefined
  /** The filters of the page. */
  query: URLSearchParams
}

const hash = signal(location.hash)
/** The page and item before the present ones; undefined on the first. */
let before: Address | undefined
addEventListener('hashchange', () => {
  before = address.peek()
  hash.value = location.hash
})

/** The item of this page that was open before the present address: its list gives it the focus back. */
export function cameFrom(page: string): string | undefined {
  return before?.page === page ? before.item : undefined
}

/** The world that the page shows. */
export const world = new URLSearchParams(location.search).get('world') ?? 'default'

export const address = computed<Address>(() => {
  const [place = '', query = ''] = hash.value.replace(/^#\/?/, '').split('?', 2)
  const [page = '', ...rest] = place.split('/')
  const item = rest.length > 0 ? decoded(rest.join('/')) : undefined
  return { page: page === '' ? 'tasks' : page, item, query: new URLSearchParams(query) }
})

/** A text that cannot be decoded stays as it is; the page then says that it is unknown. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Whether the name of the world in the address is valid. */
export const isWorldName = isName(world)

/** The address of a page, for links. */
export function to(page: string, item?: string, query: Readonly<Record<string, string>> = {}): string {
  const place = item === undefined ? `#/${page}` : `#/${page}/${encodeURIComponent(item)}`
  const text = new URLSearchParams(query).toString()
  return text === '' ? place : `${place}?${text}`
}

/** Changes the filters in the address without a new entry in the browser's history. */
export function narrowTo(query: Readonly<Record<string, string>>): void {
  const { page, item } = address.peek()
  history.replaceState(history.state, '', to(page, item, query))
  hash.value = location.hash
}

export function go(page: string, item?: string): void {
  location.hash = to(page, item)
}

/** Opens another world. The page is loaded again, so that no state of the old world remains. */
export function openWorld(id: string): void {
  location.assign(
    `${id === 'default' ? location.pathname : `?world=${encodeURIComponent(id)}`}#/${address.value.page}`,
  )
}
