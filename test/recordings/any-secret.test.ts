import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Body, Pair, RecordedExchange } from '../../src/recordings/har.ts'
import { recordingText } from '../../src/recordings/har-file.ts'
import { entryOf } from '../../src/recordings/record/entry.ts'
import { createRedactor } from '../../src/recordings/redact/redactor.ts'
import { recordAt } from '../support/recorder.ts'

const json = (value: unknown): Body => textOf(JSON.stringify(value))
const textOf = (text: string): Body => ({ kind: 'text', text, bytes: Buffer.byteLength(text) })
const key = (value: string): Pair[] => [['Authorization', `Bearer ${value}`]]
const said = (text: string) => ({
  status: 401,
  responseBody: json({ error: { message: `Rejected: ${text}; denied` } }),
})

function exchangeWith(change: Partial<RecordedExchange>): RecordedExchange {
  return {
    startedAt: 1_790_000_000_000,
    durationMs: 12,
    waitMs: 10,
    operation: 'a.create',
    family: 'a',
    method: 'POST',
    url: 'https://gateway.example.com/api/v3/contents/generations/tasks',
    requestHeaders: [],
    requestBody: { kind: 'none' },
    status: 200,
    statusText: 'OK',
    responseHeaders: [],
    responseBody: { kind: 'none' },
    ...change,
  }
}

const units = (text: string) => [...Buffer.from(text)].map(byte => byte.toString(16).padStart(2, '0'))
const percent = (text: string) =>
  units(text)
    .map(hex => `%${hex}`)
    .join('')
