import { signal } from '@preact/signals'
import type { Entry } from '../store/shapes.ts'

/** The request that another one of its operation is chosen to compare with. */
export const comparing = signal<Entry | undefined>(undefined)

/** Two requests as the address has them: `12..15`. */
export function pairIn(item: string | undefined): [string, string] | undefined {
  const [, left, right] = /^(\d+)\.\.(\d+)$/.exec(item ?? '') ?? []
  return left !== undefined && right !== undefined ? [left, right] : undefined
}

export function pairOf(left: number, right: number): string {
  return `${left}..${right}`
}
