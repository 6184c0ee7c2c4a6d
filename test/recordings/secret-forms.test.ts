import { describe, expect, it } from 'vitest'
import type { Body, Pair, RecordedExchange } from '../../src/recordings/har.ts'
import { createRedactor } from '../../src/recordings/redact/redactor.ts'

const textOf = (text: string): Body => ({ kind: 'text', text, bytes: Buffer.byteLength(text) })
const json = (value: unknown): Body => textOf(JSON.stringify(value))
const message = (text: string) => ({ responseBody: json({ error: { message: text } }) })
const header = (name: string, value: string): Partial<RecordedExchange> => ({
  requestHeaders: [[name, value] satisfies Pair],
})

const plain: RecordedExchange = {
  startedAt: 1_790_000_000_000,
  durationMs: 12,
  waitMs: 10,
  operation: 'a.create',
  family: 'a',
  method: 'POST',
  url: 'https://gateway.example.com/api/v3/contents/generations/tasks',
  requestHeaders: [],
  requestBody: { kind: 'none' },
  status: 400,
  statusText: 'Bad Request',
  responseHeaders: [],
  responseBody: { kind: 'none' },
}

const redacted = (change: Partial<RecordedExchange>) =>
  createRedactor({ prompts: 'redacted' }).redact({ ...plain, ...change })

/** A secret that only its name gives away. */
const word = 'marigoldwindow'

const named: Readonly<Record<string, Partial<RecordedExchange>>> = {
  'JSON of name and value': { responseBody: json({ headers: [{ name: 'x-api-key', value: word }] }) },
  'JSON of key and value': { responseBody: json({ headers: [{ key: 'Authorization', value: word }] }) },
  'a list of two': { responseBody: json({ headers: [['x-api-key', word]] }) },
  'a flat list of names and values': {
    responseBody: json({ rawHeaders: ['host', 'here', 'x-api-key', word] }),
  },
  'a hash of Ruby': message(`params {"api_key"=>"${word}"}`),
  'a symbol of Ruby': message(`params {:api_key => '${word}'}`),
  'an assignment of Go': message(`apiKey := "${word}"`),
  'a map of Go': message(`map[X-Api-Key:[${word}]]`),
  'bytes of Python': message(`{'api_key': b'${word}'}`),
  'a full-width colon': message(`api_key：${word}`),
  'an arrow': message(`api_key -> ${word}`),
  'angle brackets': message(`api_key=<${word}>`),
  'back quotes': message(`api_key=\`${word}\``),
  'an option with a blank': message(`run --api-key ${word} now`),
  'an option with a sign of equality': message(`run --api-key=${word} now`),
  "curl's user": message(`curl -u alice:${word} here`),
  'Authorization with the scheme Token': message(`Authorization: Token ${word}`),
  'Authorization with a scheme of a vendor': message(`Authorization: Vendor ${word}`),
  'an element of XML in a message': message(`<Secret>${word}</Secret>`),
  'a sentence with "is"': message(`your password is ${word}`),
  'a sentence with quotes': message(`secret "${word}" rejected`),
  'a sentence with brackets': message(`Invalid token (${word})`),
  'a path': { url: `https://gateway.example.com/key/${word}/tasks` },
  'a field in brackets of a form': {
    requestBody: textOf(`auth[token]=${word}&x=1`),
    ...message(`bad ${word}`),
  },
  'an element of XML in a request': {
    requestBody: textOf(`<a><apiKey>${word}</apiKey></a>`),
    ...message(`bad ${word}`),
  },
}

const names = [
  ...['endUserId', 'billingAccountId', 'client_id', 'app_id', 'phoneNumber', 'pass', 'userPwd', 'sid'],
  ...['csrf', 'csrfToken', 'salt', 'hmac', 'client_assertion', 'SAMLResponse', 'code_verifier', 'key_id'],
  ...['security_code', 'encryptionKey'],
]

/** A text that shows by itself that it is random. */
const random = 'Zq7vTm2Lr9Xw4KdP'

