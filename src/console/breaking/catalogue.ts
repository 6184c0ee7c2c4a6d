import { hasWords, wordsOf } from '../parts/lists.ts'
import type { Entry } from '../store/shapes.ts'
import { type Breakage, breakageText } from './breakage.ts'

/** What the groups of the catalogue are called. */
const kindTitles: Readonly<Record<Breakage['kind'], string>> = {
  refusal: 'The reply is a refusal',
  connection: 'The connection breaks',
  timing: 'It takes longer',
  outcome: 'The task ends badly',
  media: 'The file is broken',
  restart: 'Held, so that you can kill your program there',
}

/** The failures of an operation that contain every word, grouped by kind. */
export function byKind(
  failures: readonly Breakage[],
  { operation, search }: { operation: string; search: string },
): [string, Breakage[]][] {
  const words = wordsOf(search)
  const found = failures.filter(
    one => one.operation === operation && hasWords(`${one.id} ${breakageText(one)}`, words),
  )
  return Object.entries(kindTitles).flatMap(([kind, title]): [string, Breakage[]][] => {
    const list = found.filter(one => one.kind === kind)
    return list.length === 0 ? [] : [[title, list]]
  })
}

/** Every operation that can fail, and the chosen one while the catalogue is read. */
export function operationsIn(failures: readonly Breakage[], chosen: string): string[] {
  return [...new Set([...(failures.length === 0 ? [chosen] : []), ...failures.map(one => one.operation)])]
}

const create = /\.(?:create|generate|enhance|regenerate)$/

/** The create that clients of this world called last. */
export function lastCreate(newestFirst: readonly Entry[]): string {
  return newestFirst.find(({ operation }) => create.test(operation))?.operation ?? 'a.create'
}
