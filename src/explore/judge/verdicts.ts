import type { Case } from '../plan/case.ts'
import type { WorldObservation } from '../plan/observe.ts'
import type { Run, SystemRun } from '../run/run.ts'
import type { Disk } from './disk.ts'

/** What a verdict can count as; the worst first. */
export const levelWords = ['problem', 'warning', 'good'] as const
/** What a verdict counts as. */
export type Level = (typeof levelWords)[number]

/** What a verdict counts as, after what it is given, and, of a problem and a warning, what it means in a sentence. */
export type VerdictRow = { after: 'failures' | 'restarts' | 'both' } & (
  | { level: 'good' }
  | { level: Exclude<Level, 'good'>; means: string }
)

/** Each verdict; the worst first, which is the headline of a case with several. */
// biome-ignore format: a table, one row a line
export const verdictRows = {
  paid_twice: { level: 'problem', after: 'failures', means: 'More tasks were charged, and more was settled, than in the undisturbed run.' },
  paid_again: { level: 'problem', after: 'restarts', means: 'After it was killed and started again, the program paid for more than in the undisturbed run.' },
  paid_for_nothing: { level: 'problem', after: 'failures', means: 'A charged result could still be fetched, and was not, or its id or link never arrived.' },
  lost: { level: 'problem', after: 'restarts', means: 'After it was killed and started again, the program ended with 0, but a result is missing or broken.' },
  stuck: { level: 'problem', after: 'restarts', means: 'After it was killed, the program failed or did not end, while the paid result could still be had.' },
  false_success: { level: 'problem', after: 'failures', means: 'The program ended with 0, although a result is missing, broken, or was never made.' },
  crashed: { level: 'problem', after: 'failures', means: 'A signal ended the program, or an error about its own data that it did not catch.' },
  hung: { level: 'problem', after: 'failures', means: 'The program never ends: it repeats calls in vain, or still runs after seven virtual days.' },
  unsteady: { level: 'warning', after: 'both', means: 'The case was played twice: it was a problem one time, and none the other.' },
  not_reached: { level: 'warning', after: 'both', means: 'The program ended without the call that was to fail, although nothing had failed yet.' },
  rude: { level: 'warning', after: 'failures', means: 'The program did not wait as asked, polled too fast or after the end, or sent its key to a link.' },
  uncaught: { level: 'warning', after: 'failures', means: 'An error that nobody caught ended the program, or it failed and wrote nothing.' },
  unfinished: { level: 'warning', after: 'failures', means: 'The program had not ended at the limit, and nothing shows that it never would.' },
  told: { level: 'good', after: 'failures' },
  recovered: { level: 'good', after: 'failures' },
  resumed: { level: 'good', after: 'restarts' },
} as const satisfies Readonly<Record<string, VerdictRow>>

/** How a program reacted to a failure, in one word: what it cost, then how it ended. */
export type Verdict = keyof typeof verdictRows

export const verdicts: readonly Verdict[] = Object.keys(verdictRows) as Verdict[]

/** What a verdict counts as, where nothing excuses it. */
export function levelOf(verdict: Verdict): Level {
  return verdictRows[verdict].level
}

/** The verdicts that some rows can have: those on failures, those on restarts, or both. */
export function possibleVerdicts(rows: readonly { lives?: unknown }[]): Verdict[] {
  const kinds = new Set(rows.map(({ lives }) => (lives === undefined ? 'failures' : 'restarts')))
  return verdicts.filter(verdict => {
    const { after } = verdictRows[verdict]
    return after === 'both' || kinds.has(after)
  })
}

/** The ways in which a run can end, without its cost. */
export const endWords = [
  'done',
  'told',
  'uncaught',
  'crashed',
  'false_success',
  'hung',
  'unfinished',
] as const
/** How a run ended. */
export type End = (typeof endWords)[number]

/** The end of a run: one sentence with the facts, and the cause in the fewest words. */
export interface Ending {
  end: End
  sentence: string
  title: string
  /** The innermost frame in the user's own files, where the program printed a stack. */
  where?: string
  /** The class of the error that states what happened, without its package. */
  error?: string
  /** Of a system: what must hold whatever failed does not, by its check. */
  isCheckFailed?: true
}

/** `twice`: more tasks were charged, and more was settled; `lost`: a charged result could still be fetched and was not, or the reply with its id or link was not received; `less`: fewer tasks were charged. */
export const billWords = ['same', 'none', 'less', 'twice', 'lost'] as const

/** What a run cost, in comparison with the undisturbed one; sums are in credits. */
export interface Bill {
  /** In a word. */
  verdict: (typeof billWords)[number]
  /** What was settled in this run. */
  settled: number
  /** What was settled in the undisturbed run. */
  undisturbed: number
  /** Settled for results that could still be fetched and were not, or that nobody can fetch, because the reply to their create was not received. */
  lost: number
  /** More was settled, and no fault of the program: nobody could cancel it, or two undisturbed runs settle as much. */
  is_expected?: true
}

/** Everything that a verdict follows from. */
export interface Facts {
  one: Case
  run: Run
  observed: WorldObservation
  /** The undisturbed run. */
  baseline: WorldObservation
  /** What the program wrote in the undisturbed run. */
  undisturbedOutput: string
  /** Of a system: what became of its parts in the undisturbed run. */
  undisturbedSystem?: SystemRun
  /** The time between two polls in undisturbed runs, wall ms. */
  paceMs: number | undefined
  /** What is wrong with the files in which the program keeps its results, although it ended with 0; absent when nothing is, or nothing is known. */
  disk?: Disk
  /** The numbers of the requests whose replies never came, or not whole, and whose connections ended after all other calls. */
  heldToEnd?: readonly number[]
  /** The folder in which the program was started; causes name its files. */
  folder: string
}
