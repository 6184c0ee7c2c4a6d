import { describe, expect, it } from 'vitest'
import {
  keyHeader,
  keyParameter,
  masksFor,
  secretHeader,
  secretParameter,
  secretsIn,
} from '../../src/emulator/http/secrets.ts'
import { swapKey } from '../../src/explore/as/proxy.ts'
import { createSecrets, maskedData } from '../../src/explore/as/secrets.ts'

const swap = (headers: [string, string][], path = '/x', isLink = false) =>
  swapKey({ headers, path, isLink }, 'sk-case')
const authorizationOf = (headers: [string, string][], path?: string) =>
  swap(headers, path).headers.find(([name]) => name === 'Authorization')?.[1]

describe('a key of any style is replaced by the key of the case', () => {
  it.each<[style: string, [string, string][], path?: string]>([
    ['Authorization: Bearer', [['authorization', 'Bearer ark-0123456789']]],
    ['Authorization: Bearer', [['Authorization', 'Bearer eyJhbGciOiJIUzI1NiJ9.eyJpc3MiOiJhayJ9.c2lnbmVk']]],
    ['Authorization: Basic', [['Authorization', `Basic ${btoa('me:pass-word-1')}`]]],
    [
      'Authorization: HMAC-SHA256',
      [['Authorization', 'HMAC-SHA256 Credential=AK0123456789, Signature=abcdef012345']],
    ],
    ['Authorization without a scheme', [['Authorization', 'ark-0123456789']]],
    ['the header x-api-key', [['X-Api-Key', 'ark-0123456789']]],
    ['the header api-key', [['Api-Key', 'ark-0123456789']]],
    ['the header x-goog-api-key', [['x-goog-api-key', 'ark-0123456789']]],
    ['the parameter api_key', [], '/x?page=1&api_key=ark-0123456789'],
    ['the parameter access_token', [], '/x?access_token=ark-0123456789&page=1'],
  ])('%s', (style, headers, path = '/x') => {
    const swapped = swap(headers, path)
    expect(swapped.headers).toEqual([['Authorization', 'Bearer sk-case']])
    expect(swapped.style).toBe(style)
    expect(swapped.secrets.length).toBeGreaterThan(0)
    expect(swapped.path).toBe(path.includes('page') ? '/x?page=1' : '/x')
  })

  it('a program without a key gets none, nor one whose variable is not set', () => {
    expect(authorizationOf([])).toBeUndefined()
    for (const value of ['Bearer undefined', 'Bearer None', 'Bearer null', 'Bearer', ''])
      expect(authorizationOf([['Authorization', value]]), value).toBe(value)
    expect(authorizationOf([], '/x?api_key=undefined')).toBeUndefined()
  })

  it('spaces that the gateway refuses stay', () => {
    expect(authorizationOf([['Authorization', 'Bearer  ark-0123456789']])).toBe('Bearer  sk-case')
  })

  it('the signature of a link stays, and a key that is sent to it is still seen', () => {
    const link = '/files/w/t/video.mp4?Expires=1&Signature=2&token=3'
    expect(swap([], link, true).path).toBe(link)
    expect(swap([['Authorization', 'Bearer ark-0123456789']], link, true).headers).toEqual([
      ['Authorization', 'Bearer sk-case'],
    ])
  })

  it('other headers stay, cookies and other secrets go', () => {
    const others: [string, string][] = [
      ['Content-Type', 'application/json'],
      ['Idempotency-Key', 'i-1'],
    ]
    expect(
      swap([...others, ['Cookie', 'session=0123456789'], ['X-Client-Secret', '0123456789']]).headers,
    ).toEqual(others)
  })
})

