import { describe, expect, it } from 'vitest'
import { compareRecording } from '../../src/recordings/judge/compare-recording.ts'
import { comparisonOf } from '../../src/recordings/judge/comparison.ts'
import { readSteps } from '../../src/recordings/read/steps.ts'
import { emulatorForReplays } from '../../src/recordings/replay/ask-emulator.ts'
import { type Edit, withChange } from '../support/changed-recording.ts'
import { openGateway } from '../support/gateway.ts'
import { jobs } from '../support/gateway-changes/jobs.ts'
import { traveller } from '../support/journey.ts'
import { recordAt } from '../support/recorder.ts'

const gateway = await openGateway({ strict: false })
const emulator = emulatorForReplays((await openGateway()).url)

/** What the recording of a job, changed afterwards, says about some rows. */
async function statusesWith(job: keyof typeof jobs, operation: string, edit: Edit, ids: string[]) {
  const recorder = await recordAt(gateway.url)
  await jobs[job](traveller(gateway, recorder.url, 0))
  await recorder.close()
  const entries = withChange(await recorder.entries(), operation, edit)
  recorder.drop()
  const verdict = comparisonOf(
    [await compareRecording(readSteps('recorded', entries), emulator)],
    () => false,
  )
  return ids.map(id => verdict.rows.find(row => row.id === id)?.status)
}

const nothing: Edit = () => undefined

describe('a recording confirms a row by the row’s own predicate only', () => {
  it('the form W:H is contradicted by 21x9, and the assumption about its value is not', async () => {
    const edit: Edit = body => {
      if (body.usage) body.usage.ratio = '21x9'
    }
    expect(await statusesWith('b', 'b.get', edit, ['b.get.ratio', 'B-ratio', 'b.get.fps'])).toEqual([
      'contradicted',
      'not seen',
      'confirmed',
    ])
  })

  it('the form WxH is contradicted by 1024*1024', async () => {
    const edit: Edit = body => {
      if (body.data) body.data[0].size = '1024*1024'
    }
    expect(await statusesWith('image', 'image.generate', edit, ['image.reply.size'])).toEqual([
      'contradicted',
    ])
  })

  it('“are strings” is not contradicted by a wrong value, and not confirmed while it differs', async () => {
    const rows = ['a.record.resolution-ratio', 'A-record']
    const edit: Edit = body => {
      if (body.status === 'succeeded') body.ratio = '4:3'
    }
    expect(await statusesWith('a', 'a.get', edit, rows)).toEqual(['not seen', 'contradicted'])
    expect((await statusesWith('a', 'a.get', nothing, rows))[0]).toBe('confirmed')
  })

  it('the 501 for a running special task is confirmed by a 501 and contradicted by a 409', async () => {
    const rows = ['special.delete.running']
    const edit: Edit = (_, passing) => {
      passing.status = 409
    }
    expect(await statusesWith('special', 'special.delete', nothing, rows)).toEqual(['confirmed'])
    expect(await statusesWith('special', 'special.delete', edit, rows)).toEqual(['contradicted'])
  })
})
