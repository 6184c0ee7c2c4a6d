import { expect, it } from 'vitest'
import { exitCode } from '../../src/evidence/recordings/judge/comparison.ts'
import { report } from '../../src/evidence/recordings/judge/report.ts'
import { openGateway } from '../support/gateway.ts'
import { legs, traveller } from '../support/journey.ts'
import { openJudge } from '../support/judged.ts'
import { recordAt } from '../support/recorder.ts'

const judge = await openJudge()

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
    const verdict = await judge(await recorder.entries())
    const told = report(verdict, 'pretty')
      .split('\n')
      .filter(line => !/^(?:confirmed|partly)/.test(line))
    expect(told.slice(0, -2)).toEqual([])
    expect(exitCode(verdict, 'unknown')).toBe(0)
  },
  120_000,
)
