import type { Case } from '../../src/explore/plan/case.ts'
import { failuresOf } from '../../src/explore/plan/catalogue.ts'

/** A failure of the catalogue that calls of an operation can meet. */
export function failureOf(operation: string, id: string) {
  const failure = failuresOf({ operation }).find(one => one.id === id)
  if (!failure) throw new Error(`${operation} cannot meet ${id}`)
  return failure
}

/** The case of a failure at the first call of an operation. */
export const caseOf = (operation: string, id: string): Case => ({
  operation,
  nth: 1,
  failure: failureOf(operation, id),
})
