import type { Mishap } from './figures.ts'
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
