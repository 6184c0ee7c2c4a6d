/**
 * What all journals of an emulator may hold together: each is bounded by itself, but there may be thousands of worlds. Each journal
 * may keep an equal share, whatever the others do; what one does not use, others may.
 */
export interface JournalBudget {
  /** Some journal grew or shrank by so many bytes. */
  weigh(bytes: number): void
  /** A journal was just written to. While all hold too much, those above their share lose their oldest entries, this one first. */
  keep(journal: Budgeted): void
  /** A journal was emptied: until it is written to again, it has no share. */
  forget(journal: Budgeted): void
  /** The same text, held once however many entries have it. */
  shared(text: string): string
  readonly bytes: number
  /** How many journals have a share. */
  readonly journals: number
}

/** One journal as the budget sees it. */
export interface Budgeted {
  dropOldest(): void
  readonly bytes: number
  isEmpty(): boolean
}

/** Longer texts are seldom the same. Characters. */
export const longestShared = 512
const mostShared = 5000

/** A budget of so many bytes. */
export function createJournalBudget(maxBytes: number): JournalBudget {
  const journals = new Set<Budgeted>()
  const texts = new Map<string, string>()
  let bytes = 0
  // Goes round over the journals, so that finding one above its share costs little on average.
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
      // While all hold too much, at least one holds more than its share.
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
