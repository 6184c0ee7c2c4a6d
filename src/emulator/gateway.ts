// The Generation Gateway as it answers: its families, operations, faults, scenarios that act, and HTTP.

export type { Choice, Recorded } from './families/family.ts'
export { families, familyOf, familyRoutes, operationFacts, outputOf, readPrompt } from './families/index.ts'
export { modelNames, neutralModel } from './families/models.ts'
export { queuedMs, usualMs } from './families/video-recipe.ts'
export { type Fault, FaultError, faults } from './faults/fault.ts'
export {
  askEmulator,
  askWith,
  certificateFault,
  directAgent,
  listenError,
  type Neighbour,
  neighbourAt,
  proxyHint,
} from './http/direct.ts'
export { hostInUrl } from './http/origin.ts'
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
export type { Endpoint, Services } from './pipeline/endpoint.ts'
export { checkShape } from './scenarios/check.ts'
export { compile } from './scenarios/compile.ts'
export { dryRun } from './scenarios/dry-run.ts'
export type { TaskTimes } from './scenarios/effects/effect.ts'
export { beginsInside, changesFile, type SpelledMedia } from './scenarios/effects/media.ts'
export { inertRules } from './scenarios/inert-rules.ts'
export { shippedDocuments, shippedNames } from './scenarios/known-scenarios.ts'
export { openDocument, openScenarioFile } from './scenarios/load.ts'
export { refusalBy } from './scenarios/refusals.ts'
export { ScenarioError } from './scenarios/scenario-error.ts'
export { liveScenario } from './scenarios/shadows.ts'
export type { Span } from './tasks/admission.ts'
