// biome-ignore-all lint/suspicious/noThenProperty: the word of the scenario language, never awaited.
import { describe, expect, it } from 'vitest'
import { faults } from '../../src/emulator/faults/fault.ts'
import { worldOfA } from '../support/family-a.ts'
import { openGateway } from '../support/gateway.ts'
import { oneVideoForAll } from '../support/job-answers.ts'

oneVideoForAll()

const gateway = await openGateway()

/** The link of a finished task, in a world of its own. */
async function link() {
  const world = worldOfA(gateway)
  const { id, content } = await world.finished()
  const rule = async (then: unknown, when: object = {}) => {
    const rules = [{ when: { operation: 'media.download', ...when }, then }]
    expect((await world.control('POST', '/scenarios', { name: 'mine', rules })).status).toBe(201)
  }
  const another = async (): Promise<string> => (await world.finished()).content.video_url
  return { url: content.video_url as string, control: world.control, rule, another, id: id as string }
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
    const body = '<h1>Bad Gateway</h1>'
    await rule({ refuse: { status: 502, body, headers: { [name]: 'text/html' } } })
    const { status, headers, bytes } = await gateway.download(url)
    expect([status, headers.get('content-type'), bytes.toString()]).toEqual([502, 'text/html', body])
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
