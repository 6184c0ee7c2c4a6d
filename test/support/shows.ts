import { expect } from 'vitest'
import { valuesAt } from '../../src/spec/json.ts'
import { judge, sentenceOf } from '../../src/spec/judge.ts'
import type { Predicate } from '../../src/spec/predicates.ts'
import type { Sight } from '../../src/spec/sight.ts'
import { statements } from '../../src/spec/statements/index.ts'
import { noteSaid, seenInThisTest } from './seen-exchanges.ts'

/**
 * Says at the end of a test that it has shown rows of the specification; `docs/fidelity.md` names it for them. The predicate of a row
 * is run on the requests of this test: none may contradict it, and one must confirm it, or send a value that the row allows and be
 * accepted. The cases of a test show a row together. A row that no reply shows (charges, times, pixels) is shown by the assertions
 * before this call.
 */
export function shows(...ids: readonly string[]): void {
  for (const id of ids) {
    const row = statements.find(one => one.id === id)
    if (!row) throw new Error(`${id} is not the id of a row: see src/spec/statements`)
    const predicates = Object.values(row.seen).flat()
    const sights = seenInThisTest().map(sight => ({ ...sight, about: [id] }))
    const judged = predicates.flatMap(predicate =>
      sights.flatMap(sight => {
        const found = judge(id, predicate, sight)
        // Other requests of a test may be about other cases.
        return predicate.kind === 'answers' ? found.filter(({ holds }) => holds) : found
      }),
    )
    const wrong = judged.find(({ holds }) => !holds)
    expect(wrong && sentenceOf(wrong), `${id}: ${row.says}`).toBeUndefined()
    const isAccepted = predicates.some(predicate => sights.some(sight => accepts(predicate, sight)))
    noteSaid(id, judged.length > 0 || isAccepted || predicates.length === 0)
  }
}

/** Whether a value that a row allows was sent and accepted. */
function accepts(predicate: Predicate, { operation, body, status }: Sight): boolean {
  if (predicate.kind !== 'asks' || operation !== predicate.operation || status >= 300) return false
  if (predicate.given && !predicate.given.holds(body)) return false
  return Object.entries(predicate.fields).some(([name, form]) =>
    valuesAt(body, name).some(([, value]) => value !== undefined && form.has(value)),
  )
}
