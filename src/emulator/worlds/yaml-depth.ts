/** Real documents have fewer levels; the reader of YAML takes some 500. */
const most = 200

/**
 * Whether a YAML or JSON text is nested too deeply to be read. The reader uses the stack for each level, and on some of these texts
 * it ends the process. Brackets in strings are counted too, so a text with 200 unbalanced ones is refused as well.
 */
export function isTooDeepYaml(text: string): boolean {
  return mostBrackets(text) > most || mostColumns(text) > most
}

/** How many brackets are open at once. */
function mostBrackets(text: string): number {
  let [open, found] = [0, 0]
  for (const [sign] of text.matchAll(/[[\]{}]/g)) {
    open = sign === '[' || sign === '{' ? open + 1 : Math.max(0, open - 1)
    found = Math.max(found, open)
  }
  return found
}

/** How many levels the indentation can mean: each line ends the levels that begin at its column or to the right of it. */
function mostColumns(text: string): number {
  const columns: number[] = []
  let found = 0
  for (const [line, dashes = ''] of text.matchAll(/^[ \t]*((?:[-?:][ \t]+)*)\S/gm)) {
    const last = line.length - 1
    const begins = [...dashes.matchAll(/[-?:]/g)].map(({ index }) => last - dashes.length + index)
    for (const column of [...begins, last]) {
      while ((columns.at(-1) ?? -1) >= column) columns.pop()
      columns.push(column)
    }
    found = Math.max(found, columns.length)
  }
  return found
}
