// The specification as rows, and the assumptions where it is silent.

export type { Assumption } from './spec/assumptions.ts'
export { assumptions, type ConfirmedRows } from './spec/assumptions.ts'
export { at } from './spec/json.ts'
