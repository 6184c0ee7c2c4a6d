import { afterAll, describe, expect, it } from 'vitest'
import type { GatewayEntry } from '../../src/evidence/recordings/har.ts'
import { type Comparison, exitCode } from '../../src/evidence/recordings/judge/comparison.ts'
import { type Edit, withChange } from '../support/changed-recording.ts'
import { changedGateway } from '../support/changing-proxy.ts'
import { openGateway } from '../support/gateway.ts'
import { changes } from '../support/gateway-changes/changes.ts'
import { jobs } from '../support/gateway-changes/jobs.ts'
import { contradictedIn, openJudge } from '../support/judged.ts'
import { recordedOn, recordedOnce } from '../support/recorder.ts'

const gateway = await openGateway({ strict: false })
const judge = await openJudge()
const changed = await changedGateway(gateway.url)
afterAll(() => changed.close())

type Job = keyof typeof jobs

/** A change may end a job early for its client, as with a real gateway. */
const recordingOf = (job: Job) => recordedOn(to => jobs[job](to).catch(() => undefined), gateway, changed.url)

/** Each job is recorded once; a change is made in the file. */
const unchanged = recordedOnce(recordingOf)

async function verdictWith(job: Job, operation: string, edit: Edit): Promise<Comparison> {
  return judge(withChange(await unchanged(job), operation, edit))
}

/** Changes in every family that do not hide one another. */
const twenty = [
  'times in milliseconds',
  'tokens as a text',
  'a link that is valid for an hour',
  'a list without total',
  'no last frame',
  'the error of a failed task has no code',
  'another code for a running task',
  'another code of an error',
  'a task of B starts as QUEUED',
  'times of B with a T',
  'SR of B as a text',
  'another code of B',
  'ids of C with letters',
  'another modality',
  'http_code as a number',
  'a running special task is 409',
  'times of K in seconds',
  'durations of K as numbers',
  'a link of a picture that is valid for an hour',
  'stream is not refused with 400',
]

describe('a gateway with one change is reported with the row that it contradicts (docs/recordings.md, "Compare")', () => {
  it.each(changes)('%s', async (_, job, operation, edit, row) => {
    const verdict = await verdictWith(job, operation, edit)
    if (row === undefined) {
      expect(contradictedIn(verdict)).toEqual([])
      expect(verdict.unclaimed.length).toBeGreaterThan(0)
      return
    }
    expect(contradictedIn(verdict)).toContain(row)
    expect(contradictedIn(verdict).length).toBeLessThanOrEqual(5)
    expect(exitCode(verdict, 'unknown')).toBe(1)
  })

  const live = ['a missing task is 400', 'an id of another form', 'another word for success']
  it.each(changes.filter(([what]) => live.includes(what)))(
    '%s, on its way to the recorder',
    async (_, job, operation, edit, row) => {
      changed.change = passing => {
        if (passing.operation === operation) edit(passing.body, passing)
      }
      const verdict = await judge(await recordingOf(job))
      changed.change = () => undefined
      expect(contradictedIn(verdict)).toContain(row)
    },
  )

  it.each(Object.keys(jobs) as Job[])('the job %s shows no difference when nothing is changed', async job => {
    const verdict = await judge(await unchanged(job))
    expect(contradictedIn(verdict)).toEqual([])
    expect(verdict.unclaimed).toEqual([])
    expect(exitCode(verdict, 'unknown')).toBe(0)
  })

  it('twenty changes of one gateway are twenty differences, each at its row, and nothing else', async () => {
    const made = changes.filter(([what]) => twenty.includes(what))
    expect(made.length).toBe(20)
    const recordings: GatewayEntry[][] = []
    for (const job of new Set(made.map(([, of]) => of))) {
      const own = made.filter(([, of]) => of === job)
      recordings.push(
        own.reduce((left, [, , operation, edit]) => withChange(left, operation, edit), await unchanged(job)),
      )
    }
    const verdict = await judge(...recordings)
    expect(verdict.unclaimed).toEqual([])
    const rows = made.map(([, , , , row]) => row)
    // An undeclared status contradicts the lists of statuses too.
    const lists = ['special.delete.statuses', 'special.errors.statuses']
    expect(contradictedIn(verdict).sort()).toEqual([...new Set([...rows, ...lists])].sort())
  })

  it('a field that no row mentions is reported, with its own exit code (4)', async () => {
    const verdict = await verdictWith('a', 'a.get', body => {
      body.service_level = 'gold'
    })
    expect(contradictedIn(verdict)).toEqual([])
    expect(verdict.unclaimed).toMatchObject([{ aspect: 'more', path: 'service_level', recorded: 'gold' }])
    expect(exitCode(verdict, 'unknown')).toBe(4)
    expect(exitCode(verdict, 'changed')).toBe(0)
  })
})
