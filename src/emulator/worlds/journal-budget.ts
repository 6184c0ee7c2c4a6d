/**
 * The memory limit for all journals of an emulator together. Each journal has its own limit, but there may be thousands of worlds.
 * Each journal may always keep an equal share; other journals may use the part of a share that is free.
 */
export interface JournalBudget {
  /** Reports that a journal grew or shrank by this many bytes. */
  weigh(bytes: number): void
  /** Called after a write to a journal. While the total is too large, journals above their share drop their oldest entries, this one first. */
  keep(journal: Budgeted): void
  /** Called when a journal was emptied. It has no share until the next write. */
  forget(journal: Budgeted): void
  /** An equal text that is kept once for all entries. */
  shared(text: string): string
  readonly bytes: number
  /** The number of journals with a share. */
  readonly journals: number
}

/** What the budget needs from a journal. */
export interface Budgeted {
  dropOldest(): void
  readonly bytes: number
  isEmpty(): boolean
}

/** Longer texts are not shared, since they are rarely equal. Characters. */
export const longestShared = 512
const mostShared = 5000

/** A budget of this many bytes. */
export function createJournalBudget(maxBytes: number): JournalBudget {
  const journals = new Set<Budgeted>()
  const texts = new Map<string, string>()
  let bytes = 0
  // Iterates over the journals in a circle, so that finding one above its share costs little on average.
  let round: Iterator<Budgeted> = journals.values()

  const cut = (journal: Budgeted) => {
    const share = maxBytes / journals.size
    while (bytes > maxBytes && journal.bytes > share && !journal.isEmpty()) journal.dropOldest()
    if (journal.isEmpty()) journals.delete(journal)
  }
  const nextInRound = () => {
    const { value, done } = round.next()
    if (!done) return value
    round = journals.values()
    return round.next().value
  }

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
      journals.add(journal)
      cut(journal)
      // While the total is too large, at least one journal is above its share.
      while (bytes > maxBytes) {
        const other = nextInRound()
        if (!other) return
        cut(other)
      }
    },
    forget(journal) {
      journals.delete(journal)
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
