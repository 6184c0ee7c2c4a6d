import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { families } from '../../src/emulator/families/index.ts'
import { imageToVideo, motionControl, omni } from '../../src/emulator/families/k-image-to-video/facts.ts'
import { describeMedia } from '../../src/evidence/recordings/describe-media.ts'
import {
  type Body,
  type Pair,
  type RecordedExchange,
  recordingText,
} from '../../src/evidence/recordings/har.ts'
import { entryOf } from '../../src/evidence/recordings/record/entry.ts'
import { isContractWord, isModelName } from '../../src/evidence/recordings/redact/contract.ts'
import { createPseudonyms, isPlainName } from '../../src/evidence/recordings/redact/pseudonyms.ts'
import {
  createRedactor,
  type RedactionOptions,
  redactHeader,
} from '../../src/evidence/recordings/redact/redactor.ts'
import { harProblems } from '../support/har-schema.ts'

const endpoints = families.flatMap(({ endpoints: own, dialect }) =>
  own.map(endpoint => ({ endpoint, errors: dialect.errorSchema })),
)
type Place = (typeof endpoints)[number]
const textBody = (text: string): Body => ({ kind: 'text', text, bytes: Buffer.byteLength(text) })
const json = (value: unknown) => textBody(JSON.stringify(value))

// biome-ignore lint/suspicious/noExplicitAny: schemas of every shape
type Any = any

/** A value with the secret at every place that a schema names, in unknown fields beside them, and in names of fields. */
function planted(schema: Any, secret: string): Any {
  const { properties, items, anyOf } = schema ?? {}
  if (anyOf) return planted(anyOf.find(({ properties: own, items: list }: Any) => own ?? list) ?? {}, secret)
  if (items) return [planted(items, secret), secret]
  if (!properties) return secret
  const named = Object.entries(properties).map(([name, inner]) => [name, planted(inner, secret)])
  const unknown = {
    note: secret,
    user_name: [secret, { token: secret }],
    [secret]: secret,
    n: `{"a":"${secret}"}`,
  }
  return { ...unknown, ...Object.fromEntries(named) }
}

const plainHeaders =
  'Content-Type Accept User-Agent Host Server Date ETag If-None-Match Range X-Request-Id X-Client-Request-Id X-Vendor-Async Content-Disposition Retry-After Allow Location X-Emulator-Rule Set-Cookie Content-Encoding Cache-Control traceparent Via'

const headersWith = (secret: string): Pair[] => [
  ['Authorization', `Bearer ${secret}`],
  ['Cookie', `a=${secret}; ${secret}=1`],
  ['constructor', secret],
  ['__proto__', secret],
  [`X-${secret.replace(/\W/g, '')}`, secret],
  ...plainHeaders.split(' ').map((name): Pair => [name, secret]),
  ['Content-Type', `multipart/form-data; boundary=${secret}`],
  ['Content-Disposition', `attachment; filename="${secret}.mp4"`],
  [
    'Location',
    `https://${secret.replace(/\W/g, '')}.example.com/${secret}?${secret}=${secret}&Signature=${secret}`,
  ],
]

/** Exchanges with the secret at every place of an operation. */
function exchangesWith(secret: string, { endpoint, errors }: Place): RecordedExchange[] {
  const step = encodeURIComponent(secret)
  const path = endpoint.paths[0].replace(/:\w+/g, step)
  const query = Object.keys((endpoint.query as Any)?.properties ?? {}).map(name => `${name}=${step}`)
  const base = {
    startedAt: 1_790_000_000_000,
    durationMs: 12,
    waitMs: 10,
    operation: endpoint.operation,
    method: endpoint.method,
    url: `https://${secret.replace(/\W/g, '').toLowerCase()}.example.com/${step}${path}?${[...query, `${step}=${step}`].join('&')}#${step}`,
    requestHeaders: headersWith(secret),
    requestBody: json(planted(endpoint.body, secret)),
    status: 200,
    statusText: secret,
    responseHeaders: headersWith(secret),
    responseBody: json(planted(endpoint.replies[200], secret)),
  }
  const failed = (status: number, responseBody: Body) => ({ ...base, status, responseBody })
  return [
    base,
    failed(400, json(planted(errors, secret))),
    failed(
      401,
      json({ error: { message: `Key ${secret} of "${secret}" is (${secret}) bad`, param: secret } }),
    ),
    failed(502, textBody(`<html><p>${secret}</p><!-- ${secret} --></html>`)),
    failed(500, textBody(secret)),
    failed(500, json(secret)),
    failed(404, textBody(`{"a": "${secret}", `)),
    {
      ...base,
      requestBody: textBody(
        `--b\r\nContent-Disposition: form-data; name="${secret}"\r\n\r\n${secret}\r\n--b--`,
      ),
    },
    { ...base, requestBody: textBody(`a=${step}&${step}=1`), operation: 'unknown' },
    { ...base, operation: 'media.download', requestBody: json([[secret], { [secret]: [secret] }]) },
  ]
}

