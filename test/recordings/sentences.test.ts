import { describe, expect, it } from 'vitest'
import { type Edit, withChange } from '../support/changed-recording.ts'
import { openGateway } from '../support/gateway.ts'
import { accepted, change, set, status, succeeded } from '../support/gateway-changes/edits.ts'
import { jobs } from '../support/gateway-changes/jobs.ts'
import { openJudge } from '../support/judged.ts'
import { recordedOn, recordedOnce } from '../support/recorder.ts'

const gateway = await openGateway({ strict: false })
const judge = await openJudge()
type Job = keyof typeof jobs

const recordingOf = recordedOnce((job: Job) => recordedOn(jobs[job], gateway))

/** By row, or `-` for none: the sentences about a recording with one change. */
async function told(job: Job, operation: string, edit: Edit): Promise<string[]> {
  const { rows, unclaimed } = await judge(withChange(await recordingOf(job), operation, edit))
  const ofRows = rows.flatMap(({ id, differences }) => differences.map(({ says }) => `${id}: ${says}`))
  return [...ofRows, ...unclaimed.map(({ says }) => `-: ${says}`)]
}

describe('a deviation is told at the rows that it breaks, and both sides of its sentence are the same thing (docs/recordings.md, "Compare")', () => {
  it.each<[what: string, Job, string, Edit, string[]]>(
    // biome-ignore format: a table, one row a line
    [
    ['a create is a 201', 'a', 'a.create', status(201), ['a.create.reply: the HTTP status is 201 in the recording and 200 in the emulator']],
    ['a create of B is a 201', 'b', 'b.create', status(201), ['b.create.reply: the HTTP status is 201 in the recording and 200 in the emulator']],
    ['created_at is in milliseconds', 'a', 'a.get', change('created_at', old => old * 1000), ['A-times: created_at is milliseconds in the recording and seconds in the emulator']],
    [
      'an update before the create',
      'a',
      'a.get',
      succeeded(body => { body.updated_at = body.created_at - 5 }),
      [expect.stringMatching(/^A-times: updated_at is \d+ in the recording, and must be no earlier than created_at, \d+$/)],
    ],
    ['a wrong total', 'c', 'c.list', accepted(set('total', old => old + 1)), [expect.stringMatching(/^C-list: total is \d+ in the recording, and must be \d+$/)]],
    [
      'another status in the body of a DELETE',
      'c',
      'c.delete',
      accepted(set('status', 'removed')),
      ['c.delete.reply: status is "removed" in the recording and "deleted" in the emulator'],
    ],
    ['a page that is too short', 'cPages', 'c.list', set('items.length', 10), ['c.list.page-size: items is 10 long in the recording, and must be 12 long']],
    [
      'a state that was left out',
      'a',
      'a.get',
      succeeded(set('status', 'text:7')),
      [expect.stringMatching(/^a\.record\.status: status is a text of 7 characters \(left out\) in/)],
    ],
    [
      'a duration of K as a number, of which a recording has the type only',
      'k',
      'k.tasks.get',
      succeeded(set('data.0.outputs.0.duration', 0.5)),
      [expect.stringMatching(/^k\.tasks\.outputs: data\[\]\.outputs\[\]\.duration is a number in/)],
    ],
  ],
  )('%s', async (_, job, operation, edit, sentences) => {
    expect(await told(job, operation, edit)).toEqual(sentences)
  })
})
