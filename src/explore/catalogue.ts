// The failures that can be planned.

export { type FailureFilter, failuresOf } from './plan/catalogue.ts'