const unicode = (text: string) =>
  [...text].map(sign => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')

/** How a text can spell a secret. */
const spellings: Readonly<Record<string, (secret: string) => string>> = {
  'as it is': secret => secret,
  'in upper case': secret => secret.toUpperCase(),
  'in base64': secret => Buffer.from(secret).toString('base64'),
  'in base64 without padding': secret => Buffer.from(secret).toString('base64').replace(/=+$/, ''),
  'in base64url': secret => Buffer.from(secret).toString('base64url'),
  'in hex': secret => Buffer.from(secret).toString('hex'),
  'in upper-case hex': secret => Buffer.from(secret).toString('hex').toUpperCase(),
  'percent-encoded': percent,
  'percent-encoded twice': secret => encodeURIComponent(percent(secret)),
  'percent-encoded four times': secret => percent(secret).replaceAll('%', '%252525'),
  'in unicode escapes': unicode,
  'in unicode escapes of JSON in JSON': secret => JSON.stringify(JSON.stringify(unicode(secret))),
  'in entities': secret =>
    [...secret].map(sign => `&#${`${sign.codePointAt(0)}`.padStart(3, '0')};`).join(''),
  'in hex entities': secret => [...secret].map(sign => `&#x${sign.codePointAt(0)?.toString(16)};`).join(''),
  'with every second character escaped': secret =>
    [...secret].map((sign, place) => (place % 2 === 0 ? percent(sign) : sign)).join(''),
}

/** Encodings of a longer text with the secret in it. A short secret cannot be told from chance there. */
const wrappings: Readonly<Record<string, (secret: string) => string>> = {
  'in base64 of a longer text': secret => Buffer.from(`user:${secret}:end`).toString('base64'),
  'in base64 of base64': secret => Buffer.from(Buffer.from(secret).toString('base64')).toString('base64'),
  'in base64 of JSON': secret => Buffer.from(JSON.stringify({ a: [secret] })).toString('base64url'),
  'in gzip in base64': secret => gzipSync(secret).toString('base64'),
  'in gzip in hex': secret => gzipSync(secret).toString('hex'),
  'in base64 of UTF-16': secret => Buffer.from(secret, 'utf16le').toString('base64'),
  'in hex of a longer text': secret => Buffer.from(`x${secret}`).toString('hex'),
  'in base64 behind other characters': secret => `ab/${Buffer.from(secret).toString('base64')}`,
  'in base64, percent-encoded': secret => percent(Buffer.from(secret).toString('base64')),
}

const multipart = (name: string, secret: string) =>
  `--b0undary\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${secret}\r\n--b0undary--\r\n`

/** Places at which the form of a request or a reply shows that a value is secret. */
const places: Readonly<Record<string, (secret: string) => Partial<RecordedExchange>>> = {
  'the key of a request': secret => ({ requestHeaders: key(secret) }),
  'the key in a part of a path, encoded twice': secret => ({
    requestHeaders: key(secret),
    url: `https://gateway.example.com/api/v3/things/${encodeURIComponent(percent(secret))}`,
  }),
  'a key without a scheme': secret => ({ requestHeaders: [['authorization', secret]] }),
  'a password': secret => ({
    requestHeaders: [['Authorization', `Basic ${Buffer.from(`me:${secret}`).toString('base64')}`]],
    ...said(secret),
  }),
  'a cookie': secret => ({
    requestHeaders: [['Cookie', `theme=${secret}; other=${secret}`]],
    ...said(secret),
  }),
  'a cookie that is set': secret => ({
    responseHeaders: [['Set-Cookie', `sid=${secret}; Path=/api; HttpOnly`]],
  }),
  'an unknown header': secret => ({ requestHeaders: [['X-Anything', secret]] }),
  'the name of a header': secret => ({
    requestHeaders: [[`X-Q7${secret}`, '1']],
    responseHeaders: [[`Q7${secret}`, '1']],
  }),
  'a header of a token': secret => ({ requestHeaders: [['X-Session-Token', secret]], ...said(secret) }),
  'a traceparent of another form': secret => ({ requestHeaders: [['traceparent', secret]] }),
  'a date of another form': secret => ({
    responseHeaders: [
      ['Expires', secret],
      ['Retry-After', `${secret}s`],
    ],
  }),
  'the name of a file': secret => ({
    responseHeaders: [
      ['Content-Disposition', `attachment; filename="${secret}.mp4"; filename*=UTF-8''${secret}.mp4`],
    ],
    ...said(`${secret}.mp4`),
  }),
  'a boundary': secret => ({ requestHeaders: [['Content-Type', `multipart/form-data; boundary=${secret}`]] }),
  'a redirect': secret => ({
    status: 302,
    statusText: 'Found',
    responseHeaders: [
      ['Location', `https://${secret}.example.com/${secret}/a.mp4?${secret}=${secret}&Signature=${secret}`],
    ],
  }),
  'a redirect to a path': secret => ({
    status: 302,
    responseHeaders: [['Location', `/login?next=${secret}`]],
  }),
  'the reason phrase': secret => ({ status: 401, statusText: `Unauthorized ${secret}` }),
  'a parameter of a secret': secret => ({
    url: `https://gateway.example.com/api/v3/things?api_key=${secret}&page_num=1`,
  }),
  'a parameter of any name': secret => ({
    url: `https://gateway.example.com/api/v3/things?anything=${secret}`,
  }),
  'the name of a parameter': secret => ({
    url: `https://gateway.example.com/api/v3/things?q7${secret}=1&q7${secret}`,
  }),
  'a password of an address': secret => ({ url: `https://me:${secret}@gateway.example.com/api/v3/things` }),
  'a fragment': secret => ({ url: `https://gateway.example.com/api/v3/things#${secret}` }),
  'the path of an account': secret => ({ url: `https://gateway.example.com/v1/projects/${secret}/tasks` }),
  'a downloaded file': secret => ({
    operation: 'media.download',
    url: `https://files.redacted/${secret}/${secret}.mp4?Expires=at-${secret}&Signature=${secret}&${secret}=1`,
  }),
  'a link in a body': secret => ({
    responseBody: json({
      video_url: `https://files.redacted/${secret}?token=${secret}`,
      other: `oss://${secret}/${secret}`,
    }),
  }),
  'a value below a secret name': secret => ({
    responseBody: json({ session: { token: { id: secret, [`q7${secret}`]: secret, list: [secret] } } }),
  }),
  'an id of an account': secret => ({
    responseBody: json({
      projectId: secret,
      user: { id: secret, email: secret },
      default_org_id: secret,
      client_ip: secret,
    }),
  }),
  'a secret field, and an earlier text that repeats it': secret => ({
    status: 400,
    responseBody: json({ error: { message: `Rejected: ${secret}; denied` }, access_token: secret }),
  }),
  'a secret inside JSON inside JSON': secret => ({
    responseBody: json({ raw: JSON.stringify({ raw: JSON.stringify({ password: secret }) }) }),
  }),
  'a secret inside JSON inside a message': secret => ({
    status: 400,
    responseBody: json({
      error: { message: `invalid body: ${JSON.stringify({ token: secret, number: 1 })} at line 1` },
    }),
  }),
  'a secret inside JSON inside JSON inside a message': secret => ({
    status: 400,
    responseBody: json({
      message: `body: ${JSON.stringify(JSON.stringify({ anything: 'else', otp: secret }))}`,
    }),
  }),
  'a form': secret => ({
    requestBody: textOf(`grant=x&client_secret=${encodeURIComponent(secret)}`),
    ...said(secret),
  }),
  'a part of a multipart body': secret => ({
    requestBody: textOf(multipart('password', secret)),
    ...said(secret),
  }),
  'JSON that was cut': secret => ({
    requestBody: textOf(`{"token": ${JSON.stringify(secret)}, "x": `),
    ...said(secret),
  }),
  'XML of an object store': secret => ({
    responseBody: textOf(
      `<?xml version="1.0"?><Error a="${secret}"><Code>AccessDenied</Code><HostId>${secret}</HostId><!-- ${secret} --></Error>`,
    ),
  }),
  'an assignment in a text': secret => ({
    status: 400,
    responseBody: json({ error: { message: `bad query token=${secret}` } }),
  }),
  'a mail address in a text': secret => ({
    status: 400,
    responseBody: json({ error: { message: `owner ${secret}@${secret}.example.org may not` } }),
  }),
  'a host in a text': secret => ({
    status: 502,
    responseBody: json({ error: { message: `dial ${secret}.internal.corp:5432` } }),
  }),
  'a media type': secret => ({
    requestBody: json({ image: `data:${secret};base64,${'A'.repeat(400)}` }),
  }),
}

/** Places of secrets whose form is free, so that also quotes, line breaks and letters of every script are possible. */
const textPlaces: Readonly<Record<string, (secret: string) => Partial<RecordedExchange>>> = {
  'a prompt': secret => ({ requestBody: json({ prompt: secret }), ...said(secret) }),
  'a prompt inside JSON inside a message': secret => ({
    requestBody: json({ prompt: secret }),
    ...said(JSON.stringify({ prompt: secret })),
  }),
  'a prompt that only a message shows': secret =>
    said(JSON.stringify({ x: JSON.stringify({ prompt: secret, y: 1 }) })),
  'a prompt inside JSON inside JSON': secret => ({
    requestBody: json({ content: [{ type: 'text', text: secret }] }),
    responseBody: json({ raw: JSON.stringify({ echoed: JSON.stringify({ said: secret }) }) }),
  }),
  'a secret field': secret => ({
    requestBody: json({ client_secret: secret }),
    ...said(JSON.stringify(JSON.stringify(secret))),
  }),
  'a form': secret => ({
    requestBody: textOf(new URLSearchParams({ prompt: secret }).toString()),
    ...said(encodeURIComponent(secret)),
  }),
}

async function fileOf(change: Partial<RecordedExchange>): Promise<string> {
  return recordingText([await entryOf(exchangeWith(change), createRedactor({ prompts: 'redacted' }))])
}

/** Another secret of the same length and kinds of characters. */
function twinOf(secret: string): string {
  const next = (sign: string, from: string, size: number) =>
    String.fromCharCode(from.charCodeAt(0) + ((sign.charCodeAt(0) - from.charCodeAt(0) + 5) % size))
  return secret
    .replace(/[a-z]/g, sign => next(sign, 'a', 26))
    .replace(/[A-Z]/g, sign => next(sign, 'A', 26))
    .replace(/[1-9]/g, sign => next(sign, '1', 9))
}

const sign = fc.constantFrom(...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ123456789')
const secrets = fc.oneof(
  fc.string({ unit: sign, minLength: 1, maxLength: 3 }),
  fc.string({ unit: sign, minLength: 1, maxLength: 60 }),
)
const runs = { seed: 20_261_123, numRuns: 40 }

/** A file that is the same for two secrets contains neither, also when a secret has one letter. */
async function expectNothingOf(secret: string, change: (secret: string) => Partial<RecordedExchange>) {
  const file = await fileOf(change(secret))
  expect(await fileOf(change(twinOf(secret)))).toBe(file)
  if (secret.length < 6) return
  for (const spelling of Object.values(spellings))
    expect(file.toLowerCase()).not.toContain(spelling(secret).toLowerCase())
}

describe('any secret of any length is in no byte of a recording', () => {
  it.each(Object.entries(places))('%s', async (_, place) => {
    await fc.assert(
      fc.asyncProperty(secrets, secret => expectNothingOf(secret, place)),
      runs,
    )
  })

  it.each(Object.entries(spellings))('the key of the request %s, in texts and paths', async (_, spelled) => {
    await fc.assert(
      fc.asyncProperty(secrets, secret =>
        expectNothingOf(secret, own => ({
          requestHeaders: key(own),
          url: `https://gateway.example.com/api/v3/${own.length < 6 ? 'things' : encodeURIComponent(spelled(own))}`,
          ...said(spelled(own)),
        })),
      ),
      runs,
    )
  })

  it.each(Object.entries(wrappings))('a key of at least 8 characters %s', async (_, spelled) => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: sign, minLength: 8, maxLength: 60 }), async secret => {
        const change = (own: string) => ({ requestHeaders: key(own), ...said(spelled(own)) })
        const file = await fileOf(change(secret))
        expect(file).not.toContain(spelled(secret))
        expect(file).toBe(await fileOf(change(twinOf(secret))))
      }),
      runs,
    )
  })

  it.each(['token', 'otp', 'pin', 'session', 'account_id', 'uid'])('the number %s', async name => {
    await fc.assert(
      fc.asyncProperty(fc.bigInt({ min: 1n, max: 10n ** 14n }), async number => {
        const secret = `${number}`.replaceAll('0', '7')
        const change = (own: string) => ({
          responseBody: textOf(
            `{"${name}": ${own}, "list": [{"${name}": [${own}]}], "message": "Rejected: ${own}; denied"}`,
          ),
        })
        await expectNothingOf(secret, change)
      }),
      runs,
    )
  })

  it.each(Object.entries(textPlaces))('any text as %s', async (_, place) => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'grapheme', minLength: 6, maxLength: 80 }), async text => {
        const file = await fileOf(place(text))
        const forms = [
          text,
          encodeURIComponent(text),
          inner(text),
          inner(inner(text)),
          inner(inner(inner(text))),
        ]
        for (const form of text.trim().length < 6 ? [] : forms) expect(file).not.toContain(form)
      }),
      { ...runs, numRuns: 150 },
    )
  })

  it.each([
    'a lighthouse that nobo...',
    'a lighthouse that…',
    '"nobody may know"',
    'a lighthouse that nobody',
  ])('a part of a prompt that a message quotes: %s', async part => {
    const prompt = 'a lighthouse that nobody may know of'
    const file = await fileOf({ requestBody: json({ prompt }), ...said(part.replace(/y$/, 'y"')) })
    expect(file).not.toContain('lighthouse')
    expect(file).not.toContain('may know')
  })

  it('whatever the number of hidden values', async () => {
    const redactor = createRedactor({ prompts: 'redacted' })
    const names = Array.from({ length: 12_000 }, (_, place) => `value-${place * 7919}-x`)
    await entryOf(exchangeWith({ responseBody: json({ api_keys: names }) }), redactor)
    const late = exchangeWith({
      requestHeaders: key('hunter2hunter2'),
      ...said(`hunter2hunter2, ${names.at(-1)}, ${names[0]}`),
    })
    const { text } = (await entryOf(late, redactor)).response.content
    expect(text).toMatch(/Rejected: key-\d+, secret-\d+, secret-1; denied/)
  })
})

