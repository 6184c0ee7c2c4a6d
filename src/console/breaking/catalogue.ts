import type { Failure } from '../../explore/catalogue/failure.ts'
import { hasWords, wordsOf } from '../parts/search.ts'
import type { Entry } from '../store/shapes.ts'

/** What the groups of the catalogue are called. */
const kindTitles: Readonly<Record<Failure['kind'], string>> = {
  refusal: 'The reply is a refusal',
  connection: 'The connection breaks',
  timing: 'It takes longer',
  outcome: 'The task ends badly',
  media: 'The file is broken',
}

/** The failures of an operation that contain every word, grouped by kind. */
export function byKind(
  failures: readonly Failure[],
  { operation, search }: { operation: string; search: string },
): [string, Failure[]][] {
  const words = wordsOf(search)
  const found = failures.filter(
    one => one.operation === operation && hasWords(`${one.id} ${one.title}`, words),
  )
  return Object.entries(kindTitles).flatMap(([kind, title]): [string, Failure[]][] => {
    const list = found.filter(one => one.kind === kind)
    return list.length === 0 ? [] : [[title, list]]
  })
}

/** Every operation that can fail, and the chosen one while the catalogue is read. */
export function operationsIn(failures: readonly Failure[], chosen: string): string[] {
  return [...new Set([...(failures.length === 0 ? [chosen] : []), ...failures.map(one => one.operation)])]
}

const create = /\.(?:create|generate|enhance|regenerate)$/

/** The create that clients of this world called last. */
export function lastCreate(newestFirst: readonly Entry[]): string {
  return newestFirst.find(({ operation }) => create.test(operation))?.operation ?? 'a.create'
}
