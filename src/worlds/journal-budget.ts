/** What all journals of an emulator may hold together: each is bounded by itself, but there may be thousands of worlds. */
export interface JournalBudget {
  /** Some journal grew or shrank by so many bytes. */
  weigh(bytes: number): void
  /** A journal was just written to. While all hold too much, the oldest entries of the one unused for longest go. */
  keep(journal: Budgeted): void
  /** A journal was emptied: until it is written to again, nothing of it is remembered. */
  forget(journal: Budgeted): void
  /** The same text, held once however many entries have it. */
  shared(text: string): string
  readonly bytes: number
  /** How many journals hold something. */
  readonly journals: number
}

/** One journal as the budget sees it. */
export interface Budgeted {
  dropOldest(): void
  isEmpty(): boolean
}

/** Longer texts are seldom the same. Characters. */
export const longestShared = 512
const mostShared = 5000

/** A budget of so many bytes. */
export function createJournalBudget(maxBytes: number): JournalBudget {
  // In order of use, the one unused for longest first.
  const journals = new Set<Budgeted>()
  const texts = new Map<string, string>()
  let bytes = 0
  let latest: Budgeted | undefined

  return {
    get bytes() {
      return bytes
    },
    get journals() {
      return journals.size
    },
    weigh(change) {
      bytes += change
    },
    keep(journal) {
      if (journal !== latest) {
        journals.delete(journal)
        journals.add(journal)
        latest = journal
      }
      for (const oldest of journals) {
        while (bytes > maxBytes && !oldest.isEmpty()) oldest.dropOldest()
        if (bytes <= maxBytes) return
        // What it held is gone; when it is written to again, it is the latest.
        journals.delete(oldest)
        if (oldest === latest) latest = undefined
      }
    },
    forget(journal) {
      journals.delete(journal)
      if (journal === latest) latest = undefined
    },
    shared(text) {
      if (text.length > longestShared) return text
      const known = texts.get(text)
      if (known !== undefined) return known
      if (texts.size >= mostShared) texts.clear()
      texts.set(text, text)
      return text
    },
  }
}
