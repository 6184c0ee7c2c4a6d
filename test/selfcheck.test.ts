import { describe, expect, it } from 'vitest'
import { run as command } from '../src/cli/commands/selfcheck.ts'
import { families } from '../src/emulator/families/index.ts'
import {
  type Check,
  checks,
  type Finding,
  NotShown,
  summary,
  walk,
} from '../src/evidence/selfcheck/checks.ts'
import { type Answer, type GatewaySettings, gatewayAt, Mismatch } from '../src/evidence/selfcheck/gateway.ts'
import { runCommand } from './support/emulator-process.ts'
import { openGateway } from './support/gateway.ts'
import { serverOfTest } from './support/input-server.ts'
import { printed } from './support/printed.ts'

const gateway = await openGateway({ clock: { mode: 'manual', rate: 1 } })

const selfcheck = (...args: string[]) => printed(command, args)

describe('gateway-emulator selfcheck', () => {
  it('checks an emulator that it starts: every rule is kept, and none is skipped', async () => {
    const { code, text } = await selfcheck()
    expect(text.split('\n').filter(told => /^(failed|skipped)/.test(told))).toEqual([])
    expect(text).toContain(`${checks.length} ok, 0 failed, 0 skipped`)
    expect(code).toBe(0)
  })

  it('checks a running emulator in its own world, with any clock', async () => {
    const { code, text } = await selfcheck('--base-url', gateway.url, '--only', 'b.')
    expect(code, text).toBe(0)
    expect((await gateway.control('GET', '/worlds/selfcheck/tasks')).body.items).toHaveLength(1)
    expect((await gateway.control('GET', '/tasks')).body.items).toEqual([])
  })

  it('fails when nothing was checked', () => {
    expect(summary([])).toEqual({ code: 1, text: expect.stringContaining('nothing was checked') })
  })

  it('fails for an address where nothing answers', async () => {
    const asked = selfcheck('--base-url', 'http://127.0.0.1:9', '--key', 'sk-any')
    await expect(asked).rejects.toThrow('No server answers at http://127.0.0.1:9')
  })

  it('fails for a server that breaks a rule, and names the rule and the difference', async () => {
    const broken = { name: 'broken', rules: [{ when: { operation: 'b.get' }, ...breaking }] }
    await gateway.control('POST', '/worlds/selfcheck/scenarios', broken)
    const { code, text } = await selfcheck('--base-url', gateway.url, '--only', 'b.states.unknown-missing')
    expect([code, text]).toEqual([
      1,
      expect.stringMatching(/failed\s+b\.states\.unknown-missing[^\n]+\n\s+The HTTP status is 503/),
    ])
  })
})

// biome-ignore lint/suspicious/noThenProperty: the word of the scenario language, never awaited
const breaking = { then: { refuse: { status: 503 } } }

describe('the checks', () => {
  it('are more than 260 rows of the specification, each named once, over all families', () => {
    expect(checks.length).toBeGreaterThan(260)
    expect(new Set(checks.map(({ id }) => id)).size).toBe(checks.length)
    for (const { id } of families) {
      const own = checks.filter(rule => rule.family === id)
      expect(own.filter(({ costs }) => costs).length, id).toBeGreaterThan(2)
      expect(own.filter(({ costs }) => !costs).length, id).toBeGreaterThan(8)
    }
  })

  it('every rule fails for a server that gives the same answer to everything', async () => {
    const { findings } = await walkOver({ status: 200, body: {} })
    const kept = findings.filter(({ outcome }) => outcome !== 'failed').map(({ rule }) => rule.id)
    expect(kept).toEqual([])
    expect(summary(findings).code).toBe(1)
  })

  it('every rule fails for a server that refuses everything without a body', async () => {
    const { findings } = await walkOver({ status: 400, body: undefined })
    expect(findings.filter(({ outcome }) => outcome === 'ok')).toEqual([])
  })
})

const filterRows = [
  'a.list.status',
  'c.list.status',
  'c.list.model',
  'c.list.task-type',
  'special.list.parameters',
]

