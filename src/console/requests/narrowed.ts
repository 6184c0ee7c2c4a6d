import type { RequestFilter } from '../../kits/views.ts'

export type Kind = 'all' | 'refused' | 'broken' | 'by a rule' | 'unread fields'

/** The word with which the emulator searches requests of a kind. */
export const kinds: Readonly<Record<Kind, { asked?: NonNullable<RequestFilter['kind']> }>> = {
  all: {},
  refused: { asked: 'refused' },
  broken: { asked: 'broken' },
  'by a rule': { asked: 'rule' },
  'unread fields': { asked: 'unread' },
}

/** The filters of the list. They are in the address, so that a link keeps them and they survive a reload. */
export interface Filters {
  kind: Kind
  search: string
  /** Whether equal polls in a row are one row. */
  polls: 'folded' | 'all'
}

export function readFilters(query: URLSearchParams): Filters {
  const kind = query.get('kind') ?? 'all'
  return {
    kind: Object.hasOwn(kinds, kind) ? (kind as Kind) : 'all',
    search: query.get('q') ?? '',
    polls: query.get('polls') === 'all' ? 'all' : 'folded',
  }
}

/** The filters as a query for the address; defaults are left out. */
export function queryOf({ kind, search, polls }: Filters): Record<string, string> {
  return {
    ...(kind !== 'all' && { kind }),
    ...(search !== '' && { q: search }),
    ...(polls === 'all' && { polls }),
  }
}
