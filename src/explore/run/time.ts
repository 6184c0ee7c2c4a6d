import { type Baseline, BaselineError, baselineOf, notDriven } from '../play/baseline.ts'
import type { Exploration } from '../play/settings.ts'
import type { TimeChoice } from './run.ts'

/** The time in which a program was explored, and why. */
export interface TimeUsed {
  /** Which time it was. */
  used: Exclude<TimeChoice, 'auto'>
  /** The reason, as a sentence. */
  why: string
}

/** The undisturbed run, and the time in which it was made. */
export interface TimedBaseline {
  baseline: Baseline
  time: TimeUsed
}

/**
 * Runs the program undisturbed, in the time that the settings choose. With `auto`, virtual time is used when the program's own sleeps
 * moved the clock of its world. When the undisturbed run fails with virtual time, it is made again in real time. Throws BaselineError.
 */
export async function timedBaseline(exploration: Exploration): Promise<TimedBaseline> {
  const { time } = exploration.settings
  if (time !== 'auto')
    return { baseline: await baselineOf(exploration), time: { used: time, why: 'as asked for' } }
  const tried = await baselineOf(exploration).catch(error => {
    if (error instanceof BaselineError && !error.isFinal && !exploration.settings.signal.aborted) return error
    throw error
  })
  if (tried instanceof BaselineError) return inRealTime(exploration, tried)
  const { untied = [] } = tried.system ?? {}
  if (untied.length > 0)
    return {
      baseline: await baselineOf(timed(exploration, 'real')),
      time: {
        used: 'real',
        why: `no process of ${untied.join(', ')} could be tied to the clock of its world; only those of Node and Python can be`,
      },
    }
  if (tried.observed.isDriven)
    return { baseline: tried, time: { used: 'virtual', why: "the program's own sleeps move the clock" } }
  return { baseline: tried, time: { used: 'real', why: notDriven } }
}

async function inRealTime(exploration: Exploration, { message }: BaselineError): Promise<TimedBaseline> {
  const why = `with virtual time ${message.charAt(0).toLowerCase()}${message.slice(1)}`
  return { baseline: await baselineOf(timed(exploration, 'real')), time: { used: 'real', why } }
}

export function timed(exploration: Exploration, time: TimeUsed['used']): Exploration {
  return { ...exploration, settings: { ...exploration.settings, time } }
}
