import { readFixture } from '../../package/files.ts'

/** Consecutive characters of equal width: the first one, how many, and their width in thousandths of the font size. */
type SignRun = readonly [first: number, count: number, width: number]

/** The table of widths, read on first use. Reading it takes 4 ms, and drawings look up every character. */
let runs: readonly SignRun[] | undefined

/** The width of a character in units of the font size; undefined when no font of the package has it. */
export function signWidth(sign: string): number | undefined {
  const code = sign.codePointAt(0) ?? 0
  runs ??= readFixture<SignRun[]>('font/signs.json')
  const run = lastAtMost(runs, code)
  return run && code < run[0] + run[1] ? run[2] / 1000 : undefined
}

/** The last run that begins at this sign or before it. */
function lastAtMost(sorted: readonly SignRun[], code: number): SignRun | undefined {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sorted[middle]?.[0] ?? 0) <= code) low = middle + 1
    else high = middle
  }
  return sorted[low - 1]
}