describe('ids and addresses in a message', () => {
  it.each([
    ['Your account 2100123456 has not activated the model.', '2100123456'],
    ['Project lighthouse is over its quota', 'lighthouse'],
    ['The project `acme-prod` was not found', 'acme-prod'],
    ['project_id=p1 may not', 'p1'],
    ['Organization "Acme Labs" is disabled', 'Acme Labs'],
    ['User acme.ada does not exist', 'acme.ada'],
    ['owned by blue_team', 'blue_team'],
    ['API key abc77 is invalid', 'abc77'],
    ['账号 2100123456 未开通', '2100123456'],
    ['项目ID：lighthouse-42 不存在', 'lighthouse-42'],
    ['write to ada.l+x@mail.example.org please', 'ada.l+x@mail.example.org'],
    ['your address 203.0.113.77 is not allowed', '203.0.113.77'],
    ['your address 2001:db8::8a2e:370:7334 is not allowed', '2001:db8::8a2e:370:7334'],
    ['dial tcp 10.1.2.3:5432: refused', '10.1.2.3:5432'],
    ['no route to db-7.prod.svc.cluster.local', 'db-7.prod.svc.cluster.local'],
    ['upstream gw-7:18443 timed out', 'gw-7:18443'],
    ['call +49 151 2345 6789', '+49 151 2345 6789'],
    ['Incorrect key provided: ZxY9****77ab.', 'ZxY9****77ab'],
    ['Bearer abcdefgh1 is unknown', 'abcdefgh1'],
  ])('%s', async (message, secret) => {
    const file = await fileOf({ status: 403, responseBody: json({ error: { message } }) })
    expect(file).not.toContain(secret)
  })

  it.each([
    'The parameter `duration` specified in the request is not valid: must be one of 4, 5, 6.',
    'The task is running and cannot be deleted',
    'ratio 16:9 is not allowed at 00:00:12 with model_a_25 and 1280x720',
    'Invalid token: expired. Please check your API key.',
    'The user does not have access to the resolution 1080p',
    'invalid task_id cgt-20260101120000-abcde',
    'Upgrade to 2.0.1 or input.media.0.url',
  ])('keeps a message without any: %s', async message => {
    const entry = await entryOf(
      exchangeWith({ status: 400, responseBody: json({ error: { message } }) }),
      createRedactor({ prompts: 'redacted' }),
    )
    expect(JSON.parse(entry.response.content.text ?? '').error.message).toBe(message)
  })
})

