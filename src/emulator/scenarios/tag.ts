import { readDuration } from './amounts.ts'

/** A kind of prompt tag: how its value is read, and its help. */
export interface Tag<Drawn> {
  /** Undefined for a value that is not allowed; `''` means no value. */
  read(value: string): Drawn | undefined
  /** The allowed values, when they can be listed. */
  values?: readonly string[]
  /** What follows the colon, in words; absent for a tag without a value. */
  wants?: string
  /** Example values, with the effect of each. */
  examples: readonly TagExample[]
}

/** An example value (`''` for a tag without one), and its effect. */
export interface TagExample {
  value: string
  does: string
}

/** A tag with one of a few values. */
export function choiceTag<Drawn>(
  choices: Readonly<Record<string, Drawn>>,
  examples: readonly TagExample[] = [],
): Tag<Drawn> {
  const values = Object.keys(choices)
  return {
    values,
    wants: `one of ${values.join(', ')}`,
    read: value => (Object.hasOwn(choices, value) ? choices[value] : undefined),
    examples,
  }
}

/** A tag that takes a duration, given in ms. */
export function durationTag<Drawn>(
  effect: (ms: number) => Drawn,
  examples: readonly TagExample[] = [],
): Tag<Drawn> {
  return {
    wants: 'a duration such as 30s',
    read: value => {
      const ms = readDuration(value)
      return ms === undefined ? undefined : effect(ms)
    },
    examples,
  }
}

/** A tag that takes no value. */
export function bareTag<Drawn>(effect: Drawn, does: string): Tag<Drawn> {
  return { read: value => (value === '' ? effect : undefined), examples: [{ value: '', does }] }
}
