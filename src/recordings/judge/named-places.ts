import { operationsOf, rootOf, specFamilies } from '../../spec/sight.ts'
import { statements } from '../../spec/statements/index.ts'
import type { Step } from '../read/steps.ts'

/** By operation, or `a.error`: the places in replies that rows of the specification name. */
const places = new Map<string, string[]>()
for (const { seen } of statements)
  for (const family of specFamilies)
    for (const predicate of seen[family] ?? []) {
      if (predicate.kind !== 'fields') continue
      const { view } = predicate
      for (const operation of view.endsWith('.error') ? [view] : operationsOf(view)) {
        const named = Object.keys(predicate.fields).map(name =>
          [rootOf(view, operation), name].filter(Boolean).join('.'),
        )
        places.set(operation, [...(places.get(operation) ?? []), ...named])
      }
    }

/** Whether the specification names a place in the reply, or something inside it. */
export function isNamedPlace({ operation, family, status }: Step, path: string): boolean {
  if (path === 'header.content-type') return true
  const named = places.get(status >= 400 ? `${family}.error` : operation) ?? []
  return named.some(
    name =>
      name === path || `${name}[]` === path || name.startsWith(`${path}.`) || name.startsWith(`${path}[]`),
  )
}