/** A text inside a string of JSON. */
function inner(text: string): string {
  return JSON.stringify(text).slice(1, -1)
}

it('through the recorder, a gzip body, JSON in JSON and multipart, no byte of the file depends on the secret', async () => {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const secret = request.headers.authorization?.replace('Bearer ', '') ?? ''
    const body = Buffer.concat(chunks).toString('latin1')
    const reply = JSON.stringify({
      message: `Rejected: ${secret}; denied`,
      raw: JSON.stringify({ token: JSON.stringify({ secret }), echoed: body.includes(secret) ? body : '' }),
    })
    response.writeHead(401, `Unauthorized ${secret}`, {
      'Content-Type': 'application/json',
      'Content-Encoding': request.headers['x-packs'] === 'br' ? 'zstd' : 'gzip',
      'Set-Cookie': `sid=${secret}`,
      Date: 'Mon, 23 Nov 2026 10:00:00 GMT',
    })
    response.end(gzipSync(reply))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const recorder = await recordAt(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  onTestFinished(recorder.drop)
  const secrets = ['h7Xq', 'Zk29Jw', 'plain-Key-77x', 'sk-live-4f9a8b7c6d5e4f3a']
  for (const secret of secrets) {
    const send = (type: string, body: Buffer | string, more: Record<string, string> = {}) =>
      fetch(`${recorder.url}/api/v3/${secret}?${secret}=${secret}`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${secret}`, 'Content-Type': type, [`X-${secret}`]: '1', ...more },
        body,
      }).then(reply => reply.arrayBuffer())
    const text = JSON.stringify({ prompt: secret, nested: JSON.stringify({ otp: secret }) })
    await send('application/json', gzipSync(text), { 'Content-Encoding': 'gzip' })
    await send('application/json', text, { 'X-Packs': 'br' })
    await send('multipart/form-data; boundary=b0undary', multipart('token', secret))
    await send('application/x-www-form-urlencoded', `password=${secret}`)
  }
  await recorder.close()
  const file = readFileSync(recorder.path, 'utf8')
  expect(JSON.parse(file).log.entries).toHaveLength(4 * secrets.length)
  for (const secret of secrets)
    for (const spelled of Object.values(spellings))
      expect(file.toLowerCase()).not.toContain(spelled(secret).toLowerCase())
})
