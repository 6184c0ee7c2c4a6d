import { afterAll, describe, expect, it } from 'vitest'
import { startForTest } from '../support/start-for-test.ts'

/** The same moment for all explorations, so that their file is rendered once. */
const emulator = await startForTest({ now: '2026-01-01T00:00:00Z' })
afterAll(() => emulator.close())

interface Run {
  world: { baseUrl: string; apiKey: string; clock: { advance(by: string): Promise<unknown> } }
  signal: AbortSignal
}

type Wait = (run: Run) => Promise<unknown>

/** Makes a task, looks it up in the list until it has succeeded, and hands its link on. A refused call is sent again. */
const byList =
  (patience: number, wait: Wait) =>
  async (run: Run): Promise<void> => {
    const { world, signal } = run
    const tasks = `${world.baseUrl}/api/v3/contents/generations/tasks`
    const headers = { Authorization: `Bearer ${world.apiKey}`, 'Content-Type': 'application/json' }
    const call = async (url: string, init: RequestInit = {}) => {
      for (let attempt = 1; ; attempt++) {
        const reply = await fetch(url, { ...init, headers, signal })
        if (reply.ok) return reply
        await reply.arrayBuffer()
        if (attempt === patience) throw new Error(`refused with ${reply.status}`)
        await wait(run)
      }
    }
    const content = [{ type: 'text', text: 'a kite' }]
    const body = JSON.stringify({ model: 'model_a_25', content, ratio: '16:9', duration: 4 })
    await (await call(tasks, { method: 'POST', body })).json()
    for (;;) {
      const { items } = (await (await call(tasks)).json()) as {
        items: { status: string; content?: { video_url?: string } }[]
      }
      const [task] = items
      if (task?.status === 'succeeded') return
      await wait(run)
    }
  }

const resting: Wait = async () => undefined
/** As a program in virtual time. */
const advancing: Wait = ({ world }) => world.clock.advance('5s')

describe('what is tried (docs/explore.md, "Choosing cases")', () => {
  it('a program that polls by list has its last poll tried, which bears the result', async () => {
    // A reply that never comes takes the whole limit.
    const options = { only: ['a.list'], skip: ['no_answer'], clock: 'manual' } as const
    const { cases } = await emulator.explore(byList(1, advancing), options)
    const last = cases.filter(({ nth }) => nth > 1)
    expect(last.map(({ id, verdict }) => [id, verdict])).toEqual([
      ['unavailable', 'paid_for_nothing'],
      ['reply_cut', 'paid_for_nothing'],
    ])
  })

  it('a look whether the task exists, before it is made, is no poll: the first poll is tried with every failure', async () => {
    const looking = async (run: Run) => {
      const { baseUrl, apiKey } = run.world
      const headers = { Authorization: `Bearer ${apiKey}` }
      const reply = await fetch(`${baseUrl}/api/v3/contents/generations/tasks`, { headers })
      await reply.arrayBuffer()
      await byList(1, advancing)(run)
    }
    const options = { only: ['a.list garbled_answer', 'a.list internal'], clock: 'manual' } as const
    const { cases } = await emulator.explore(looking, options)
    expect(cases.map(({ nth, id, verdict }) => [nth, id, verdict])).toEqual([
      [1, 'internal', 'recovered'],
      [1, 'garbled_answer', 'recovered'],
      [2, 'internal', 'paid_for_nothing'],
      [2, 'garbled_answer', 'paid_for_nothing'],
    ])
  })

  it('the link must have been in a reply, when the program hands it on and fetches nothing', async () => {
    const only = ['a.create no_result_link']
    const { cases } = await emulator.explore(byList(1, advancing), { only, clock: 'manual' })
    expect(cases).toMatchObject([{ end: 'false_success', verdict: 'false_success' }])
  })

  it('no reply without a link is tried at a picture that comes in the reply itself', async () => {
    const inReply = async ({ world }: Run) => {
      const headers = { Authorization: `Bearer ${world.apiKey}`, 'Content-Type': 'application/json' }
      const body = JSON.stringify({ model: 'model_image', prompt: 'a cup', response_format: 'b64_json' })
      await fetch(`${world.baseUrl}/api/v3/images/generations`, { method: 'POST', headers, body })
    }
    const { cases, not_tried } = await emulator.explore(inReply, { only: ['no_result_link'] })
    expect(cases).toEqual([])
    const reason = 'no reply of the undisturbed run has its link'
    expect(not_tried).toEqual([{ what: 'image.generate#1 no_result_link', reason }])
  })

  it('in an outage every call is refused for half a minute: three attempts are too few, ten are not', async () => {
    const options = { only: ['a.list#1 outage'], clock: 'manual' } as const
    const { cases } = await emulator.explore(byList(3, advancing), options)
    expect(cases).toMatchObject([{ id: 'outage', end: 'told', verdict: 'paid_for_nothing' }])
    expect((await emulator.explore(byList(10, advancing), options)).cases).toMatchObject([
      { verdict: 'recovered' },
    ])
  })

  it('an outage is not tried, and listed, when the clock does not move with the program', async () => {
    const { cases, not_tried } = await emulator.explore(byList(3, resting), { only: ['a.list#1 outage'] })
    expect(cases).toEqual([])
    expect(not_tried).toContainEqual({
      what: 'a.list#1 outage',
      reason: expect.stringContaining('cannot be judged in real time'),
    })
  })

  it('a task that is not visible yet is tried only when it is asked for', async () => {
    const get = async ({ world }: Run) => {
      const tasks = `${world.baseUrl}/api/v3/contents/generations/tasks`
      const headers = { Authorization: `Bearer ${world.apiKey}`, 'Content-Type': 'application/json' }
      const body = JSON.stringify({
        model: 'model_a_25',
        content: [{ type: 'text', text: 'x' }],
        duration: 4,
      })
      const { id } = (await (await fetch(tasks, { method: 'POST', headers, body })).json()) as { id: string }
      const reply = await fetch(`${tasks}/${id}`, { headers })
      if (reply.status !== 200) throw new Error(`the poll was answered ${reply.status}`)
    }
    const clock = 'manual'
    const usual = await emulator.explore(get, { only: ['a.get not_found', 'a.get not_*'], clock })
    expect(usual.cases.map(({ id }) => id)).toEqual(['not_found'])
    expect(usual.not_tried).toMatchObject([{ what: 'a.get#1 not_yet_visible' }])
    const asked = await emulator.explore(get, { only: ['not_yet_visible'], clock })
    expect(asked.cases).toMatchObject([{ id: 'not_yet_visible', end: 'told' }])
  })
})