const [plainExchange] = exchangesWith('x', endpoints[0] as Place) as [RecordedExchange]

/** Places inside texts: links, data URIs, base64, prompts, points. */
const wrapped: readonly ((secret: string) => string)[] = [
  secret => secret,
  secret =>
    `https://${secret.replace(/\W/g, '')}.example.com/${secret}/a.mp4?Expires=${secret}&X-Tos-Date=${secret}`,
  secret => `asset://asset-${secret}`,
  secret => `oss://${secret}/${secret}`,
  secret => `data:${secret};base64,${Buffer.from(secret).toString('base64')}`,
  secret => `data:text/plain;base64,${Buffer.from(secret).toString('base64')}`,
  secret => Buffer.from(secret.repeat(40)).toString('base64'),
  secret => `edit <point>${secret}</point> 16:9 portrait ${secret}`,
  secret => `InvalidParameter.${secret}`,
  secret => `mp4 ${secret}`,
]

async function fileOf(
  exchanges: readonly RecordedExchange[],
  options: RedactionOptions = { prompts: 'redacted' },
): Promise<string> {
  const redactor = createRedactor(options)
  const entries = []
  for (const one of exchanges) entries.push(await entryOf(one, redactor))
  return recordingText(entries)
}

const letters = 'abcdefghijkmnopqrstuvwyzABCDEFGHIJKLMNOPQRSTUVWXYZ23456789'
const secrets = {
  'an AWS key': 'AKIAQ7ZPLW3XMNB2TYRK',
  'a password of one word': 'marigoldwindow',
  'a password with signs': 'p@$$w0rd!%&=+#"Q7',
  'a number of a card': '4539578763621486',
  'a short number': '83625194',
  'a key in hex': '9f86d081884c7d659a2feaa0c55ad015',
  'an address': '10.0.12.7',
  'a card with dots': '4539.578.763.621',
  'a card as indexes': '453[957]876[362]148',
  'a UUID': '7d444840-9dc0-11d1-b245-5ffdce74fad2',
  'a mail address': 'ada.lovelace@mail.zz',
  'a telephone number': '+49 151 23456789',
  'a name of two words': 'Ada Lovelace',
  'Chinese text': '灯塔守护者的秘密花园',
  'a sentence': 'My cat Tibbles sleeps upon the sofa',
  'a path': '/home/ada/clients/zorro',
  'a web token': 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc',
}

