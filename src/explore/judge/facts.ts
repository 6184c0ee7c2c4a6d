import type { Case } from '../plan/case.ts'
import type { Observed } from '../plan/observe.ts'
import type { Run, SystemRun } from '../run/run.ts'
import type { Disk } from './disk.ts'

/** Everything that a verdict follows from. */
export interface Facts {
  one: Case
  run: Run
  observed: Observed
  /** The undisturbed run. */
  baseline: Observed
  /** What the program wrote in the undisturbed run. */
  undisturbedOutput: string
  /** Of a system: what became of its parts in the undisturbed run. */
  undisturbedSystem?: SystemRun
  /** The time between two polls in undisturbed runs, wall ms. */
  paceMs: number | undefined
  /** What is wrong with the files in which the program keeps its results, although it ended with 0; absent when nothing is, or nothing is known. */
  disk?: Disk
  /** The folder in which the program was started; causes name its files. */
  folder: string
}
