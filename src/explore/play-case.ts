import type { ScenarioDocument } from '../scenarios/scenario.ts'
import type { Baseline } from './baseline.ts'
import { type Case, nameOfCase } from './case.ts'
import type { Observed } from './observe.ts'
import type { NotTried } from './plan.ts'
import type { Row } from './report.ts'
import { requestLines } from './request-lines.ts'
import { playingRules, scenarioOf } from './scenario.ts'
import type { Exploration } from './settings.ts'
import { notMet, verdictOf } from './verdict.ts'
import { runOnce } from './world-run.ts'

/** The result of one case: a row, or why there is none. */
export interface Played {
  row?: Row
  missed?: NotTried
}

/** Plays one case in a world of its own and judges it. */
export async function playCase(
  exploration: Exploration,
  { one, baseline }: { one: Case; baseline: Baseline },
): Promise<Played> {
  const scenario = scenarioOf(one)
  const { run, observed, stories } = await runOnce(exploration, {
    name: nameOfCase(one),
    limitMs: exploration.settings.limitMs,
    scenarios: [scenario, ...baseline.active],
  })
  if (exploration.settings.signal.aborted) return { missed: { what: nameOfCase(one), reason: 'interrupted' } }
  if (!isMet(scenario, observed)) return { missed: { what: nameOfCase(one), reason: notMet(one) } }
  const { verdict, evidence, findings } = verdictOf({ one, run, observed, baseline: baseline.observed })
  const { operation, nth, failure, and } = one
  return {
    row: {
      operation,
      nth,
      id: failure.id,
      ...(and && { and: nameOfCase(and) }),
      verdict,
      evidence,
      findings,
      scenario,
      log: lastLines(run.output),
      ms: run.ms,
      requests: requestLines(observed.requests),
      stories,
    },
  }
}

/** Whether a failure of the case has acted in the run. */
function isMet(scenario: ScenarioDocument, { requests, tasks }: Observed): boolean {
  const playing = playingRules(scenario)
  return [...requests, ...tasks].some(({ rule = '' }) => rule.split(',').some(name => playing.includes(name)))
}

const keptLines = 40

function lastLines(output: string): string {
  return output.trimEnd().split('\n').slice(-keptLines).join('\n')
}
