import type { Gateway } from './gateway.ts'

/** One rule of the specification that can be seen from outside. */
export interface Rule {
  id: string
  family: 'a' | 'b' | 'c' | 'special' | 'k' | 'image'
  /** The rule in a sentence. */
  says: string
  /** Where the specification says it. */
  cites: string
  /** Ids of the statements of the specification that it shows. */
  shows?: readonly string[]
  /** True when a gateway that keeps the rule charges for the check. Refused requests cost nothing (specification, "What the service does" 7). */
  costs: boolean
  /** What the rule needs besides a key. */
  needs?: 'other account' | 'samples'
  /** Rejects with Mismatch when the gateway does not keep the rule. */
  check(gateway: Gateway): Promise<void>
}

/** The gateway does not keep a rule. */
export class Mismatch extends Error {}

/** Rejects with the given text unless the condition is true. */
export function must(holds: boolean, message: string): asserts holds {
  if (!holds) throw new Mismatch(message)
}

/** A value inside JSON, by keys and indexes; undefined when it does not exist. */
export function at(value: unknown, ...path: (string | number)[]): unknown {
  return path.reduce<unknown>(
    (inner, step) =>
      typeof inner === 'object' && inner !== null
        ? (inner as Record<string | number, unknown>)[step]
        : undefined,
    value,
  )
}

/** A text inside JSON; rejects when it is anything else. */
export function textAt(value: unknown, ...path: (string | number)[]): string {
  const found = at(value, ...path)
  must(typeof found === 'string', `${path.join('.')} is ${shown(found)} and not a text`)
  return found
}

/** A whole number inside JSON; rejects for any other value. */
export function wholeAt(value: unknown, ...path: (string | number)[]): number {
  const found = at(value, ...path)
  must(
    typeof found === 'number' && Number.isInteger(found),
    `${path.join('.')} is ${shown(found)}, not whole`,
  )
  return found
}

/** Rejects unless the value is one of the allowed ones. */
export function oneOf(what: string, found: unknown, allowed: readonly unknown[]): void {
  must(allowed.includes(found), `${what} is ${shown(found)} and none of ${allowed.join(', ')}`)
}

/** Rejects unless the value is the expected one. */
export function same(what: string, found: unknown, expected: unknown): void {
  must(found === expected, `${what} is ${shown(found)}, not ${shown(expected)}`)
}

/** A value for a message. */
export function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? 'absent'
  return text.length > 120 ? `${text.slice(0, 117)}…` : text
}
