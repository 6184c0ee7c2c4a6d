import { afterAll, describe, expect, it } from 'vitest'
import { emulatorForReplays } from '../../src/recordings/ask-emulator.ts'
import { compareRecording } from '../../src/recordings/comparison.ts'
import type { GatewayEntry } from '../../src/recordings/har.ts'
import { readSteps } from '../../src/recordings/steps.ts'
import { exitCode, type Verdict, verdictOf } from '../../src/recordings/verdict.ts'
import { type Edit, withChange } from '../support/changed-recording.ts'
import { changedGateway } from '../support/changing-proxy.ts'
import { openGateway } from '../support/gateway.ts'
import { changesOfBAndC } from '../support/gateway-changes/families-b-and-c.ts'
import { changesOfA } from '../support/gateway-changes/family-a.ts'
import { changesOfKAndImages } from '../support/gateway-changes/family-k-and-images.ts'
import { jobs } from '../support/gateway-changes/jobs.ts'
import { traveller } from '../support/journey.ts'
import { recordAt } from '../support/recorder.ts'

const gateway = await openGateway({ strict: false })
const emulator = emulatorForReplays((await openGateway()).url)
const changed = await changedGateway(gateway.url)
afterAll(() => changed.close())

type Job = keyof typeof jobs

async function recordingOf(job: Job): Promise<GatewayEntry[]> {
  const recorder = await recordAt(changed.url)
  try {
    // A change may end a job early for its client, as with a real gateway.
    await jobs[job](traveller(gateway, recorder.url, 0)).catch(() => undefined)
  } finally {
    await recorder.close()
  }
  const entries = await recorder.entries()
  recorder.drop()
  return entries
}

/** Each job is recorded once; a change is made in the file. */
const recordings = new Map<Job, Promise<GatewayEntry[]>>()
function unchanged(job: Job): Promise<GatewayEntry[]> {
  const known = recordings.get(job) ?? recordingOf(job)
  recordings.set(job, known)
  return known
}

async function verdictOn(entries: readonly GatewayEntry[]): Promise<Verdict> {
  return verdictOf([await compareRecording(readSteps('recorded', entries), emulator)], () => false)
}

async function verdictWith(job: Job, operation: string, edit: Edit): Promise<Verdict> {
  return verdictOn(withChange(await unchanged(job), operation, edit))
}

const contradicted = ({ rows }: Verdict) =>
  rows.filter(row => row.status === 'contradicted').map(({ id }) => id)

describe('a gateway with one change is reported with the row that it contradicts (recordings, "Compare")', () => {
  it.each([...changesOfA, ...changesOfBAndC, ...changesOfKAndImages])(
    '%s',
    async (_, job, operation, edit, row) => {
      const verdict = await verdictWith(job, operation, edit)
      expect(contradicted(verdict)).toContain(row)
      expect(contradicted(verdict).length).toBeLessThanOrEqual(3)
      expect(exitCode(verdict, 'unknown')).toBe(1)
    },
  )

  const live = ['a missing task is 400', 'an id of another form', 'another word for success']
  it.each(changesOfA.filter(([what]) => live.includes(what)))(
    '%s, on its way to the recorder',
    async (_, job, operation, edit, row) => {
      changed.change = passing => {
        if (passing.operation === operation) edit(passing.body, passing)
      }
      const verdict = await verdictOn(await recordingOf(job))
      changed.change = () => undefined
      expect(contradicted(verdict)).toContain(row)
    },
  )

  it.each(Object.keys(jobs) as Job[])('the job %s shows no difference when nothing is changed', async job => {
    const verdict = await verdictOn(await unchanged(job))
    expect(contradicted(verdict)).toEqual([])
    expect(verdict.unclaimed).toEqual([])
    expect(exitCode(verdict, 'unknown')).toBe(0)
  })

  it('a field that no row mentions is reported, with its own exit code (4)', async () => {
    const verdict = await verdictWith('a', 'a.get', body => {
      body.service_level = 'gold'
    })
    expect(contradicted(verdict)).toEqual([])
    expect(verdict.unclaimed).toMatchObject([{ aspect: 'more', path: 'service_level', recorded: 'gold' }])
    expect(exitCode(verdict, 'unknown')).toBe(4)
    expect(exitCode(verdict, 'changed')).toBe(0)
  })
})
