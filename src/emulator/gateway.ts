// The Generation Gateway as it answers: its families, operations, faults, scenarios that act, and HTTP.

export { families, familyOf, familyRoutes, outputOf, readPrompt } from './families/index.ts'
export { modelNames, neutralModel } from './families/models.ts'
export { operationFacts } from './families/operation-facts.ts'
export type { Choice, Recorded } from './families/recorded.ts'
export { queuedMs, usualMs } from './families/run-times.ts'
export { type Fault, faults } from './faults/fault.ts'
export { FaultError } from './faults/fault-error.ts'
export { hostInUrl } from './http/base-url.ts'
export { askEmulator, askWith, certificateFault, directAgent, proxyHint } from './http/direct.ts'
export { listenError } from './http/listen-error.ts'
export { type Neighbour, neighbourAt } from './http/neighbour.ts'
export {
  allSpellings,
  keyHeader,
  keyIn,
  keysInHeader,
  schemeOf,
  secretHeader,
  secretsIn,
  shortestSecret,
  withoutForms,
  withoutKeys,
} from './http/secrets.ts'
export type { Endpoint } from './pipeline/endpoint.ts'
export type { Services } from './pipeline/services.ts'
export { compile } from './scenarios/compile.ts'
export { dryRun } from './scenarios/dry-run.ts'
export type { TaskTimes } from './scenarios/effects/effect.ts'
export { inertRules } from './scenarios/inert-rules.ts'
export { shippedDocuments, shippedNames } from './scenarios/known-scenarios.ts'
export { liveScenario } from './scenarios/live-rules.ts'
export { openScenarioFile } from './scenarios/load.ts'
export { refusalBy } from './scenarios/refusals.ts'
export { ScenarioError } from './scenarios/scenario-error.ts'
export type { Span } from './tasks/admission.ts'
