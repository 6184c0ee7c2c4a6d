import { writeFileSync } from 'node:fs'
import http from 'node:http'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { run as compare } from '../../src/cli/commands/compare.ts'
import { ownFolder } from '../support/folders.ts'
import { openGateway } from '../support/gateway.ts'
import { plainHar } from '../support/plain-har.ts'
import { printed } from '../support/printed.ts'
import { recordAt } from '../support/recorder.ts'

const folder = ownFolder('odd-files')
const tasks = '/api/v3/contents/generations/tasks'
const create = '{"model":"model_a_20","content":[{"type":"text","text":"a lighthouse"}]}'

type Part = Record<string, unknown>

/** A file with a create, and a poll that differs in some parts from a usual one. */
function fileWith({ request = {}, response = {}, ...entry }: Record<string, Part>): string {
  const made = {
    request: { method: 'POST', postData: { text: create } },
    response: { content: { text: '{"id":"cgt-1"}' } },
  }
  const poll = {
    request: { url: `http://gateway${tasks}/cgt-1`, ...request },
    response: { content: { text: '{"id":"cgt-1","status":"queued"}' }, ...response },
    ...entry,
  }
  const path = join(folder, 'odd.har')
  writeFileSync(path, plainHar(made, poll))
  return path
}

const compared = (path: string) => printed(compare, [path])

const header = (name: string, value: string) => ({ request: { headers: [{ name, value }] } })
const reply = (body: unknown) => ({ response: { content: { text: JSON.stringify(body) } } })

describe('compare reads the odd file of another program to its end (docs/recordings.md, "Compare")', () => {
  it.each<[string, Record<string, Part>]>([
    ['a link that is not an address', reply({ id: 'cgt-1', content: { video_url: 'http://[bad' } })],
    ['an empty id', reply({ id: '', status: 'queued' })],
    ['a reply that is a list', reply([null, []])],
    ['a header with a line break', header('X-Client-Request-Id', 'a\nb')],
    ['a header beyond Latin-1', header('X-Client-Request-Id', '你好')],
    ['a key beyond Latin-1', header('Authorization', 'Bearer 你好')],
    ['a body in a GET', { request: { postData: { text: '{"a":1}' } } }],
    ['a method in lower case', { request: { method: 'get', postData: { text: '{}' } } }],
    ['a method that fetch does not send', { request: { method: 'TRACE' } }],
    [
      'a text that is not a string',
      { request: { postData: { text: 5 } }, response: { content: { text: [] } } },
    ],
  ])('with %s', async (_, part) => {
    const { code, text } = await compared(fileWith(part))
    expect(code, text).toBe(1)
    expect(text).toMatch(/Made again: requests \d+, jobs \d+/)
  })
})

it('a recorded GET with a body and a recorded TRACE show no difference (docs/recordings.md, "Compare")', async () => {
  const gateway = await openGateway()
  const recorder = await recordAt(gateway.url)
  for (const [method, body] of [
    ['GET', '{"a":1}'],
    ['TRACE', ''],
  ] as const) {
    await new Promise<void>((resolve, reject) => {
      const headers = { Authorization: 'Bearer sk-test-odd', 'Content-Length': Buffer.byteLength(body) }
      const sent = http.request(recorder.url + tasks, { method, headers }, incoming => {
        incoming.resume().once('end', resolve)
      })
      sent.once('error', reject).end(body)
    })
  }
  await recorder.close()
  expect((await recorder.entries()).length).toBe(2)
  const { code, text } = await compared(recorder.path)
  expect(code, text).toBe(0)
})

it('reads replies that another program wrote in base64', async () => {
  const gateway = await openGateway()
  const recorder = await recordAt(gateway.url)
  const headers = { Authorization: 'Bearer sk-test-odd', 'Content-Type': 'application/json' }
  await fetch(recorder.url + tasks, { method: 'POST', headers, body: '{"model":"model_a_25"}' })
  await recorder.close()
  const [entry] = await recorder.entries()
  const content = {
    text: Buffer.from(entry?.response.content.text ?? '').toString('base64'),
    encoding: 'base64',
  }
  const file = join(folder, 'base64.har')
  writeFileSync(
    file,
    JSON.stringify({ log: { entries: [{ ...entry, response: { ...entry?.response, content } }] } }),
  )
  const { code, text } = await compared(file)
  expect(code, text).toBe(0)
  expect(text).toMatch(/^confirmed +a\.errors\.shape/m)
})
