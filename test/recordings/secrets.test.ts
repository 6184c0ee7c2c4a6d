import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { Body, GatewayEntry, Pair, RecordedExchange } from '../../src/recordings/har.ts'
import { recordingText } from '../../src/recordings/har-file.ts'
import { entryOf } from '../../src/recordings/record/entry.ts'
import { createRedactor } from '../../src/recordings/redact/redactor.ts'
import { harProblems } from '../support/har-schema.ts'

const picture = readFileSync(new URL('../../fixtures/media/samples/landscape.jpg', import.meta.url))
const dataUri = `data:image/jpeg;base64,${picture.toString('base64')}`

/** The planted secrets, by place. None of the values may be in the file. */
const planted = {
  'a key in the header': 'sk-live-4f9a8b7c6d5e4f3a',
  'a key without sk-': 'ZxY98-plain-key-77',
  'a key in a query': 'sk-query-99aa88bb',
  'an encoded key in a query': 'sk-encoded-5566',
  'a key in a body': 'sk-body-12ab34cd',
  'a key in an error text': 'sk-wrong-9876zyxw',
  'a cookie': 'c00kie-value-123',
  'a cookie that is set': 'set-c00kie-456',
  'an unknown header': 'badge-5a5a5a5a',
  'a token header': 'tok-77665544',
  'a proxy password': 'cHJveHk6cGFzcw==',
  'a link signature': '5f0e1d2c3b4a59687766554433221100',
  'an object store signature': 'aabbccddeeff00112233445566778899',
  'a storage access key': 'AKLTabcdef1234567890',
  'a security token of a link': 'STSsecuritytoken0099',
  'a credential of a link': 'AKIAIOSFODNN7EXAMPLE',
  'a bucket of an account': 'bucket-2100998877',
  'a path of a project': 'project-lighthouse-42',
  'a link in an error text': 'sig-in-text-0f0f0f0f',
  'an account number in an error': '2100123456',
  'a project number in a body': 'prj-8899aabb',
  'a user of a reply': '109283746',
  'an owner of a voice': '778899001',
  'an asset by reference': 'asset-20260101120000-abcde',
  'an asset in an error': 'asset-20260202120000-fghij',
  'a certification token': 'cert-0a1b2c3d4e',
  'a prompt': 'a lighthouse that nobody may know of',
  'an echoed prompt': 'the same words again in the reply',
  'a layer description': 'my grandmother in her garden',
  'a resource name': 'trn:iam::2100445566:user/ada',
  'a mail address': 'ada@example.org',
  'a web token': 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc-def_123',
  'a password in a link': 'hunter2hunter2',
  'the id of an end user': 'end-user-5150',
} as const

const headers: Pair[] = [
  ['Authorization', `Bearer ${planted['a key in the header']}`],
  ['Cookie', `session=${planted['a cookie']}; theme=dark`],
  ['X-Corp-Badge', planted['an unknown header']],
  ['X-Auth-Token', planted['a token header']],
  ['Proxy-Authorization', `Basic ${planted['a proxy password']}`],
  ['Content-Type', 'application/json'],
]

const store = `https://${planted['a bucket of an account']}.tos.example.com/${planted['a path of a project']}`
const link = `${store}/video.mp4?X-Tos-Expires=7200&X-Tos-Signature=${planted['an object store signature']}&X-Tos-Security-Token=${planted['a security token of a link']}&X-Tos-Credential=${planted['a credential of a link']}`
const otherLink = `${store}/last.png?Expires=1790000000&Signature=${planted['a link signature']}&OSSAccessKeyId=${planted['a storage access key']}`

const request = {
  model: 'model_a_25',
  content: [
    { type: 'text', text: planted['a prompt'] },
    { type: 'image_url', image_url: { url: dataUri }, role: 'first_frame' },
    { type: 'image_url', image_url: { url: `asset://${planted['an asset by reference']}` } },
    {
      type: 'image_url',
      image_url: { url: `https://me:${planted['a password in a link']}@files.example.com/a.png` },
    },
  ],
  note: `made with ${planted['a key in a body']}`,
  project_id: planted['a project number in a body'],
  safety_identifier: planted['the id of an end user'],
  certification_token: planted['a certification token'],
}

const reply = {
  id: 'cgt-20260101120000-abcde',
  content: { video_url: link, last_frame_url: otherLink },
  orig_prompt: planted['an echoed prompt'],
  caller_uid: planted['a user of a reply'],
  data: [{ name: 'cat', description: planted['a layer description'], b64_json: picture.toString('base64') }],
  task_result: { voices: [{ voice_id: 'v-1', owned_by: planted['an owner of a voice'] }] },
}

