// The words of the API and of the scenario language, names, times and texts. A page in a browser may import it, too.

export { factsOfFamily, isUnknownWord } from './families/facts.ts'
export type { Fault } from './faults/fault.ts'
export { connectionHeaders, headerOf } from './http/headers.ts'
export { isLoopback } from './http/loopback.ts'
export { downloadOperation, familyIds, globPattern, makesTask, operations } from './scenarios/operations.ts'
export {
  formOf,
  type ScenarioDocument,
  type ScenarioPlan,
  type ScenarioRule,
  type ScenarioThen,
  type ScenarioWhen,
} from './scenarios/scenario.ts'
export { escaped, installedCommand, nearSuggestion, shown, suggestion } from './wording/shown.ts'
export {
  type ClockMode,
  dayMarked,
  formatDuration,
  parseDuration,
  parseRate,
  readMoment,
} from './worlds/clock.ts'
export { deepestJson, isNestedDeeper, jsonIn } from './worlds/json-depth.ts'
export { isName, keyOf, nameRule, readKey } from './worlds/record-values.ts'
export type { Status } from './worlds/task.ts'
export type { UnseenLibrary } from './worlds/under-way.ts'
