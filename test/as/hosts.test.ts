import { describe, expect, it } from 'vitest'
import {
  gatewayPath,
  placeOfHost,
  readAllowedHost,
  readEmulatedHost,
  unknownPrefix,
} from '../../src/explore/as/hosts.ts'

const tasks = '/api/v3/contents/generations/tasks'

describe('--as HOST', () => {
  it.each([
    ['Ark.Vendor.example', { host: 'ark.vendor.example', prefix: '' }],
    ['*.vendor.example', { host: '*.vendor.example', prefix: '' }],
    ['10.0.0.5', { host: '10.0.0.5', prefix: '' }],
    ['gate.example/ark/', { host: 'gate.example', prefix: '/ark' }],
  ])('%s', (text, host) => {
    expect(readEmulatedHost(text)).toEqual(host)
  })

  it.each([
    [
      'https://ark.example/api/v3',
      '"https://ark.example/api/v3" is not the name of a host, such as api.example.com; the host is ark.example',
    ],
    ['ark.example:8443', 'the host is ark.example'],
    ['localhost', '"localhost" is this machine'],
    ['127.0.0.1', 'give the program the address with --env NAME={url}'],
    ['', '"" is not the name of a host'],
    ['a b', '"a b" is not the name of a host'],
  ])('refuses %s', (text, message) => {
    expect(() => readEmulatedHost(text)).toThrow(message)
  })

  it('--allow takes a host only', () => {
    expect(readAllowedHost('Api.example')).toBe('api.example')
    expect(() => readAllowedHost('api.example/x')).toThrow('is not the name of a host')
  })
})

describe('a connection meets', () => {
  const hosts = {
    emulated: [
      { host: 'ark.example', prefix: '' },
      { host: '*.multi.example', prefix: '' },
    ],
    allowed: ['storage.example'],
  }
  it.each([
    ['ark.example', 'emulated'],
    ['ARK.example.', 'emulated'],
    ['results.ark.example', 'emulated'],
    ['a.multi.example', 'emulated'],
    ['multi.example', 'refused'],
    ['other.ark.example', 'refused'],
    ['storage.example', 'allowed'],
    ['127.0.0.1', 'own'],
    ['[::1]', 'own'],
    ['localhost', 'own'],
    ['127.0.0.1.evil.example', 'refused'],
    ['evil.example', 'refused'],
  ])('%s: %s', (name, place) => {
    expect(placeOfHost(name, hosts)).toBe(place)
  })
})

describe('paths', () => {
  const emulated = [{ host: 'gate.example', prefix: '/ark' }]
  it('a named prefix is taken off, and only where the gateway has the rest', () => {
    const at = (path: string, host = 'gate.example') => gatewayPath('POST', path, { host, emulated })
    expect(at(`/ark${tasks}?a=1`)).toBe(`${tasks}?a=1`)
    expect(at(tasks)).toBe(tasks)
    expect(at('/ark/nothing')).toBe('/ark/nothing')
    expect(at(`/ark${tasks}`, 'other.example')).toBe(`/ark${tasks}`)
  })

  it('a prefix that nobody named is not taken off, but told', () => {
    expect(unknownPrefix('POST', `/proxy/ark${tasks}`)).toBe('/proxy/ark')
    expect(unknownPrefix('POST', tasks)).toBeUndefined()
    expect(unknownPrefix('POST', '/nothing/at/all')).toBeUndefined()
  })
})
