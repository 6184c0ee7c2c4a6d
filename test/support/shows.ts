import { expect } from 'vitest'
import { isChecked } from '../../src/evidence/selfcheck/checks.ts'
import { valuesAt } from '../../src/evidence/spec/json.ts'
import { judge, partsOf, sentenceOf } from '../../src/evidence/spec/judge.ts'
import type { Observation } from '../../src/evidence/spec/observation.ts'
import type { Predicate } from '../../src/evidence/spec/predicates.ts'
import { statements } from '../../src/evidence/spec/statements/index.ts'
import { noteSaid, seenInThisTest } from './seen-exchanges.ts'

/**
 * Says at the end of a test that it has shown rows of the specification; `docs/fidelity.md` names it for them. The predicates of a row
 * are run on the requests of this test: none may contradict it. The runs of this test must confirm it, or send a value that it allows
 * and be accepted. What `selfcheck` never sends the tests of a file must show completely; `selfcheck-rules.test.ts` shows the rest. A row
 * that no reply shows (charges, times, pixels) is shown by the assertions before this call.
 */
export function shows(...ids: readonly string[]): void {
  const call = callFrom(new Error().stack)
  for (const id of ids) {
    const row = statements.find(one => one.id === id)
    if (!row) throw new Error(`${id} is not the id of a row: see src/evidence/spec/statements`)
    const observations = seenInThisTest().map(observed => ({ ...observed, about: [id] }))
    const families = Object.values(row.seen).map(predicates => partsFor(id, predicates, observations))
    const wrong = families.flatMap(({ judged }) => judged).find(({ holds }) => !holds)
    expect(wrong && sentenceOf(wrong), `${id}: ${row.says}`).toBeUndefined()
    noteSaid({ id, call, families })
  }
}

/** File and line of the caller. */
function callFrom(stack = ''): string {
  return /[^\\/]+\.test\.ts:\d+/.exec(stack)?.[0] ?? stack
}

function partsFor(id: string, predicates: readonly Predicate[], observations: readonly Observation[]) {
  const found = predicates.map((predicate, place) => {
    const judged = observations.flatMap(observed => {
      const said = judge(id, predicate, observed)
      // Other requests of a test may be about other cases.
      return predicate.kind === 'answers' ? said.filter(({ holds }) => holds) : said
    })
    const shown = judged.flatMap(one => one.shows.map(part => `${place} ${part}`))
    const isAccepted = observations.some(observed => accepts(predicate, observed))
    const due = isChecked(predicate) ? [] : partsOf(predicate).map(part => `${place} ${part}`)
    return { judged, shown: isAccepted ? [...shown, 'a value that it allows'] : shown, due }
  })
  return {
    judged: found.flatMap(({ judged }) => judged),
    shown: found.flatMap(({ shown }) => shown),
    due: found.flatMap(({ due }) => due),
  }
}

/** Whether a value that a row allows was sent and accepted. */
function accepts(predicate: Predicate, { operation, body, status }: Observation): boolean {
  if (predicate.kind !== 'asks' || operation !== predicate.operation || status >= 300) return false
  if (predicate.given && !predicate.given.holds(body)) return false
  return Object.entries(predicate.fields).some(([name, form]) =>
    valuesAt(body, name).some(([, value]) => value !== undefined && form.has(value)),
  )
}
