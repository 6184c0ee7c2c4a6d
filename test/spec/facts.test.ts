import { describe, expect, it } from 'vitest'
import { operationsMatching } from '../../src/emulator/scenarios/operations.ts'
import { refusals } from '../../src/emulator/scenarios/refusals.ts'
import { any4xx } from '../../src/evidence/spec/predicates.ts'
import { specFamilies } from '../../src/evidence/spec/sight.ts'
import { statements } from '../../src/evidence/spec/statements/index.ts'

const predicates = statements.flatMap(({ id, seen = {} }) =>
  specFamilies.flatMap(family => (seen[family] ?? []).map(predicate => ({ id, predicate }))),
)
const sorted = (some: readonly number[]) => [...new Set(some)].sort()

describe('the rows of the specification keep numbers of their own, and the facts of the emulator are the same', () => {
  const declared = predicates.flatMap(({ id, predicate }) =>
    predicate.kind === 'declared' ? [[id, predicate] as const] : [],
  )

  it.each(declared)('%s: the statuses of refusals', (_, { operations, statuses, others }) => {
    const lines = operationsMatching(`${operations}*`).flatMap(operation => refusals[operation])
    const own = lines.filter(({ by }) => by === 'own')
    if (statuses === any4xx) {
      expect(own.length).toBeGreaterThan(5)
      for (const { wholeClass } of own) expect(wholeClass).toBe('4XX')
      return
    }
    expect(sorted(own.flatMap(line => line.statuses))).toEqual(statuses)
    const made = lines.filter(({ by, source }) => by === 'every' || source === 'A-body')
    const rest = made.flatMap(line => line.statuses).filter(status => !statuses.includes(status))
    expect(sorted(rest)).toEqual(others)
  })
})
