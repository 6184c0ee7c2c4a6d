import type { GatewayEntry } from '../../src/evidence/recordings/har.ts'
import { compareRecording } from '../../src/evidence/recordings/judge/compare-recording.ts'
import { type Comparison, comparisonOf } from '../../src/evidence/recordings/judge/comparison.ts'
import { readSteps } from '../../src/evidence/recordings/read/steps.ts'
import { emulatorForReplays } from '../../src/evidence/recordings/replay/ask-emulator.ts'
import { openGateway } from './gateway.ts'

/** Compares recordings with an emulator, by default with a new one of its own. */
export type Judge = (...recordings: (readonly GatewayEntry[])[]) => Promise<Comparison>

export async function openJudge(url?: string): Promise<Judge> {
  const emulator = emulatorForReplays(url ?? (await openGateway()).url)
  return async (...recordings) => {
    const compared: Awaited<ReturnType<typeof compareRecording>>[] = []
    for (const entries of recordings)
      compared.push(await compareRecording(readSteps('made.har', entries), emulator))
    return comparisonOf(compared, () => false)
  }
}

/** What a comparison found otherwise, by row, request and place, and what no row mentions. */
export function differencesIn({ rows, unclaimed, compared }: Comparison): string[] {
  if (compared === 0) throw new Error('Nothing was compared')
  const told = rows.flatMap(({ id, differences }) =>
    differences.map(({ request, path, recorded, emulated }) =>
      [id, request, path, JSON.stringify(recorded), JSON.stringify(emulated)].join(' '),
    ),
  )
  return [...told, ...unclaimed.map(one => `${one.request} ${one.path} ${JSON.stringify(one.recorded)}`)]
}

/** Rows that a comparison found broken. */
export const contradictedIn = ({ rows }: Comparison): string[] =>
  rows.filter(row => row.status === 'contradicted').map(({ id }) => id)