describe('a recording has only what the contract knows (docs/recordings.md)', () => {
  it.each(Object.entries(secrets))('%s is in no byte of it, wherever it stood', async (_, secret) => {
    const forms = [
      secret,
      encodeURIComponent(secret),
      JSON.stringify(secret).slice(1, -1),
      Buffer.from(secret).toString('base64').slice(0, -3),
    ]
    for (const place of endpoints) {
      const text = await fileOf(
        wrapped.flatMap((wrap, at) => exchangesWith(wrap(secret), place).slice(0, at === 0 ? 10 : 3)),
      )
      const lower = text.toLowerCase()
      const found = forms.filter(form => lower.includes(form.toLowerCase()))
      expect(
        found.map(form => text.substr(lower.indexOf(form.toLowerCase()) - 150, 250)),
        place.endpoint.operation,
      ).toEqual([])
    }
  })

  it('two recordings that differ only in unknown texts of one length are the same', async () => {
    const text = fc.string({ unit: fc.constantFrom(...letters), minLength: 7, maxLength: 40 })
    await fc.assert(
      fc.asyncProperty(text, fc.nat(endpoints.length - 1), async (secret, at) => {
        const place = endpoints[at] as Place
        const twin = secret.replace(/./g, sign => letters[(letters.indexOf(sign) + 7) % letters.length] ?? '')
        expect(await fileOf(exchangesWith(twin, place))).toBe(await fileOf(exchangesWith(secret, place)))
      }),
      { seed: 20_261_127, numRuns: 60 },
    )
  })

  it('is HAR 1.2, and keeps words, forms, numbers and lengths where the contract has them', async () => {
    const body = {
      model: 'model_a_25',
      resolution: '720p',
      duration: 5,
      content: [
        { type: 'text', text: 'a cat, portrait' },
        { type: 'refer_image', role: 'base_video' },
      ],
      note: 'hello',
      safety_identifier: 'u-1',
    }
    const reply = {
      error: {
        code: 'ModelNotFound',
        message: 'The parameter `duration` of the group',
        param: 'content[0].text',
        type: 'BadRequest',
      },
      user_id: 109283746,
    }
    const redactor = createRedactor({ prompts: 'redacted', kept: ['note'] })
    const entry = await entryOf(
      { ...plainExchange, requestBody: json(body), status: 400, responseBody: json(reply) },
      redactor,
    )
    expect(harProblems(JSON.parse(recordingText([entry])))).toEqual([])
    expect(JSON.parse(entry.request.postData?.text ?? '')).toEqual({
      ...body,
      content: [{ type: 'text', text: 'text:15; portrait' }, body.content[1]],
      safety_identifier: 'text:3',
    })
    expect(JSON.parse(entry.response.content.text ?? '')).toEqual({
      error: { ...reply.error, message: 'text:37; `duration` group duration' },
      user_id: 0,
    })
  })

  it.each<[what: string, options: RedactionOptions, kept: string[]]>([
    ['prompts only when asked', { prompts: 'kept' }, ['a cat of sofa 7']],
    [
      'places only when asked',
      { prompts: 'redacted', kept: ['note', 'deep', 'list[]'] },
      ['of a note', 'of a tree', 'of an item', '"number":41'],
    ],
  ])('keeps %s, and then no other secret', async (_, options, kept) => {
    const own = 'pk/live+Zebra=11'
    const link = 'https://ada.example.com/zorro.png?X-Amz-Signature=f00dcafe%2Fbeef'
    const file = Buffer.from('marigold '.repeat(40)).toString('base64')
    const words = `Bearer ${own} ${encodeURIComponent(own)} sk-live-Quagga99 (${link}) data:image/png;base64,${file}`
    const picture = `data:image/png;base64,${file}`
    const body = {
      content: [
        { type: 'text', text: `a cat of sofa 7 ${words}` },
        { type: 'text', text: link },
        { type: 'text', text: picture },
      ],
      note: `of a note ${words}`,
      deep: { text: [`of a tree ${words}`, link, picture], number: 41, [own]: own },
      list: [`of an item ${words}`, link, { url: link }],
    }
    const sent = {
      ...plainExchange,
      requestHeaders: [['Authorization', `Bearer ${own}`]] as Pair[],
      requestBody: json(body),
      responseBody: json(body),
    }
    const text = (await fileOf([sent], options)).replaceAll('\\"', '"')
    for (const one of ['a cat of sofa 7', 'of a note', 'of a tree', 'of an item', '"number":41'])
      expect(text.includes(one), one).toBe(kept.includes(one))
    for (const secret of ['Zebra', 'Quagga', 'f00d', 'beef', 'zorro', 'ada.', file.slice(0, 40)])
      expect(text).not.toContain(secret)
  })

  const kept = async (
    note: string,
    asked: Partial<Pick<RecordedExchange, 'requestHeaders' | 'url'>> = {},
  ) => {
    const sent = {
      ...plainExchange,
      ...asked,
      requestBody: json({ note, meta: { [note]: 1 } }),
    }
    const entry = await entryOf(sent, createRedactor({ prompts: 'redacted', kept: ['note', 'meta'] }))
    const { note: shown, meta } = JSON.parse(entry.request.postData?.text ?? '')
    expect(Object.keys(meta)).toEqual([shown])
    return shown
  }

  it.each<[where: string, headers: Pair[], query: string, key: string]>([
    ['a password of Basic', [['Authorization', `Basic ${btoa('ada:s3cr3tpassword')}`]], '', 's3cr3tpassword'],
    [
      'a key with a scope',
      [['Authorization', 'HMAC Credential=AKLTzebra123/2026, Signature=aa']],
      '',
      'AKLTzebra123',
    ],
    ['a cookie', [['Cookie', 'sid=abcdefghijklmnop; x=1']], '', 'abcdefghijklmnop'],
    ['a parameter', [], '?api_key=qwertyuiop12345', 'qwertyuiop12345'],
    ['a short key', [['X-Api-Key', 'abcdefghijk']], '', 'abcdefghijk'],
  ])('leaves no part of %s in a kept text or name', async (_, requestHeaders, query, key) => {
    const url = `https://gateway.example/api/v3/contents/generations/tasks${query}`
    expect(await kept(`it is ${key} here`, { requestHeaders, url })).toMatch(/^it is key-\d here$/)
  })

  it.each(
    // biome-ignore format: a table, one row a line
    [
    ['https://acct.example/x.mp4?token=topsecret99', /^https:\/\/files\.redacted\/link-\d\.mp4\?token=signature-\d$/],
    ['acct.tos.example/x?X-Tos-Security-Token=abcd&a=1', /^acct\.tos\.example\/x\?X-Tos-Security-Token=…&a=1$/],
    ['see data:image/png;base64,\niVBORw0KGgo=\nand dance', /^see data:…\nand dance$/],
    [`see data:image/png;base64, ${'A'.repeat(76)}\n${'B'.repeat(9)}=\nand then`, /^see data:…\nand then$/],
    ['参考https://a.example/b.png，让它动起来 --dur 5', /^参考https:\/\/files\.redacted\/link-\d\.png，让它动起来 --dur 5$/],
    ['see (https://a.example/b.png), fast.', /^see \(https:\/\/files\.redacted\/link-\d\.png\), fast\.$/],
  ],
  )('keeps of %j the words around links and files', async (note, shown) => {
    expect(await kept(note)).toMatch(shown)
  })

  it.each(['BMpassword of Ada', 'ID3 password of Ada', 'GIF89a password of Ada;'])(
    'a text that only begins like a file has no digest: %s',
    async text => {
      expect(await describeMedia(Buffer.from(text), '')).not.toHaveProperty('sha256')
    },
  )

  it.each([
    ['Date', 'Fri, 27 Nov 2026 11:05:23 GMT', true],
    ['Retry-After', 'Fri, 27 Nov 2026 11:05:23 GMT', true],
    ['Date', 'Ada, 27 Nov 2026 11:05:23 GMT', false],
    ['Date', 'Fri, 45 Zeb 3957 87:63:62 GMT', false],
    ['Expires', 'Fri, 31 Feb 2026 11:05:23 GMT', false],
  ])('the header %s: %s is kept: %s', (name, value, isKept) => {
    expect(redactHeader([name, value], createPseudonyms())[1]).toBe(isKept ? value : 'redacted')
  })

  it('types of content that the schemas only describe are kept', () => {
    const types = [imageToVideo, omni, motionControl].flatMap(({ models }) =>
      Object.values(models).flatMap(({ slots }) => Object.keys(slots)),
    )
    expect(types.filter(type => !isContractWord(type) && !isPlainName(type))).toEqual([])
  })

  it('a model with a date of another snapshot is kept, with other digits it is not', () => {
    const named = (end: string) => isModelName(`model_a_25-${end}`)
    expect(['260228', '453957', '260045'].map(named)).toEqual([true, false, false])
  })
})
