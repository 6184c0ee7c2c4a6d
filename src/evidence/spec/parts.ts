import type { Form } from './forms.ts'
import { type Answers, any4xx, type Expires, type Moves, type Predicate } from './predicates.ts'

/** What must have been seen of a predicate, in one sight or in several, before its row is confirmed. */
export function partsOf(predicate: Predicate): string[] {
  switch (predicate.kind) {
    case 'fields':
    case 'asks':
      return Object.entries(predicate.fields).flatMap(([name, { parts, values }]) => {
        const listed = values && [...values.map(String), ...(predicate.kind === 'asks' ? [another] : [])]
        const all = parts ? Object.keys(parts) : listed
        return all?.map(part => `${name} ${part}`) ?? [name]
      })
    case 'files':
      return predicate.of === 'image/' ? ['file.type', 'file.size'] : ['file.type']
    case 'moves':
      return predicate.from === predicate.to
        ? [...predicate.from]
        : predicate.from.flatMap(before => predicate.to.map(now => moveOf(predicate, before, now)))
    case 'deletes':
      return [...predicate.from]
    case 'expires':
      return Object.keys(livesOf(predicate))
    case 'declared':
      return predicate.statuses === any4xx ? ['4xx'] : predicate.statuses.map(String)
    case 'agrees':
      return predicate.isNeverShown ? [] : [predicate.path]
    case 'filtered':
      return predicate.isNeverShown ? [] : [predicate.parameter]
    case 'answers':
      return [...(predicate.cases ?? [oneCase(predicate)])]
  }
}

/** The part of a list of values that a refused value shows. */
const another = 'another value'

/** A change of state; only the side that varies is named. */
export function moveOf({ from, to }: Moves, before: string, now: string): string {
  if (from.length === 1) return now
  return to.length === 1 ? before : `${before} to ${now}`
}

export function oneCase({ ask, statuses }: Answers): string {
  return ask ? `${ask.method ?? 'GET'} ${ask.path}` : `${statuses[0]}`
}

/** What downloads show of a life, each with the hours after the end in which they do. "About" is 5 %. */
export function livesOf({ hours }: Expires): Record<string, readonly [from: number, to: number]> {
  return {
    [`works until ${hours} h`]: [hours * 0.9, hours * 1.05],
    [`refused after ${hours} h`]: [hours * 0.95, hours * 1.15],
  }
}

/** The parts of a form that a value shows. */
export function shownBy(name: string, { parts, values }: Form, value: unknown): string[] {
  if (!parts && values) return [`${name} ${values.includes(value) ? value : another}`]
  if (!parts) return [name]
  return Object.keys(parts)
    .filter(part => parts[part]?.(value))
    .map(part => `${name} ${part}`)
}
