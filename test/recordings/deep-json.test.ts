import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { run as compare } from '../../src/cli/commands/compare.ts'
import { run as config } from '../../src/cli/commands/config.ts'
import { run as scenarios } from '../../src/cli/commands/scenarios.ts'
import { ownFolder } from '../support/folders.ts'
import { openGateway } from '../support/gateway.ts'
import { serverOfTest } from '../support/input-server.ts'
import { plainHar } from '../support/plain-har.ts'
import { printed } from '../support/printed.ts'
import { recordAt } from '../support/recorder.ts'

const folder = ownFolder('deep-json')
const gateway = await openGateway()
const tasks = '/api/v3/contents/generations/tasks'
const headers = { 'Content-Type': 'application/json', Authorization: 'Bearer sk-test-deep' }

/** Values that functions which call themselves for each level cannot walk. */
const deep = {
  objects: `${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`,
  arrays: `${'['.repeat(20_000)}${']'.repeat(20_000)}`,
}
const cases = Object.entries(deep)
const bodyWith = (text: string) =>
  `{"model":"model_a_20","content":[{"type":"text","text":"a lighthouse"}],"more":${text}}`

describe.each(cases)('a body with thousands of %s', (name, text) => {
  it('is recorded as a note of its size, and its recording shows no difference (docs/recordings.md)', async () => {
    const recorder = await recordAt(gateway.url)
    const body = bodyWith(text)
    const reply = await fetch(recorder.url + tasks, { method: 'POST', headers, body })
    expect(reply.status, await reply.text()).toBe(400)
    await recorder.close()
    const [entry] = await recorder.entries()
    expect(entry?.request.postData?.text).toBe(`[JSON nested deeper than 128 levels: ${body.length} bytes]`)
    const { code, text: report } = await printed(compare, [recorder.path])
    expect(code, report).toBe(0)
    expect(report).toContain('A-body')
  })

  it('in a reply passes through the recorder unchanged and is recorded', async () => {
    const sent = `{"id":"cgt-1","more":${text}}`
    const upstream = await serverOfTest((request, response) => {
      request.resume()
      response.writeHead(200, { 'Content-Type': 'application/json' }).end(sent)
    })
    const recorder = await recordAt(upstream)
    const reply = await fetch(recorder.url + tasks, { method: 'POST', headers, body: bodyWith('1') })
    expect(await reply.text()).toBe(sent)
    await recorder.close()
    const [entry] = await recorder.entries()
    expect(entry?.response.content.text).toContain('nested deeper than 128 levels')
    expect((await printed(compare, [recorder.path])).code).toBe(1)
  })

  it('in the HAR file of a browser makes no command fail', async () => {
    const path = join(folder, `${name}.har`)
    for (const file of [
      createFile(bodyWith(text), '{"id":"cgt-1"}'),
      createFile(bodyWith('1'), `{"id":"cgt-1","more":${text}}`),
    ]) {
      writeFileSync(path, file)
      expect((await printed(compare, [path])).code).toBe(1)
      expect((await printed(config, ['from-recording', path])).code).toBe(0)
      await expect(scenarios(['from-recording', path])).rejects.toThrow('has no accepted create')
    }
  })

  it('is shown as text in the journal, also as HAR', async () => {
    await gateway.post(tasks, bodyWith(text), 'sk-test-deep-journal')
    const plain = await gateway.control('GET', '/worlds/deep-journal/requests')
    expect(plain.status).toBe(200)
    expect(plain.body.items[0].request.body).toContain('a lighthouse')
    const har = await gateway.control('GET', '/worlds/deep-journal/requests?format=har')
    expect(har.status, har.text.slice(0, 200)).toBe(200)
    expect(har.body.log.entries[0].request.postData.text).toContain('nested deeper than')
  })

  it('outside of bodies makes a HAR file invalid, and the message has its path', async () => {
    const path = join(folder, `${name}-itself.har`)
    writeFileSync(path, `{"log":{"version":"1.2","more":${text},"entries":[]}}`)
    await expect(compare([path])).rejects.toThrow(`${path} is nested deeper than 512 levels`)
  })
})

/** A file with a create. */
const createFile = (request: string, reply: string) =>
  plainHar({
    request: { method: 'POST', postData: { text: request } },
    response: { content: { text: reply } },
  })

/** A file whose second entry has another part makes compare say this of that entry. */
async function expectRefused(part: object, said: string): Promise<void> {
  const path = join(folder, 'wrong.har')
  const [entry] = JSON.parse(createFile('{}', '{}')).log.entries
  writeFileSync(path, JSON.stringify({ log: { entries: [entry, { ...entry, ...part }] } }))
  await expect(compare([path])).rejects.toThrow(`${path} is not a HAR file: log.entries[1]${said}`)
}

it.each([
  ['a header without a value', { request: { method: 'GET', url: 'http://g/', headers: [{ name: 'a' }] } }],
  ['a header that is null', { request: { method: 'GET', url: 'http://g/', headers: [null] } }],
  ['content that is null', { response: { status: 200, headers: [], content: null } }],
  ['no reply', { response: undefined }],
])('refuses a HAR entry with %s, with file and entry', async (_, part) => {
  await expectRefused(part, ' is not a request with its response')
})

it.each([
  [{ key: 'sk-1' }, 'key "sk-1" is not of the form key-N'],
  [{ key: 1 }, 'key 1 is not of the form key-N'],
  [{ operation: undefined }, 'operation undefined is not a string'],
  [{ clock_ms: 'now' }, 'clock_ms "now" is not a number'],
  [{ answered_before: null }, 'answered_before null is not a number'],
  [5, '5 is not an object'],
])(
  'refuses a HAR entry whose _gateway has %o, with file, entry and the allowed values',
  async (part, said) => {
    const facts =
      typeof part === 'object' ? { operation: 'a.create', authorization: 'bearer', ...part } : part
    await expectRefused({ _gateway: facts }, `._gateway: ${said}`)
  },
)
