import { describe, expect, it } from 'vitest'
import { decide, type InputPolicy, parseLink, reachOf } from '../../src/media/inputs/fetch-policy.ts'

const reaches: [reach: string, addresses: string][] = [
  ['public', '8.8.8.8 1.1.1.1 2606:4700::1111 ::ffff:8.8.8.8'],
  ['private', '10.0.0.1 172.16.0.1 172.31.255.255 192.168.1.1 100.64.0.1 fd12:3456::1 ::ffff:10.1.2.3'],
  ['loopback', '127.0.0.1 127.255.255.254 ::1 ::ffff:127.0.0.1 64:ff9b::7f00:1'],
  ['forbidden', '169.254.169.254 169.254.0.1 0.0.0.0 0.1.2.3 224.0.0.1 239.255.255.255 255.255.255.255'],
  ['forbidden', '240.0.0.1 192.0.0.192 100.100.100.200 168.63.129.16 fd00:ec2::254 fe80::1 ff02::1 ::'],
  ['forbidden', '::ffff:169.254.169.254 64:ff9b::a9fe:a9fe 2002:a9fe:a9fe::1 ::a9fe:a9fe 2001::1 fec0::1'],
  ['forbidden', 'not-an-address 0x7f.1 2130706433 010.0.0.1'],
]

it.each(reaches)('reachOf says %s of each of %s', async (reach, addresses) => {
  for (const address of addresses.split(' ')) expect(await reachOf(address), address).toBe(reach)
})

it('reachOf says forbidden of a text that is no address', async () => {
  for (const text of ['not an address', '']) expect(await reachOf(text)).toBe('forbidden')
})

/** The decision of a policy about a link: read, assume or refuse. */
async function outcome(link: string, policy: InputPolicy): Promise<string> {
  return decide(parseLink(link), policy).then(
    decision => decision.kind,
    fault => fault.reason,
  )
}

const policies = ['none', 'loopback', 'all'] as const

describe('decide', () => {
  it.each([
    '169.254.169.254 2852039166 0xa9fea9fe 0xa9.0xfe.0xa9.0xfe 0251.0376.0251.0376 169.254.43518 169.16689662',
    '[::ffff:169.254.169.254] [::ffff:a9fe:a9fe] [0:0:0:0:0:ffff:a9fe:a9fe] [fe80::1] [64:ff9b::a9fe:a9fe]',
    '[2002:a9fe:a9fe::1] [fd00:ec2::254] [::] [ff02::1] 0 0.0.0.0 224.0.0.1 224.0.0.251 255.255.255.255',
    '100.100.100.200 metadata.google.internal metadata.google.internal. 169.254.169.254. ①⑥⑨.254.169.254',
  ])('refuses each of %s under every policy', async hosts => {
    for (const host of hosts.split(' '))
      for (const policy of policies)
        expect(await outcome(`http://${host}/latest`, policy), host).toBe('forbidden_address')
  })

  const table: [string, string, string, string][] = [
    ['http://127.0.0.1:8080/a.png', 'stand_in', 'read', 'read'],
    ['http://2130706433/a.png', 'stand_in', 'read', 'read'],
    ['http://0x7f.1/a.png', 'stand_in', 'read', 'read'],
    ['http://[::1]/a.png', 'stand_in', 'read', 'read'],
    ['http://localhost/a.png', 'stand_in', 'read', 'read'],
    ['http://files.localhost./a.png', 'stand_in', 'read', 'read'],
    ['https://example.com/a.png', 'stand_in', 'stand_in', 'read'],
    ['https://localhost.example.com/a.png', 'stand_in', 'stand_in', 'read'],
    ['https://8.8.8.8/a.png', 'stand_in', 'stand_in', 'read'],
    ['http://192.168.1.5/a.png', 'forbidden_address', 'forbidden_address', 'read'],
    ['http://[fd12::1]/a.png', 'forbidden_address', 'forbidden_address', 'read'],
  ]
  it.each(table)('treats %s as %s, %s, %s under none, loopback, all', async (link, ...wanted) => {
    expect(await Promise.all(policies.map(policy => outcome(link, policy)))).toEqual(wanted)
  })

  it('refuses what is no http link', () => {
    const others = [
      'ftp://example.com/a',
      'file:///etc/passwd',
      'javascript:1',
      'no link',
      '',
      'http://',
      'gopher://x',
    ]
    for (const link of others)
      expect(() => parseLink(link), link).toThrow(expect.objectContaining({ reason: 'malformed_reference' }))
  })
})
