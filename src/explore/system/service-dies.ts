import { ruleNames, rulesByFailure, scenarioOf } from '../plan/scenario.ts'
import type { Exploration, Settings } from '../play/settings.ts'
import { downloadedFiles, keptFiles } from '../run/kept-files.ts'
import { heldRequest, type LivesOrder, type TwoLives } from '../run/two-lives.ts'
import { filesReady, inPlace, optionsOf, seenIn } from '../run/world-run.ts'
import type { System } from './system.ts'

/**
 * Runs a system, in which the service that makes the call of `one` is killed there and started again while all others live on. Without a point
 * nothing is killed. The first life is that of the service up to its death; the second one is the rest of the run, whose end is that of the driver.
 */
export async function serviceDies(exploration: Exploration, order: LivesOrder): Promise<TwoLives> {
  const { subject, settings } = exploration
  const { one, active } = order
  const rules = one ? rulesByFailure(one).flatMap(each => each.map(({ name }) => name)) : []
  const scenarios = [...(one ? [scenarioOf(one)] : []), ...active]
  return inPlace(exploration, { scenarios }, async ({ world, state = '' }) => {
    const { restartAfterMs } = settings
    const awaited = one && (await heldRequest(world, rules))
    const death = awaited && {
      reached: awaited.reached,
      afterRest: one.failure.id === 'killed_during',
      service: {
        name: () => victimOf(exploration, awaited.service()),
        caller: awaited.service,
        release: awaited.release,
        restartAfterMs,
      },
    }
    const run = await subject
      .run(world, { ...optionsOf(world, order, settings), state, ...(death && { death }) })
      .finally(() => awaited?.leave())
    const seen = await seenIn(world, exploration)
    const { requests, tasks } = seen.observed
    if (seen.wasRendering) await filesReady(tasks, settings)
    const kept = await keptFiles(state, () => downloadedFiles(world))
    const at = requests.findIndex(request => ruleNames(request).some(name => rules.includes(name)))
    const held = requests[at]
    const killed = run.system?.killed
    const early = at < 0 ? requests : requests.slice(0, at + 1)
    return {
      ...seen,
      run,
      first: { run: killed ? { ...run, ...killed } : run, requests: early, kept: at < 0 ? kept : undefined },
      second: { run, requests: at < 0 ? [] : requests.slice(at + 1), kept },
      ...(held && { held }),
      ...(killed && { killed: killed.name }),
      ...(killed?.startedAgainAt !== undefined && { startedAgainAt: killed.startedAgainAt }),
    }
  })
}

/** The service that is killed when another one, or itself, makes the call; undefined when none is. */
export function victimOf(
  { system, settings: { kill } }: { system?: System | undefined; settings: Pick<Settings, 'kill'> },
  caller: string | undefined,
): string | undefined {
  const services = system?.services ?? []
  const named = services.filter(({ of, name }) => of === kill || name === kill)
  const beside = named.find(({ isBeside }) => isBeside)
  if (beside) return beside.name
  const mayDie = kill === undefined ? services.filter(({ isBeside }) => !isBeside) : named
  return mayDie.find(({ name }) => name === caller)?.name
}