it('lists are checked when they contain tasks: every rule about filters fails for a server that ignores filters', async () => {
  const filters = checks.filter(({ row }) => filterRows.includes(row))
  expect(filters.length).toBe(5)
  const walked = async (world: string, addressOf: (url: string) => string) => {
    const send: GatewaySettings['send'] = (method, url, ...rest) => overHttp(method, addressOf(url), ...rest)
    await gateway.control('PATCH', `/worlds/${world}/clock`, { mode: 'auto' })
    const asked = gatewayAt(settings({ base: gateway.url, key: `sk-test-${world}`, send }))
    return walk(filters, asked, allowed, () => {})
  }
  const kept = await walked('filters', url => url)
  expect(kept.filter(({ outcome }) => outcome !== 'ok')).toEqual([])
  const broken = await walked('no-filters', url =>
    url.includes('lost') ? url : url.replace(/\?.*filter\..*/, ''),
  )
  for (const { outcome, reason, rule } of broken) {
    expect(outcome, rule.id).toBe('failed')
    expect(reason).toMatch(/^items\[\]\.(?:status|task_type|model) is .* as filter\.\w+ asks$/)
  }
})

describe('checks that cost money', () => {
  it('are not made unless they are allowed', async () => {
    const { findings } = await walkOver({ status: 200, body: {} }, false)
    const skipped = findings.filter(({ outcome }) => outcome === 'skipped').map(({ rule }) => rule.id)
    expect(skipped).toEqual(checks.filter(({ costs }) => costs).map(({ id }) => id))
  })

  it('are not part of a free check, in which a correct gateway creates no task', async () => {
    const free = checks.filter(({ costs }) => !costs)
    const key = 'sk-test-free'
    await walk(free, gatewayAt(settings({ base: gateway.url, key, send: overHttp })), allowed, () => {})
    expect((await gateway.control('GET', '/worlds/free/tasks')).body.items).toEqual([])
    expect((await gateway.control('GET', '/worlds/free/ledger')).body.items).toEqual([])
    expect((await gateway.control('GET', '/worlds/free/requests')).body.items.length).toBeGreaterThan(50)
  })

  it('are not made on another server when there is no terminal for the question', async () => {
    const base = ['--base-url', await serverOfTest((_, response) => response.writeHead(404).end('{}'))]
    const { code, stdout } = await runCommand(['selfcheck', ...base, '--key', 'sk-real', '--only', 'image.'])
    expect(code).toBe(1)
    expect(stdout).toMatch(/skipped image\.modes\.text[^\n]+\n\s+it costs money; allow it with --yes/)
    expect(stdout).toMatch(/failed\s+image\.request\.no-n /)
  })
})

const allowed = { mayCost: true }

function settings(change: Partial<GatewaySettings> & Pick<GatewaySettings, 'send'>): GatewaySettings {
  return {
    base: 'http://gateway.test',
    key: 'sk-any',
    otherKey: 'sk-other',
    models: {},
    picture: 'http://gateway.test/picture.jpg',
    samples: `${change.base ?? 'http://gateway.test'}/__emulator/samples`,
    pause: async () => {},
    ...change,
  }
}

async function walkOver(
  { status, body }: Pick<Answer, 'status' | 'body'>,
  mayCost = true,
): Promise<{ findings: Finding[] }> {
  const answer: Answer = { status, body, headers: new Headers(), bytes: new Uint8Array() }
  const always = gatewayAt(settings({ send: async () => answer }))
  const findings = await walk(checks, always, { mayCost }, () => {})
  expect(findings.length).toBe(checks.length)
  for (const { reason, rule } of findings) expect(reason, rule.id).not.toMatch(/TypeError|undefined is/)
  return { findings }
}

const overHttp: GatewaySettings['send'] = async (method, url, headers, body) => {
  const reply = await fetch(url, { method, headers, ...(body !== undefined && { body }) })
  const bytes = new Uint8Array(await reply.arrayBuffer())
  const isJson = reply.headers.get('content-type')?.includes('json')
  return {
    status: reply.status,
    headers: reply.headers,
    body: isJson ? JSON.parse(Buffer.from(bytes).toString()) : undefined,
    bytes,
  }
}

/** How a rule ends whose check rejects with this error. */
async function findingOf(error: Error): Promise<Finding | undefined> {
  const names = { id: 'a.none', row: 'a.none', family: 'a', says: 'nothing', cites: 'nowhere' } as const
  const rule: Check = { ...names, costs: false, check: () => Promise.reject(error) }
  const gatewayOfNothing = gatewayAt(settings({ send: () => Promise.reject(new Error('asked')) }))
  const [finding] = await walk([rule], gatewayOfNothing, allowed, () => {})
  return finding
}

it('a mismatch names the value that was found', async () => {
  expect(await findingOf(new Mismatch('It was so'))).toMatchObject({ outcome: 'failed', reason: 'It was so' })
})

it('a rule that no reply showed is skipped, and not called broken', async () => {
  const reason = 'No reply showed it'
  expect(await findingOf(new NotShown(reason))).toMatchObject({ outcome: 'skipped', reason })
})