const shown: Readonly<Record<string, Partial<RecordedExchange>>> = {
  'a sentence': message(`Incorrect API key provided: ${random}`),
  'a Chinese sentence': message(`令牌${random}无效`),
  'a tuple of Python': message(`[('x-api-key', '${random}')]`),
  'a field of any name': { requestBody: json({ note: `hello ${random}` }) },
  'an unknown header that is repeated': { ...header('X-Anything', random), ...message(`bad ${random}`) },
  'an unknown parameter that is repeated': {
    url: `https://gateway.example.com/api/v3/things?zz=${random}`,
    ...message(`bad ${random}`),
  },
  'an unknown field of a form that is repeated': {
    requestBody: textOf(`x=1&k=${random}`),
    ...message(`bad ${random}`),
  },
  'a user agent': header('User-Agent', `app/1 token/${random}`),
  'an id of a request': header('X-Request-Id', random),
  'a realm': { responseHeaders: [['WWW-Authenticate', `Bearer realm="${random}"`]] },
  'an entity tag': { responseHeaders: [['ETag', `"${random}"`]] },
}

const prefixes = [
  ...[
    'hf_',
    'github_pat_',
    'ghr_',
    'glpat-',
    'r8_',
    'xai-',
    'gsk_',
    'pk_live_',
    'rk_live_',
    'whsec_',
    'ya29.',
  ],
  ...['AKID', 'npm_', 'xapp-1-', 'dckr_pat_', 'SG.', 'eyJhbGci'],
]

/** Texts that tell nothing about the user, and that a recording needs. */
const harmless = [
  'The parameter `duration` is not valid: must be one of 5, 10.',
  'Invalid token: expired',
  'The key is missing. The token was not provided.',
  'password is required',
  'The model MiniMax-Hailuo-02 does not exist, use doubao-seedance-1-0-pro-250528 or wan2.5-t2v-preview',
  'Task cgt-20260331175019-68d9t was not found',
  'Task 6f1d2a34-5b6c-4d7e-8f90-a1b2c3d4e5f6 and 0217431234567890123456789abcdef0 are running',
  'InvalidParameter.DataInspectionFailed2 in ImageToVideoGenerationTask',
  'Created at 2026-11-24T10:11:12.123Z, 20261124T101112Z; 1280x720, 16:9',
  'total_tokens: 108900',
  'one of: token|null, key | value',
]

describe('forms in which a secret is written (docs/recordings.md, 1)', () => {
  it.each(Object.entries(named))('a word behind the name of a secret is left out: %s', async (_, change) => {
    expect(JSON.stringify(await redacted(change))).not.toContain(word)
  })

  it.each(names)('the value of %s is left out', async name => {
    expect(JSON.stringify(await redacted({ responseBody: json({ [name]: word }) }))).not.toContain(word)
  })

  it.each(Object.entries(shown))('a random text is left out without a name: %s', async (_, change) => {
    expect(JSON.stringify(await redacted(change))).not.toContain(random)
  })

  it.each(prefixes)('a key that begins with %s is left out', async prefix => {
    const key = `${prefix}marigoldwindowmarigold`
    expect(JSON.stringify(await redacted(message(`bad ${key}`)))).not.toContain('marigoldwindow')
  })

  it.each(harmless)('a text without a secret stays: %s', async text => {
    expect((await redacted(message(text))).responseText).toBe(JSON.stringify({ error: { message: text } }))
  })

  it('a random id of a task has one name in the reply and in the path that polls it', async () => {
    const redactor = createRedactor({ prompts: 'redacted' })
    const created = await redactor.redact({ ...plain, responseBody: json({ id: random }) })
    const polled = await redactor.redact({ ...plain, url: `${plain.url}/${random}` })
    const { id } = JSON.parse(created.responseText ?? '')
    expect(id).not.toBe(random)
    expect(polled.url.endsWith(`/${id}`)).toBe(true)
  })
})
