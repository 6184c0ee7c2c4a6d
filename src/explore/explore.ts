// Exploring a program: options, plan, runs, verdicts and reports.

export { causeText } from './judge/causes.ts'
export { counted } from './judge/counted.ts'
export { nameOfRow, type Row, requestLines, wallPaceText } from './judge/row.ts'
export { readNeed } from './patience/needs.ts'
export { type Case, casePattern, isSameCall, nameOfCase, unknown } from './plan/case.ts'
export type { Repeated } from './plan/plan.ts'
export { BaselineError, timed } from './play/baseline.ts'
export { connectEmulator } from './play/emulator-client.ts'
export { explore, prepare, type Ready } from './play/explore.ts'
export type { Explored } from './play/explore-function.ts'
export { functionExploration } from './play/explore-function.ts'
export { systemExploration } from './play/explore-system.ts'
export {
  asksForOrders,
  asksForRestarts,
  defaults,
  type ExploreOptions,
  readFailOn,
  readJobs,
  readLength,
} from './play/options.ts'
export type { ComparedCase } from './play/play-restart.ts'
export type { Exploration, Settings } from './play/settings.ts'
export { playTwice, withoutExplained } from './play/steady.ts'
export { type Accepted, knownReason } from './report/accept.ts'
export { readAcceptFile, updatedAccepts, writeAcceptFile } from './report/accept-file.ts'
export { readEarlier, readReused } from './report/earlier.ts'
export { failuresIn, type Report, reportOf, shellText } from './report/report.ts'
export { makeOutFolder, type Reporter, reporters, reportFor, writeReports } from './report/reports.ts'
export type { Subject, TimeChoice } from './run/run.ts'
export { mostLimits, times } from './run/run.ts'
export {
  type Command,
  commandSubject,
  environmentOf,
  inheritedFrom,
  standInSubject,
} from './run/run-command.ts'
export { emptyStates, keptState, putBackState, type States } from './run/state-folder.ts'
export { storiesOf, type TaskStory } from './run/world-run.ts'
export { readScale, readServices, readSystemFile } from './system/read-system.ts'
export { type System, withVariables } from './system/system.ts'
