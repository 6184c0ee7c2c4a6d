import { shellText } from '../report/replay.ts'
import type { ExploredCommand } from '../run/run-command.ts'
import type { ExploredSystem } from './explore-system.ts'
import type { ExploreOptions } from './options.ts'
import type { Settings } from './settings.ts'

/** The flags of the command line by which a case plays as it does in code. */
export function replayFlags(
  explored: ExploredCommand | ExploredSystem,
  options: ExploreOptions,
  { now, limitMs, restartAfterMs }: Pick<Settings, 'now' | 'limitMs' | 'restartAfterMs'>,
): string {
  const { kill, restartAfter, scale = {}, seed, clock, limit, withoutResult } = options
  const flag = (name: string, value: unknown, text = String(value)) =>
    value === undefined ? [] : [`--${name}`, text]
  // A text without a place to fill may be secret, and a shell can set it.
  const filled = Object.entries(explored.env ?? {}).filter(([, text]) => /\{[\w.-]+\}/.test(text))
  return shellText([
    ...('system' in explored ? flag('system', explored.system) : flag('state', explored.state)),
    ...Object.entries(scale).flatMap(([name, count]) => flag('scale', `${name}=${count}`)),
    ...flag('kill', kill),
    ...flag('restart-after', restartAfter, `${restartAfterMs}ms`),
    ...filled.flatMap(([name, text]) => flag('env', `${name}=${text}`)),
    ...flag('seed', seed),
    ...flag('now', options.now, now),
    ...flag('clock', clock),
    ...flag('limit', limit, `${limitMs}ms`),
    ...(withoutResult ? ['--without-result'] : []),
  ])
}