const errorReply = {
  error: {
    code: 'AccessDenied',
    message: [
      `Incorrect API key provided: ${planted['a key in an error text']}, not ${planted['a key without sk-']}.`,
      `Your account ${planted['an account number in an error']} has not activated the model.`,
      `${planted['a resource name']} and ${planted['a mail address']} may not; ${planted['a web token']}.`,
      `The specified asset ${planted['an asset in an error']} is not found.`,
      `See https://x.example.com/f?Signature=${planted['a link in an error text']}. Prompt: ${planted['a prompt']}`,
      `Cookie ${planted['a cookie']}, signature ${planted['a link signature']}, ${planted['the id of an end user']}.`,
    ].join(' '),
    param: '',
    type: 'Forbidden',
  },
}

function textOf(value: unknown): Body {
  const text = JSON.stringify(value)
  return { kind: 'text', text, bytes: text.length }
}

function exchange(change: Partial<RecordedExchange>): RecordedExchange {
  return {
    startedAt: 1_790_000_000_000,
    durationMs: 12.5,
    waitMs: 10,
    operation: 'a.create',
    family: 'a',
    method: 'POST',
    url: 'https://gateway.example.com/api/v3/contents/generations/tasks',
    requestHeaders: headers,
    requestBody: textOf(request),
    status: 200,
    statusText: 'OK',
    responseHeaders: [
      ['Content-Type', 'application/json'],
      ['Set-Cookie', `a=${planted['a cookie that is set']}; Path=/`],
      ['Location', link],
    ],
    responseBody: textOf(reply),
    ...change,
  }
}

const passed: RecordedExchange[] = [
  exchange({}),
  exchange({
    requestHeaders: [['Authorization', planted['a key without sk-']]],
    status: 403,
    responseBody: textOf(errorReply),
  }),
  exchange({
    method: 'GET',
    operation: 'a.list',
    url: `https://gateway.example.com/api/v3/contents/generations/tasks?page_num=1&api_key=${planted['a key in a query']}&q=Bearer%20${planted['an encoded key in a query']}`,
    requestBody: { kind: 'none' },
  }),
  exchange({ method: 'GET', operation: 'media.download', url: link, requestBody: { kind: 'none' } }),
  exchange({
    requestBody: { kind: 'text', text: `{"prompt": "${planted['a prompt']}", broken`, bytes: 60 },
    responseBody: {
      kind: 'text',
      text: `<Error>${planted['a key in the header']} ${otherLink}</Error>`,
      bytes: 9,
    },
  }),
]

const redactor = createRedactor({ prompts: 'redacted' })
const entries: GatewayEntry[] = []
for (const one of passed) entries.push(await entryOf(one, redactor))
const text = recordingText(entries)

describe('secrets in a recording', () => {
  it('plants at least thirty kinds', () => {
    const all = JSON.stringify(passed)
    expect(Object.keys(planted).length).toBeGreaterThanOrEqual(30)
    for (const value of Object.values(planted)) expect(all).toContain(value)
  })

  it.each(Object.entries(planted))('hides %s', (_, value) => {
    expect(text).not.toContain(value)
    expect(decodeURIComponent(text.replaceAll('%', '%25'))).not.toContain(value)
    expect(text).not.toContain(encodeURIComponent(value))
    expect(text).not.toContain(Buffer.from(value).toString('base64').slice(0, -4))
  })

  it('keeps descriptions of files, not their bytes (docs/recordings.md)', () => {
    expect(text).not.toContain(picture.toString('base64').slice(100, 160))
    const body = JSON.parse(entries[0]?.request.postData?.text ?? '')
    expect(body.content[1].image_url.url).toMatchObject({
      type: 'image/jpeg',
      bytes: picture.length,
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      width: expect.any(Number),
      height: expect.any(Number),
    })
  })

  it('replaces a key by the same name each time, and keeps the form of the header, which decides whether the key is accepted', () => {
    expect(entries[0]?._gateway).toMatchObject({ authorization: 'bearer', key: 'key-1' })
    expect(entries[2]?._gateway?.key).toBe('key-1')
    expect(entries[1]?._gateway?.authorization).toBe('other')
  })

  it('replaces a link by the number of its file, its ending and its expiry', () => {
    const { content } = JSON.parse(entries[0]?.response.content.text ?? '')
    expect(content.video_url).toMatch(/^https:\/\/files\.redacted\/link-\d+\.mp4\?X-Tos-Expires=7200&/)
    expect(content.last_frame_url).toMatch(/\/link-\d+\.png\?Expires=1790000000&/)
    expect(entries[3]?.request.url.split('?')[0]).toBe(content.video_url.split('?')[0])
  })

  it('passes the schema of HAR 1.2', () => {
    expect(harProblems(JSON.parse(text))).toEqual([])
    expect(harProblems({ log: { entries: [{}] } })).not.toEqual([])
  })

  it('keeps prompts only when asked, and then no other secret', async () => {
    const open = createRedactor({ prompts: 'kept' })
    const [first] = passed
    if (!first) throw new Error('nothing passed')
    const kept = JSON.stringify(await entryOf(first, open))
    expect(kept).toContain(planted['a prompt'])
    expect(kept).toContain(planted['an echoed prompt'])
    for (const [name, value] of Object.entries(planted))
      if (!/prompt|description/.test(name)) expect(kept, name).not.toContain(value)
  })
})
