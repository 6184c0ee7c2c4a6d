import { failuresOf } from '../../src/explore/plan/catalogue.ts'

/** A failure of the catalogue that calls of an operation can meet. */
export function failureOf(operation: string, id: string) {
  const failure = failuresOf({ operation }).find(one => one.id === id)
  if (!failure) throw new Error(`${operation} cannot meet ${id}`)
  return failure
}
