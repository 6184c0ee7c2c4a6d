import { readFixture } from '../../package/files.ts'

/** A row of signs that follow each other and are equally wide: the first one, how many, and thousandths of the type's size. */
type Run = readonly [first: number, count: number, width: number]

/** The table of widths, read on first use and once: drawings ask for every sign. */
let runs: readonly Run[] | undefined

/** How wide our fonts draw a sign, in units of the size of the type; undefined when no font of ours has it. */
export function signWidth(sign: string): number | undefined {
  const code = sign.codePointAt(0) ?? 0
  runs ??= readFixture<Run[]>('font/signs.json')
  const run = lastAtMost(runs, code)
  return run && code < run[0] + run[1] ? run[2] / 1000 : undefined
}

/** The last run that begins at this sign or before it. */
function lastAtMost(sorted: readonly Run[], code: number): Run | undefined {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sorted[middle]?.[0] ?? 0) <= code) low = middle + 1
    else high = middle
  }
  return sorted[low - 1]
}
