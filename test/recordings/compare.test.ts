import { expect, it } from 'vitest'
import { readHarFile } from '../../src/evidence/recordings/har.ts'
import { compareRecording } from '../../src/evidence/recordings/judge/compare-recording.ts'
import { comparisonOf, exitCode } from '../../src/evidence/recordings/judge/comparison.ts'
import { report } from '../../src/evidence/recordings/judge/report.ts'
import { readSteps } from '../../src/evidence/recordings/read/steps.ts'
import { emulatorForReplays } from '../../src/evidence/recordings/replay/ask-emulator.ts'
import { openGateway } from '../support/gateway.ts'
import { legs, traveller } from '../support/journey.ts'
import { recordAt } from '../support/recorder.ts'

const own = await openGateway({ clock: { mode: 'manual', rate: 1 } })
const emulator = emulatorForReplays(own.url)

/** Without files, which take long to render. */
const quick = ['a choices', 'a failure', 'a cancelled', 'a running', 'b failure and refusals', 'special life']

it.each([1, 60, 300])(
  'an unchanged gateway shows no difference at %ix, in realtime',
  async rate => {
    const gateway = await openGateway({ clock: { mode: 'realtime', rate }, strict: false })
    const recorder = await recordAt(gateway.url)
    for (const [name, leg] of Object.entries(legs))
      if (rate > 1 || quick.includes(name)) await leg(traveller(gateway, recorder.url, rate))
    await recorder.close()
    const { log } = await readHarFile(recorder.path)
    const compared = await compareRecording(readSteps(`${rate}x`, log.entries), emulator)
    const verdict = comparisonOf([compared], () => false)
    const told = report(verdict, 'pretty')
      .split('\n')
      .filter(line => !/^(?:confirmed|partly)/.test(line))
    expect(told.slice(0, -2)).toEqual([])
    expect(exitCode(verdict, 'unknown')).toBe(0)
  },
  120_000,
)
