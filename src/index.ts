import type { RequestListener } from 'node:http'
import { createRequire } from 'node:module'
import type { Express } from 'express'
import { readStartOptions } from './emulator/options/config.ts'
import type { StartOptions } from './emulator/options/table.ts'
import { assembleEmulator, assembleInMemory, listen } from './emulator/server/emulator.ts'
import { createLoopback } from './emulator/server/open-port.ts'
import { connectEmulator, type EmulatorClient } from './explore/play/emulator-client.ts'
import { watchFakes } from './kits/client/call.ts'

export { UsageError } from './emulator/options/flags.ts'
export type { Log, RequestLine } from './emulator/options/log.ts'
export type { StartOptions } from './emulator/options/table.ts'
export type {
  PromptTag,
  ScenarioDocument,
  ScenarioPlan,
  ScenarioRule,
  ScenarioThen,
  ScenarioWhen,
} from './emulator/scenarios/scenario.ts'
export { DataDirectoryError } from './emulator/worlds/data/file-system.ts'
export type { AccountKeys } from './emulator/worlds/worlds.ts'
export type {
  Answer,
  Assumption,
  Confirmation,
  Evidence,
  Source,
} from './evidence/spec/assumptions.ts'
export type { Section } from './evidence/spec/statement.ts'
export type { ProxyObservation as ExploreHeard } from './explore/as/proxy-observation.ts'
export type { CauseEntry as ExploreCause } from './explore/judge/causes.ts'
export type {
  LifeRow as ReportLife,
  ProcessCall as ReportCall,
  RestartMoment,
  RestartRow,
  Row as ReportRow,
  SystemCalls as ReportSystemCalls,
} from './explore/judge/row.ts'
export type {
  Bill as ExploreBill,
  End as ExploreEnd,
  Level as ExploreLevel,
  Verdict as ExploreVerdict,
} from './explore/judge/verdicts.ts'
export type { Mishap } from './explore/patience/figures.ts'
export type { Halved, Shown, Tried } from './explore/patience/halving.ts'
export type {
  AnswerFigure,
  JobsFact,
  NeedResult,
  Patience,
  PatienceFigure,
} from './explore/patience/patience.ts'
export type { Failure, FailureKind } from './explore/plan/catalogue.ts'
export type { NotTried } from './explore/plan/plan.ts'
export type { TimeUsed } from './explore/play/baseline.ts'
export { connectEmulator, type EmulatorClient } from './explore/play/emulator-client.ts'
export type { Explored } from './explore/play/explore-function.ts'
export type { ExploredSystem } from './explore/play/explore-system.ts'
export type { ExploreOptions } from './explore/play/options.ts'
export type { FailOn } from './explore/play/settings.ts'
export type { Accepted, AcceptedCase, KnownProblem } from './explore/report/accept.ts'
export type { AgainRow as ReportAgain } from './explore/report/again.ts'
export type {
  Coverage as ReportCoverage,
  ProblemLines,
  UnreachedHandler,
} from './explore/report/coverage.ts'
export type { ProgramFiles as ReportProgram, Reuse as ReportReuse } from './explore/report/earlier.ts'
export type {
  BillTotals,
  Report,
  ReportData,
  Totals as ExploreTotals,
  UndisturbedRefusal,
} from './explore/report/report.ts'
export type { TimeChoice } from './explore/run/run.ts'
export type { ExploredCommand } from './explore/run/run-command.ts'
export type { ExploredFunction } from './explore/run/run-function.ts'
export { EmulatorError } from './kits/client/call.ts'
export type { ControlClient } from './kits/client/client.ts'
export type * from './kits/client/types.ts'
export type * from './kits/client/world-client.ts'

/** A running emulator for tests in code. */
export type RunningEmulator = EmulatorClient

/**
 * Starts an emulator on a port of this machine (a free one by default) and connects to it. Rejects when the port is in use, the
 * data cannot be read (DataDirectoryError), or an option or scenario is invalid (UsageError).
 */
export async function startEmulator(options: StartOptions = {}): Promise<RunningEmulator> {
  const emulator = await assembleEmulator({ port: 0, ...readStartOptions(options) })
  const { url, close } = await listen(emulator)
  const unwatch = watchFakes(warn)
  return connectEmulator(url, () => close().finally(unwatch))
}

function warn(line: string): void {
  process.stderr.write(`generation-gateway-emulator: ${line}\n`)
}

/** An Express app, typed as a request listener that Node servers, supertest and other Express apps accept. */
export type EmulatorApp = RequestListener & {
  /** A client of the same worlds, for which the app listens on a free port of the loopback address. It does not keep the process alive. */
  client(): Promise<EmulatorClient>
  /** Ends renders and their processes, and removes temporary files. */
  close(): Promise<void>
}

/**
 * The Express app without a socket, for supertest. Its worlds are in memory. Links in replies use the Host of the request, so with
 * supertest use only the path and query of a link. Throws UsageError when `startEmulator` would reject with it.
 */
export function createEmulator(
  options: Omit<StartOptions, 'dataDir' | 'port' | 'host' | 'tls'> = {},
): EmulatorApp {
  const emulator = assembleInMemory(readStartOptions(options))
  // Loaded here and not above, since `startEmulator` and `connectEmulator` do not need it.
  const express: () => Express = createRequire(import.meta.url)('express')
  const app = express()
  app.disable('x-powered-by')
  app.use((request, response) => emulator.dispatch(request, response))
  const loopback = createLoopback(app)
  const unwatch = watchFakes(warn)
  const close = () =>
    loopback
      .close()
      .then(() => emulator.close())
      .finally(unwatch)
  return Object.assign(app, { close, client: async () => connectEmulator(await loopback.url(), close) })
}
