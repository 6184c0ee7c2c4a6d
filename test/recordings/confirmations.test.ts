import { describe, expect, it } from 'vitest'
import { type Edit, withChange } from '../support/changed-recording.ts'
import { openGateway } from '../support/gateway.ts'
import { jobs } from '../support/gateway-changes/jobs.ts'
import { journeyWorld, type Traveller, video } from '../support/journey.ts'
import { openJudge } from '../support/judged.ts'
import { recordedOn } from '../support/recorder.ts'

const gateway = await openGateway({ strict: false })
const judge = await openJudge()

/** What the recording of a job, changed afterwards, says about some rows. */
async function statusesWith(job: keyof typeof jobs, operation: string, edit: Edit, ids: string[]) {
  const entries = withChange(await recordedOn(jobs[job], gateway), operation, edit)
  const { rows } = await judge(entries)
  return ids.map(id => rows.find(row => row.id === id)?.status)
}

const nothing: Edit = () => undefined

async function rowOf(id: string, journey: (to: Traveller) => Promise<unknown>) {
  const { rows } = await judge(await recordedOn(journey, gateway))
  const { status, shown, missing, differences } = rows.find(row => row.id === id) ?? {}
  expect(differences).toEqual([])
  return { status, shown, missing }
}

const a = '/api/v3/contents/generations/tasks'
type Download = (to: Traveller, link: string, id: string) => Promise<unknown>
const plainly: Download = (to, link) => to.download(link)
/** A task of A, polled to its end, and its link at some hours after it. */
const downloads =
  (...hours: number[]) =>
  (to: Traveller) =>
    downloaded(to, hours, plainly)
const tampered = (hour: number) => (to: Traveller) =>
  downloaded(to, [hour], (_, link) => to.download(`${link}0`))
const deletedThen = (hour: number) => (to: Traveller) =>
  downloaded(to, [hour], async (_, link, id) => {
    await to.ask('DELETE', `${a}/${id}`)
    await to.download(link)
  })

async function downloaded(to: Traveller, hours: readonly number[], download: Download) {
  const { body } = await to.ask('POST', a, video('a pier [[queue:1s]] [[run:1s]]'))
  await to.advance('2s')
  const { content: made } = (await to.ask('GET', `${a}/${body.id}`)).body
  let last = 0
  for (const hour of hours) {
    await to.advance(`${Math.round((hour - last) * 3600)}s`)
    last = hour
    await download(to, made.video_url, body.id)
  }
}
const unchecked = async (to: Traveller) => {
  const headers = { Authorization: 'Bearer sk-nobody' }
  await downloaded(to, [0.1], (_, link) => to.download(link, headers))
  await to.ask('GET', a, undefined, 'sk-nobody')
}
const keys = async (to: Traveller) => {
  await to.ask('GET', a, undefined, 'sk-nobody')
}
const disabled = async (to: Traveller) => {
  const key = `sk-test-${journeyWorld}.late`
  await to.ask('GET', a, undefined, key)
  await gateway.control('PATCH', `/worlds/${journeyWorld}/accounts/late`, { disabled: true })
  await to.ask('GET', a, undefined, key)
}
const lost = ['failed', 'cancelled', 'expired']
const worked = 'key that worked before'
const upTo = 'works until 2 h'
const after = 'refused after 2 h'

describe('a row of several parts is confirmed by all of them, and else partly (docs/recordings.md, "Compare")', () => {
  it.each<[string, string, (to: Traveller) => Promise<unknown>, string, string[], string[]]>([
    ['b.states.finish', 'a success', jobs.b, 'partly', ['SUCCEEDED'], ['FAILED', 'CANCELED']],
    ['c.states.finish', 'a success', jobs.c, 'partly', ['succeeded'], ['failed', 'cancelled']],
    ['a.record.status', 'a success', jobs.a, 'partly', ['queued', 'running', 'succeeded'], lost],
    ['c.task.type', 'a generation', jobs.c, 'partly', ['generation'], ['h3_context_ir', 'regeneration']],
    ['all.auth.disabled', 'a wrong key', keys, 'partly', ['wrong key'], ['key that worked before']],
    ['all.auth.disabled', 'a disabled key', disabled, 'partly', ['key that worked before'], ['wrong key']],
    ['all.auth.disabled', 'a key that only downloads took', unchecked, 'partly', ['wrong key'], [worked]],
    ['a.link.relayed-life', 'the address of a link', downloads(), 'not seen', [], []],
    ['a.link.relayed-life', 'a link that works', downloads(0.5, 1.9), 'partly', [upTo], [after]],
    ['a.link.relayed-life', 'an old link', downloads(0.1, 2.05), 'partly', [after], [upTo]],
    ['a.link.relayed-life', 'a link after days', downloads(1, 50), 'not seen', [], []],
    ['a.link.relayed-life', 'a link of a deleted task', deletedThen(2.05), 'not seen', [], []],
    ['a.link.relayed-life', 'a changed link', tampered(2.05), 'not seen', [], []],
    ['a.link.relayed-life', 'a link that ends', downloads(1.9, 2.05), 'confirmed', [], []],
    ['all.auth.missing', 'family A', jobs.aRefused, 'partly', ['a'], ['b', 'c', 'special', 'k', 'image']],
  ])('%s with %s', async (id, _, journey, status, shown, missing) => {
    expect(await rowOf(id, journey)).toEqual({ status, shown, missing })
  })

  it('a list of values of a request is shown by each accepted value and another one that is refused', async () => {
    const ask =
      (...resolutions: string[]) =>
      async (to: Traveller) => {
        const content = [{ type: 'text', text: 'a pier' }]
        for (const resolution of resolutions)
          await to.ask('POST', a, { model: 'model_a_25', content, resolution, duration: 4 })
      }
    const id = 'a.create.resolution-25'
    expect(await rowOf(id, ask('480p', '8k'))).toMatchObject({
      status: 'partly',
      shown: ['480p', 'another value'],
      missing: ['720p', '1080p'],
    })
    expect((await rowOf(id, ask('480p', '8k', '720p', '1080p'))).status).toBe('confirmed')
  })
})

describe('a recording confirms a row by the row’s own predicate only', () => {
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
