import { type Case, nameOfCase } from '../explore/case.ts'
import { prepare } from '../explore/explore.ts'
import { functionExploration } from '../explore/explore-function.ts'
import type { ExploreOptions } from '../explore/options.ts'
import { playCase } from '../explore/play-case.ts'
import { type Row, withAccepted } from '../explore/report.ts'
import type { Explored } from '../explore/run-function.ts'
import { isProblem } from '../explore/verdict.ts'
import type { RunningEmulator } from '../index.ts'
import { kitEmulator } from './kit-emulator.ts'

/** Options of `exploreTests`: those of `emulator.explore`, and the address of a running emulator. */
export type ExploreTestOptions = ExploreOptions & { url?: string | undefined }

/** One case as a test. */
export interface ExploredCase {
  /** `a.create#1 reply_lost: it was done, and the connection breaks before the answer`. */
  title: string
  /** The wall milliseconds after which it ends by itself at the latest. */
  timeoutMs: number
  /** Runs the case. Returns a reason when the program did not make the call; rejects with evidence and story when there is a problem. */
  play(): Promise<string | undefined>
}

/** The cases of a function, and a function that stops the emulator that their tests share. */
export interface ExploredCases {
  cases: ExploredCase[]
  close(): Promise<void>
}

/** Runs the function undisturbed, and returns a test for each possible failure. Rejects when the undisturbed run fails. */
export async function exploredCases(
  explored: Explored,
  { url, ...options }: ExploreTestOptions = {},
): Promise<ExploredCases> {
  const first = await kitEmulator({ url })
  const exploration = await functionExploration(first, explored, options)
  // A test file may be loaded without running its tests, so nothing may stay open.
  const { cases, baseline } = await prepare(exploration).finally(() => first.close())
  const { settings } = exploration
  let started: Promise<RunningEmulator> | undefined
  const play = async (one: Case) => {
    started ??= kitEmulator({ url })
    const { row, missed } = await playCase({ ...exploration, emulator: await started }, { one, baseline })
    if (row) checkRow(row, options)
    return missed?.reason
  }
  return {
    cases: cases.map(one => ({
      title: `${nameOfCase(one)}: ${one.failure.title}`,
      timeoutMs: settings.limitMs + 10_000,
      play: () => play(one),
    })),
    async close() {
      const emulator = await started
      started = undefined
      await emulator?.close()
    },
  }
}

/** Throws for a problem that was not accepted. */
function checkRow(row: Row, { accept = [] }: ExploreOptions): void {
  const known = withAccepted({ cases: [row] }, accept).cases[0]?.accepted
  if (!isProblem(row.verdict) || known !== undefined) return
  const parts = [
    `${row.verdict}: ${row.evidence}`,
    ...(row.stories ?? []),
    `Requests:\n${(row.requests ?? []).join('\n')}`,
    ...(row.log === '' ? [] : [row.log]),
  ]
  throw new Error(parts.join('\n\n'))
}
