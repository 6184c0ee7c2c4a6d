import { afterAll, describe, expect, it } from 'vitest'
import type { GatewayEntry } from '../../src/evidence/recordings/har.ts'
import { changedGateway } from '../support/changing-proxy.ts'
import { openGateway } from '../support/gateway.ts'
import { legs, type Traveller, videoC } from '../support/journey.ts'
import { differencesIn, openJudge } from '../support/judged.ts'
import { recordedOn } from '../support/recorder.ts'

const gateway = await openGateway({ strict: false })
const judge = await openJudge()
const changed = await changedGateway(gateway.url)
afterAll(() => changed.close())

const recorded = (leg: (to: Traveller) => Promise<void>) => recordedOn(leg, gateway, changed.url)

const differences = async (entries: readonly GatewayEntry[]) => differencesIn(await judge(entries))

/** The entries as a clock beside the gateway's would have timed them: when each began and how long it took, milliseconds. */
function timed(
  entries: readonly GatewayEntry[],
  times: (place: number) => { from: number; took: number },
): GatewayEntry[] {
  const start = Date.parse('2026-01-01T00:00:00Z')
  return entries.map((entry, place) => {
    const { from, took } = times(place)
    const headers = entry.response.headers.filter(({ name }) => name.toLowerCase() !== 'date')
    const response = { ...entry.response, headers }
    return { ...entry, startedDateTime: new Date(start + from).toISOString(), time: took, response }
  })
}

const b = '/api/v1/services/aigc/video-generation/video-synthesis'

/** Polls so seldom that it never sees the tasks run. */
async function seldom(to: Traveller): Promise<void> {
  for (const text of [
    'a pier [[queue:20s]] [[run:20s]]',
    'a pier [[queue:20s]] [[run:20s]] [[fail:InternalError]]',
  ]) {
    const { body } = await to.ask('POST', b, { model: 'model_b', input: { prompt: text } })
    await to.ask('GET', `/api/v1/tasks/${body.output.task_id}`)
    await to.advance('60s')
    await to.ask('GET', `/api/v1/tasks/${body.output.task_id}`)
  }
}

describe('a recording that was made on a busy machine (docs/recordings.md, "Compare")', () => {
  const clocks = [
    ['did not move', () => ({ from: 0, took: 0 })],
    ['was set back again and again', (place: number) => ({ from: -place * 1000, took: 1 })],
    ['was read late for the replies', (place: number) => ({ from: place * 10, took: place % 2 ? 9000 : 1 })],
  ] as const

  it.each(clocks)('shows no difference when the clock %s', async (_, times) => {
    const entries = await recorded(async to => {
      await seldom(to)
      await legs['a failure']?.(to)
      await legs['b failure and refusals']?.(to)
    })
    expect(await differences(timed(entries, times))).toEqual([])
  })

  it('shows no difference when an older reply arrived after a newer one', async () => {
    let hold = () => {}
    let letGo = () => {}
    const isHeld = new Promise<void>(resolve => {
      hold = resolve
    })
    const isLetGo = new Promise<void>(resolve => {
      letGo = resolve
    })
    changed.change = async ({ operation, count }) => {
      if (operation !== 'c.get' || count > 0) return
      hold()
      await isLetGo
    }
    const entries = await recorded(async to => {
      const { body } = await to.ask('POST', '/v2/video_generation', videoC('a pier'))
      const path = `/v2/query/video_generation/${body.task_id}`
      const late = to.ask('GET', path)
      await isHeld
      await to.advance('10m')
      expect((await to.ask('GET', path)).body.task.status).toBe('succeeded')
      letGo()
      expect((await late).body.task.status).toBe('queued')
    })
    changed.change = () => undefined
    expect(await differences(entries)).toEqual([])
    // The same replies, one request after the other, are against the rules.
    const inTurn = entries.map((entry, place) => ({
      ...entry,
      _gateway: { ...entry._gateway, answered_before: place } as NonNullable<GatewayEntry['_gateway']>,
    }))
    expect((await judge(inTurn)).unclaimed.map(({ path }) => path)).toContain('state')
  })

  it('shows no difference when a task expired during the create or the poll', async () => {
    const expired = legs['a expired']
    const entries = await recorded(async to => expired?.(to))
    const at = [
      { from: 0, took: 20_000 },
      { from: 20_000, took: 5 },
      { from: 3_590_000, took: 20_000 },
    ]
    expect(await differences(timed(entries, place => at[place] ?? { from: 0, took: 0 }))).toEqual([])
  })
})