it('what may hold the key of a client is secret wherever it is shown', () => {
  const names = [
    'Authorization',
    'X-Api-Key',
    'api_key',
    'x-goog-api-key',
    'access-key',
    'access_key_id',
    'auth-token',
    'X-Token',
    'ak',
    'sk',
    'key',
  ]
  const headers = names.filter(name => keyHeader.test(name))
  const parameters = names.filter(name => keyParameter.test(name))
  expect([headers.length, parameters.length]).toEqual([6, 10])
  expect(headers.filter(name => !secretHeader.test(name))).toEqual([])
  for (const name of parameters) {
    expect(secretParameter.test(name), name).toBe(true)
    expect(masksFor(undefined).path(`/x?page=1&${name}=0123456789&of=2`), name).toBe(
      `/x?page=1&${name}=…&of=2`,
    )
  }
  expect(masksFor(undefined).path('/x?keys=1&page_token_count=2')).toBe('/x?keys=1&page_token_count=2')
})

it.each([
  [
    '/x?client_secret=z&secret_access_key=y&x_api_key=w',
    '/x?client_secret=…&secret_access_key=…&x_api_key=…',
  ],
  ['/x?monkey=1&page_token=5&key_id=1&next-token=2', '/x?monkey=1&page_token=5&key_id=1&next-token=2'],
  ['/x?api%5Fkey=hunter2', '/x?api%5Fkey=…'],
  ['/x?url=http://y/?api_key=hunter2&of=2', '/x?url=http://y/?api_key=…&of=2'],
  ['/x?token=what?is&of=2', '/x?token=…&of=2'],
])('of the address %s the journal shows %s', (path, shown) => {
  expect(masksFor(undefined).path(path)).toBe(shown)
})

describe('secrets', () => {
  const secrets = createSecrets(text => text === 'sk-emulator')
  secrets.add('ark-0123/4567=')
  secrets.add('short')
  secrets.add('sk-emulator')

  it('are masked in every spelling, in texts, bytes and data', () => {
    const texts = ['ark-0123/4567=', 'ark-0123%2F4567%3D']
    for (const text of texts) {
      expect(secrets.masked(`a ${text} b`)).toBe(`a ${'*'.repeat(text.length)} b`)
      expect(secrets.maskedBytes(Buffer.from(`ä ${text}`)).toString()).toBe(`ä ${'*'.repeat(text.length)}`)
    }
    expect(maskedData({ a: [{ b: `x${texts[0]}`, c: 1, d: null }] }, secrets.masked)).toEqual({
      a: [{ b: 'x**************', c: 1, d: null }],
    })
  })

  it('are masked in JSON without other letters, in base64 at any place, and in hexadecimal digits', () => {
    const key = 'vk/Käy+"0123456789'
    const own = createSecrets(() => false, [key])
    const json = JSON.stringify(key).replace('ä', '\\u00e4')
    expect(own.masked(json)).toMatch(/^"\*+"$/)
    expect(own.masked(Buffer.from(key).toString('hex'))).toMatch(/^\*+$/)
    for (const name of ['', 'u:', 'us:', 'user:']) {
      const basic = Buffer.from(`${name}${key}`).toString('base64')
      expect(own.masked(basic)).toMatch(/^.{0,7}\*{20,}.{0,3}$/)
      expect(own.masked(basic.replaceAll('+', '-').replaceAll('/', '_'))).toMatch(/^.{0,7}\*{20,}.{0,3}$/)
    }
  })

  it('of the environment are not forgotten, however many keys requests have', () => {
    const own = createSecrets(() => false, ['vendor-key-0123'])
    for (let nth = 0; nth < 500; nth++) own.add(`signed-token-${nth}-x`)
    expect(own.masked('vendor-key-0123 signed-token-499-x')).toMatch(/^\*+ \*+$/)
  })

  it('neither short words nor the emulator’s own keys are secrets', () => {
    expect(secrets.masked('a short text with sk-emulator')).toBe('a short text with sk-emulator')
  })

  it('of an environment are the values of variables with such names, but no paths', () => {
    const environment = {
      ARK_API_KEY: 'k1',
      KLING_SECRET_KEY: 'k2',
      HF_TOKEN: 'k3',
      SSH_KEY: '/home/me/.ssh/id',
      KEYBOARD: 'us',
      PATH: '/bin',
      ACCESS_KEY_ID: 'k4',
    }
    expect(secretsIn(environment)).toEqual(['k1', 'k2', 'k3', 'k4'])
  })
})
