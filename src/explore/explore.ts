// Exploring a program: options, plan, runs, verdicts and reports.

export { causeText } from './judge/causes.ts'
export { counted } from './judge/counted.ts'
export { requestLines } from './judge/request-lines.ts'
export { nameOfRow, type Row } from './judge/row.ts'
export { readNeed } from './patience/needs.ts'
export { type Case, isSameCall, nameOfCase } from './plan/case.ts'
export { casePattern, unknown } from './plan/pattern.ts'
export type { Repeated } from './plan/plan.ts'
export { BaselineError } from './play/baseline.ts'
export { connectEmulator } from './play/emulator-client.ts'
export { explore, prepare, type Ready } from './play/explore.ts'
export { functionExploration } from './play/explore-function.ts'
export { systemExploration } from './play/explore-system.ts'
export type { Explored } from './play/explored.ts'
export {
  asksForOrders,
  asksForRestarts,
  defaults,
  type ExploreOptions,
  readFailOn,
  readJobs,
  readLength,
} from './play/options.ts'
export type { Given } from './play/play-restart.ts'
export type { Exploration, Settings } from './play/settings.ts'
export { playTwice } from './play/steady.ts'
export { type Accepted, knownReason } from './report/accept.ts'
export { updatedAccepts, writeAcceptFile } from './report/accept-update.ts'
export { readAcceptFile } from './report/read-accepted.ts'
export { readEarlier } from './report/read-earlier.ts'
export { shellText } from './report/replay.ts'
export { failuresIn, type Report, reportOf } from './report/report.ts'
export { makeOutFolder, type Reporter, reporters, reportFor, writeReports } from './report/reports.ts'
export { keptState, putBackState } from './run/kept-state.ts'
export { mostLimits } from './run/limit.ts'
export type { Subject, TimeChoice } from './run/run.ts'
export { times } from './run/run.ts'
export {
  type Command,
  commandSubject,
  environmentOf,
  inheritedFrom,
  standInSubject,
} from './run/run-command.ts'
export { emptyStates, type States } from './run/state-folder.ts'
export { storiesOf, type TaskStory } from './run/stories.ts'
export { timed } from './run/time.ts'
export { readScale, readServices, readSystemFile } from './system/read-system.ts'
export { type System, withVariables } from './system/system.ts'
