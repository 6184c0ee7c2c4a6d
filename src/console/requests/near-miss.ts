import type { Difference } from './difference.ts'

/** The reasons of a near miss as pairs of wanted and found values; other reasons stay sentences. */
export function missDifferences(reasons: readonly string[]): { list: Difference[]; rest: string[] } {
  const list: Difference[] = []
  const rest: string[] = []
  for (const reason of reasons) {
    const [, path, left, right] = /^(.+?): wanted (.*), was (.*)$/s.exec(reason) ?? []
    if (path === undefined) rest.push(reason)
    else list.push({ path, left, right })
  }
  return { list, rest }
}
