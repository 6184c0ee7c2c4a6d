import { formatDuration } from '../../emulator/words.ts'
import type { LengthName, Mishap } from './figures.ts'
import type { Halved } from './halving.ts'

/** A length that a program survives or waits for, in milliseconds of its own time. */
export interface PatienceFigure extends Halved {
  /** In words: "survives an outage of polls of 1 min, not of 2 min". */
  text: string
}

/** How long a program waits for an answer. */
export interface AnswerFigure extends PatienceFigure {
  /** Where it survived the latest answer that can be played: when it gave one up that never came, ms; null when it had not within a day. */
  gives_up_after?: number | null
}

/** Which tasks of a program are delivered while one of them has a mishap. A fact, not a verdict. */
export interface JobsFact {
  /** What happens to the first task. */
  mishap: Mishap
  /** The other tasks of the undisturbed run. */
  others: number
  /** Those of them whose results the program has. */
  delivered: number
  /** In words. */
  text: string
}

/** What a user asked for with `--need`, and what was measured. */
export interface NeedResult {
  /** `outage=2m`. */
  need: string
  /** Whether it was shown. */
  is_met: boolean
  /** Why, in words. */
  text: string
}

/** How long a program survives and waits. A figure is null when it was not measured: `not_measured` says why. */
export interface Patience {
  /** Outages of polls and of downloads, ms. */
  outage: { polls: PatienceFigure | null; downloads: PatienceFigure | null }
  /** The time of its tasks in the queue, ms. */
  queue: PatienceFigure | null
  /** An answer to its first create and its first poll, ms. */
  answer: AnswerFigure | null
  /** Requests a minute at which all its tasks are made: `survived` is the lowest, `failed` the highest below it. */
  rate: PatienceFigure | null
  /** For a program that makes several tasks. */
  jobs: JobsFact[]
  /** Figures that were not measured, and why. */
  not_measured: { what: string; reason: string }[]
  /** What was asked for. */
  needs: NeedResult[]
}

const what: Readonly<Record<LengthName, string>> = {
  'outage.polls': 'survives an outage of polls of',
  'outage.downloads': 'survives an outage of downloads of',
  queue: 'waits for a queue of',
  answer: 'waits for an answer of',
}

/** `1 min 30 s`: a length of time as people say it. */
export function spoken(ms: number): string {
  const units: Record<string, string> = { d: 'd', h: 'h', m: 'min', s: 's', ms: 'ms' }
  return formatDuration(ms)
    .replace(/(\d+)(d|h|ms|m|s)/g, (_, count, unit) => `${count} ${units[unit]} `)
    .trim()
}

/** `survives an outage of polls of 1 min, not of 2 min`. */
export function lengthText(name: LengthName, halved: Halved): string {
  const { survived, failed, is_uneven, tried } = halved
  const unknown = tried.filter(({ shown }) => shown === 'nothing').map(({ length }) => length)
  const uneven = is_uneven ? `; it does not grow evenly, only these were shown: ${triedText(halved)}` : ''
  if (survived === null)
    return failed === null
      ? `${what[name]} unknown length: no run showed it`
      : `${what[name].replace('survives', 'does not survive').replace('waits', 'does not wait')} ${spoken(failed)}`
  if (failed !== null) return `${what[name]} ${spoken(survived)}, not of ${spoken(failed)}${uneven}`
  const open = unknown.filter(length => length > survived)
  return open.length === 0
    ? `${what[name]} ${spoken(survived)}, the longest that was tried${uneven}`
    : `${what[name]} ${spoken(survived)}; of ${spoken(Math.min(...open))} nothing was shown, the run had not ended at its limit${uneven}`
}

/** `waits for an answer of 30 s, the longest that was tried; gives one up that never comes after 10 min`. */
export function silenceText(text: string, givesUpAfter: number | null): string {
  return givesUpAfter === null
    ? `${text}; still waited for one that never comes after a day`
    : `${text}; gives one up that never comes after ${spoken(Math.max(1000, Math.round(givesUpAfter / 1000) * 1000))}`
}

function triedText({ tried }: Halved): string {
  const sorted = [...tried].sort((one, other) => one.length - other.length)
  return sorted
    .map(({ length, shown }) => `${spoken(length)} ${shown === 'nothing' ? 'not shown' : shown}`)
    .join(', ')
}

/** `makes all its 3 tasks at 2 requests a minute, not at 1`. */
export function rateText(tasks: number, { survived, failed }: Halved): string {
  if (survived === null)
    return failed === null
      ? 'at which rate all its tasks are made was not shown'
      : `does not make all its ${tasks} tasks at ${failed} requests a minute`
  const rate = `makes all its ${tasks} tasks at ${survived} ${survived === 1 ? 'request' : 'requests'} a minute`
  return failed === null ? `${rate}, the lowest that was tried` : `${rate}, not at ${failed}`
}

const mishapTexts: Readonly<Record<Mishap, string>> = {
  never_ends: 'while one task never ends',
  silent_poll: 'while one poll gets no answer',
  refused: 'while one create is refused',
}

/** `while one task never ends, 2 of 2 others are delivered`. */
export function jobsText(
  mishap: Mishap,
  { others, delivered }: { others: number; delivered: number },
): string {
  return `${mishapTexts[mishap]}, ${delivered} of ${others} others ${others === 1 ? 'is' : 'are'} delivered`
}

export function patienceLines({
  outage,
  queue,
  answer,
  rate,
  jobs,
  not_measured,
  needs,
}: Patience): string[] {
  const reasons = [...new Set(not_measured.map(({ reason }) => reason))]
  return [
    ...[outage.polls, outage.downloads, queue, answer, rate].flatMap(figure => figure?.text ?? []),
    ...jobs.map(({ text }) => text),
    ...reasons.map(
      reason =>
        `not measured: ${not_measured
          .filter(one => one.reason === reason)
          .map(one => one.what)
          .join(', ')} (${reason})`,
    ),
    ...needs.map(({ need, is_met, text }) => `${is_met ? 'met' : 'NOT MET'}: ${need}: ${text}`),
  ]
}
