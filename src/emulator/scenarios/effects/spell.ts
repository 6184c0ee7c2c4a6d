import { formatDuration } from '../../worlds/clock.ts'
import type { Effects } from '../scenario.ts'
import { spellConnection } from './connection.ts'
import type { SpelledThen } from './index.ts'
import { spellMedia } from './media.ts'
import type { Refusal, SpelledRefusal } from './refuse.ts'
import type { SpelledTask, TaskEffect } from './task.ts'

/** Effects as a rule writes them, with durations as they were drawn; undefined without any. */
export function spellEffects({ refuse, connection, media, clock, task }: Effects): SpelledThen | undefined {
  const then = {
    ...(clock && { clock: { advance: formatDuration(clock.advanceMs) } }),
    ...(connection && { connection: spellConnection(connection) }),
    ...(refuse && { refuse: spellRefusal(refuse) }),
    ...(task && { task: spellTask(task) }),
    ...(media && { media: spellMedia(media) }),
  }
  return Object.keys(then).length > 0 ? (then as SpelledThen) : undefined
}

/** A refusal as a rule writes it. */
function spellRefusal({ retryAfterMs, proxyPage, ...rest }: Refusal): SpelledRefusal {
  return {
    ...rest,
    ...(proxyPage !== undefined && { proxy_page: proxyPage }),
    ...(retryAfterMs !== undefined && { retry_after: formatDuration(retryAfterMs) }),
  } as SpelledRefusal
}

/** The changes of a rule to a task, as it writes them. */
function spellTask({ queuedMs, runningMs, goneMs, ...rest }: TaskEffect): SpelledTask {
  return {
    ...rest,
    ...(queuedMs !== undefined && { queued: formatDuration(queuedMs) }),
    ...(runningMs !== undefined && { running: formatDuration(runningMs) }),
    ...(goneMs !== undefined && { gone: formatDuration(goneMs) }),
  } as SpelledTask
}
