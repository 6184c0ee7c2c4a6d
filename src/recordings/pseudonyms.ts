/** Names that replace secrets. The same secret has the same name in the whole recording. */
export interface Pseudonyms {
  /** The name for a value of a kind: `link-1`, `link-2`. */
  name(kind: string, value: string): string
  /** The same; from now on the value is also hidden wherever it appears. */
  hide(kind: string, value: string): string
  /** Hidden values and their names, longest first. */
  hidden(): readonly (readonly [value: string, name: string])[]
}

const mostHidden = 5000

/** An empty set of names. `words` are hidden from the start. */
export function createPseudonyms(words: readonly string[] = []): Pseudonyms {
  const names = new Map<string, string>()
  const counts = new Map<string, number>()
  const hidden = new Map<string, string>()
  let sorted: (readonly [string, string])[] | undefined
  const name = (kind: string, value: string) => {
    const key = `${kind}\n${value}`
    const known = names.get(key)
    if (known !== undefined) return known
    const number = (counts.get(kind) ?? 0) + 1
    counts.set(kind, number)
    const given = `${kind}-${number}`
    names.set(key, given)
    return given
  }
  const conceal = (value: string, given: string) => {
    if (hidden.has(value) || hidden.size >= mostHidden) return
    hidden.set(value, given)
    hidden.set(encodeURIComponent(value), given)
    sorted = undefined
  }
  for (const word of words) conceal(word, name('word', word))
  return {
    name,
    hide(kind, value) {
      const given = name(kind, value)
      if (isTelling(value)) conceal(value, given)
      return given
    },
    hidden() {
      sorted ??= [...hidden].sort(([a], [b]) => b.length - a.length)
      return sorted
    },
  }
}

/** A short plain word, such as "default", also appears where it is not a secret. */
function isTelling(value: string): boolean {
  if (value.length >= 12) return true
  return value.length >= 6 && /\d|[A-Z].*[a-z]|[a-z].*[A-Z]|[^A-Za-z\s]/.test(value)
}
