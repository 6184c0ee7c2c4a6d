import { signal } from '@preact/signals'

/** The number of the request that another one is chosen to compare with. */
export const comparing = signal<number | undefined>(undefined)

/** Two requests as the address has them: `12..15`. */
export function pairIn(item: string | undefined): [string, string] | undefined {
  const [, left, right] = /^(\d+)\.\.(\d+)$/.exec(item ?? '') ?? []
  return left !== undefined && right !== undefined ? [left, right] : undefined
}

export function pairOf(left: number, right: number): string {
  return `${left}..${right}`
}
