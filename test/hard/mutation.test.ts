import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { mutationsFor, type Outcome, tryMutations } from '../../build/torture/mutation-run.ts'
import { hostileTexts, mutationsOf, wholeBodies } from '../../build/torture/mutations.ts'
import { controlEndpoints } from '../../src/emulator/control/endpoints.ts'
import { creating } from '../support/contract.ts'
import { text, textBody, worldOfA } from '../support/family-a.ts'
import { openGateway } from '../support/gateway.ts'
import { oneVideoForAll } from '../support/job-answers.ts'
import { sampleOf } from '../support/seeded.ts'

oneVideoForAll()

/** A sample of the complete run of `npm run torture`; the same one each time. */
const seed = 8
const eachMost = 250
/** Pictures are drawn within the request, so those that are accepted cost time. */
const picturesMost = 60

const gateway = await openGateway()
const outcomes: Outcome[] = []

describe('a create body with one mistake never gives a 5xx (Spec, "Errors")', () => {
  it.each(creating)('$title', async row => {
    const world = `mutation-${row.title.replaceAll('.', '-')}`
    const mutations = mutationsFor(row, gateway)
    expect(mutations.length).toBeGreaterThan(1000)
    const most = row.title.startsWith('image.') ? picturesMost : eachMost
    const outcome = await tryMutations(row, gateway, { mutations: sampleOf(mutations, most, seed), world })
    outcomes.push(outcome)
    expect(outcome.faults).toEqual([])
    expect(outcome.sent - outcome.accepted).toBeGreaterThan(most / 4)
    // Spec, "What the service does" 7: "Rejected requests are not charged"; nor are they stored.
    const { body } = await gateway.control('GET', `/worlds/${world}/state`)
    expect(body.state.tasks.length).toBeLessThanOrEqual(outcome.accepted)
    // Whatever a create accepts can be read again: the same check refuses a data directory at the next start.
    const again = await gateway.control('PUT', `/worlds/${world}-again/state`, body)
    expect(again.status, again.text.slice(0, 500)).toBe(200)
    const ledger = await gateway.control('GET', `/worlds/${world}/ledger`)
    const stored = new Set(body.state.tasks.map(([id]: [string]) => id))
    expect(ledger.body.items.filter((line: { task_id: string }) => !stored.has(line.task_id))).toEqual([])
  })

  afterAll(() => {
    expect(outcomes.reduce((sum, { sent }) => sum + sent, 0)).toBeGreaterThan(3000)
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
  })
})

describe('a prompt with odd characters gives a playable file', () => {
  const texts = hostileTexts
    .map(text => JSON.parse(text) as unknown)
    .filter(
      (text): text is string => typeof text === 'string' && text.trim() !== '' && !text.startsWith('[['),
    )

  beforeAll(() => expect(texts.length).toBeGreaterThan(30))

  it('of a video', async () => {
    const odd = [...sampleOf(texts, 6, seed), 'a\u0000b', 'x\ud83d', '\uffff\ufffe\u0007\u001b']
    const world = worldOfA(gateway, 'odd')
    for (const prompt of odd) {
      const small = { model: 'model_a_20', resolution: '480p', duration: 4, ratio: '1:1' }
      const { content } = await world.finished(textBody({ ...small, content: [text(prompt)] }))
      const { status, bytes } = await gateway.download(content.video_url)
      expect([status, bytes.subarray(4, 8).toString()], JSON.stringify(prompt)).toEqual([200, 'ftyp'])
    }
  })
})

describe('a body of the control API with one mistake never gives a 5xx', () => {
  const withBody = controlEndpoints.filter(({ body }) => body)

  it.each(withBody.map(endpoint => [`${endpoint.method} ${endpoint.paths[0]}`, endpoint] as const))(
    '%s',
    async (_, endpoint) => {
      const path = endpoint.paths[0].replace(/:\w+/g, 'none')
      const mutations = [...mutationsOf(endpoint.body ?? {}, {}), ...wholeBodies]
      for (const { name, body } of sampleOf(mutations, 60, seed)) {
        const { status, text } = await gateway.control(endpoint.method, `/worlds/bent${path}`, body)
        expect(status, `${name}: ${text}`).toBeLessThan(500)
      }
    },
  )
})
