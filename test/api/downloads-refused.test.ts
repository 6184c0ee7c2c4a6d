// biome-ignore-all lint/suspicious/noThenProperty: the word of the scenario language, never awaited.
import { describe, expect, it } from 'vitest'
import { faults } from '../../src/emulator/faults/fault.ts'
import { openGateway } from '../support/gateway.ts'
import { oneVideoForAll } from '../support/job-answers.ts'

oneVideoForAll()

const gateway = await openGateway()
const path = '/api/v3/contents/generations/tasks'
let worlds = 0

/** The link of a finished task, in a world of its own. */
async function link(text = 'a kite') {
  const world = `refused-${++worlds}`
  const key = `sk-test-${world}`
  const control = gateway.controlOf(world)
  const made = await gateway.post(
    path,
    { model: 'model_a_25', content: [{ type: 'text', text }], duration: 4 },
    key,
  )
  await control('POST', '/clock/advance', { until: 'idle' })
  const url: string = (await gateway.get(`${path}/${made.body.id}`, key)).body.content.video_url
  const rule = async (then: unknown, when: object = {}) => {
    const rules = [{ when: { operation: 'media.download', ...when }, then }]
    expect((await control('POST', '/scenarios', { name: 'mine', rules })).status).toBe(201)
  }
  const another = async () => {
    const { body } = await gateway.post(
      path,
      { model: 'model_a_25', content: [{ type: 'text', text }], duration: 4 },
      key,
    )
    await control('POST', '/clock/advance', { until: 'idle' })
    return (await gateway.get(`${path}/${body.id}`, key)).body.content.video_url as string
  }
  return { url, control, rule, another, id: made.body.id as string }
}

describe('a download that a scenario refuses', () => {
  it.each(faults)('with %s is answered as by an object store: XML with a code', async fault => {
    const { url, rule } = await link()
    await rule({ refuse: { fault, retry_after: '7s' } })
    const reply = await gateway.download(url)
    expect(reply.status).toBeGreaterThanOrEqual(400)
    expect(reply.headers.get('content-type')).toBe('application/xml')
    expect(reply.headers.get('x-emulator-rule')).toBe('mine/1')
    expect(reply.headers.get('retry-after')).toBe('7')
    expect(reply.bytes.toString()).toMatch(
      /^<\?xml [^>]*>\n<Error><Code>\w+<\/Code><Message>[^<]+<\/Message><RequestId>\w+<\/RequestId><\/Error>\n$/,
    )
  })

  it('as unavailable gives a 503 and is not counted, and the next one works', async () => {
    const { url, rule, control, id } = await link()
    await rule({ refuse: { fault: 'unavailable', message: 'Slow & <down>' } }, { call: 1 })
    const refused = await gateway.download(url)
    expect(refused.status).toBe(503)
    expect(refused.bytes.toString()).toContain('Slow &amp; &lt;down&gt;')
    expect((await gateway.download(url)).status).toBe(200)
    expect((await control('GET', `/tasks/${id}`)).body.media[0].downloads).toBe(1)
  })

  it.each(['Content-Type', 'content-type'])('raw is exactly the written reply, also with %s', async name => {
    const { url, rule } = await link()
    await rule({
      refuse: { status: 502, body: '<h1>Bad Gateway</h1>', headers: { [name]: 'text/html' } },
    })
    const reply = await gateway.download(url)
    expect([reply.status, reply.headers.get('content-type'), reply.bytes.toString()]).toEqual([
      502,
      'text/html',
      '<h1>Bad Gateway</h1>',
    ])
  })

  it('can be limited to one task or one family', async () => {
    const [mine, other] = [await link(), await link()]
    await mine.rule({ refuse: { fault: 'internal' } }, { task: mine.id, family: 'a' })
    await other.rule({ refuse: { fault: 'internal' } }, { family: 'b' })
    expect((await gateway.download(mine.url)).status).toBe(500)
    expect((await gateway.download(await mine.another())).status).toBe(200)
    expect((await gateway.download(other.url)).status).toBe(200)
  })

  it('can end with a broken connection instead', async () => {
    const { url, rule, control } = await link()
    await rule({ refuse: { fault: 'internal' }, connection: { reset: 'mid_body' } })
    await expect(gateway.download(url)).rejects.toThrow()
    const { items } = (await control('GET', '/requests?operation=media.download')).body
    expect(items).toMatchObject([{ status: 500, rule: 'mine/1' }])
  })

  it('can be chosen by header for one request', async () => {
    const { url } = await link()
    expect((await gateway.download(url, { 'X-Emulator-Scenario': 'outage' })).status).toBe(503)
    expect((await gateway.download(url, { 'X-Emulator-Scenario': 'outge' })).status).toBe(400)
    expect((await gateway.download(url)).status).toBe(200)
  })

  it('can first move the clock past the end of the link', async () => {
    const { url, rule } = await link()
    await rule({ clock: { advance: '2h' } })
    expect((await gateway.download(url)).status).toBe(403)
  })
})
