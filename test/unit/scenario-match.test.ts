// biome-ignore-all lint/suspicious/noThenProperty: the word of the scenario language, never awaited.
import { describe, expect, it } from 'vitest'
import { FaultError } from '../../src/emulator/faults/fault.ts'
import type { RequestFacts } from '../../src/emulator/scenarios/matchers.ts'
import { effectsOf, effectsOfOne, readRequest } from '../../src/emulator/scenarios/request-effects.ts'
import { noEffects } from '../../src/emulator/scenarios/scenario.ts'
import { activeAt, request, seededWorldWith, worldWith } from '../support/scenario-world.ts'
import { thrownBy } from '../support/thrown.ts'

const refusing = { refuse: { fault: 'internal' } }
const only = (when: unknown, then: unknown = refusing) => ({ name: 'mine', rules: [{ when, then }] })
const hits = (when: unknown, facts: Partial<RequestFacts> = {}) =>
  effectsOf(worldWith(only(when)), request(facts)) !== noEffects

describe('without an active scenario', () => {
  it('there is no effect, no call is counted and no random number is drawn', () => {
    const world = worldWith()
    expect(effectsOf(world, request())).toBe(noEffects)
    expect(world.state.head).toMatchObject({ counters: {}, draws: {} })
  })
})

it('a body is read and never changed: the next steps get a copy without prompt tags, which shares all other parts', () => {
  const image = Object.freeze({ type: 'image_url', image_url: Object.freeze({ url: 'x' }) })
  const text = Object.freeze({ type: 'text', text: 'a cat [[run:2m]] on a roof' })
  const body = Object.freeze({ model: 'model_a_25', content: Object.freeze([image, text]) })
  const endpoint = {
    operation: 'a.create',
    reads: { prompts: ['/content/*/text'], model: () => 'model_a_25', models: [] },
  }
  const parts = {
    endpoint,
    family: 'a',
    account: 'default',
    headers: {},
    params: {},
    query: '',
    body,
    mayHaveTags: true,
  }
  const read = readRequest(worldWith(), parts)
  expect(read.effects).toMatchObject({ task: { runningMs: 120_000 }, rule: 'prompt/run' })
  expect(read.body).toEqual({ ...body, content: [image, { ...text, text: 'a cat on a roof' }] })
  expect((read.body as typeof body).content[0]).toBe(image)
  expect(text.text).toContain('[[run:2m]]')
  expect(readRequest(worldWith(), { ...parts, body: read.body }).body).toBe(read.body)
})

describe('a condition', () => {
  it.each<[string, unknown, Partial<RequestFacts>, Partial<RequestFacts>]>(
    // biome-ignore format: a table, one row a line
    [
    ['operation', { operation: 'a.create' }, {}, { operation: 'b.create' }],
    ['glob', { operation: '*.create' }, { operation: 'k.avatar.create' }, { operation: 'a.get' }],
    ['prefix glob', { operation: 'k.*' }, { operation: 'k.tasks.get' }, { operation: 'a.get' }],
    ['list of globs', { operation: ['b.*', 'a.get'] }, { operation: 'b.get' }, { operation: 'a.create' }],
    [
      'glob of a hundred stars, at once',
      { operation: `${'*'.repeat(100)}.create` },
      { operation: 'special.create' },
      { operation: 'special.regenerate' },
    ],
    ['family', { family: 'special' }, { family: 'special' }, { family: 'c' }],
    ['model', { model: 'model_a_20' }, { model: 'model_a_20' }, { model: undefined }],
    ['account', { account: 'poor' }, { account: 'poor' }, {}],
    ['key', { key: { matches: '^sk-test-' } }, { key: 'sk-test-one' }, {}],
    ['mode', { mode: 'edit' }, { mode: 'edit' }, { mode: undefined }],
    ['prompt, contains', { prompt: { contains: 'cat' } }, {}, { prompt: 'a dog' }],
    ['prompt, matches', { prompt: { matches: '^a .* roof$' } }, { prompt: 'a cat\non the roof' }, { prompt: undefined }],
    ['prompt, plain', { prompt: 'a cat on a roof' }, {}, { prompt: 'a cat' }],
    ['header', { header: { 'X-Team': 'blue' } }, { headers: { 'x-team': 'blue' } }, { headers: { 'x-team': 'red' } }],
    ['header, exists', { header: { 'X-Team': { exists: false } } }, {}, { headers: { 'x-team': 'red' } }],
    ['body', { body: { '/content/0/type': 'text' } }, {}, { body: { content: [] } }],
    ['body, number', { body: { '/duration': 5 } }, { body: { duration: 5 } }, { body: { duration: '5' } }],
    ['body, list', { body: { '/ids': { contains: 7 } } }, { body: { ids: [1, 7] } }, { body: { ids: [1] } }],
    ['body, escaped', { body: { '/a~1b/~0': true } }, { body: { 'a/b': { '~': true } } }, { body: undefined }],
    ['body, deep', { body: { '/a': { equals: { b: [1] } } } }, { body: { a: { b: [1] } } }, { body: { a: { b: [2] } } }],
    ['task', { task: 'cgt-1' }, { operation: 'a.get', taskIds: ['cgt-1'] }, { operation: 'a.get', taskIds: ['cgt-2'] }],
    ['during', { during: { from: '1m', to: '2m' } }, { now: activeAt + 60_000 }, { now: activeAt + 120_000 }],
    ['during, open end', { during: { from: '1m' } }, { now: activeAt + 1e9 }, { now: activeAt + 59_999 }],
    ['all of several', { account: 'default', prompt: { contains: 'cat' } }, {}, { prompt: 'a dog' }],
  ],
  )('on %s decides', (_, when, fitting, other) => {
    expect(hits(when, fitting)).toBe(true)
    expect(hits(when, other)).toBe(false)
  })

  it('on calls counts only requests that match the other conditions, in each world separately', () => {
    const scenario = only({ operation: '*.create', prompt: { contains: 'cat' }, call: '2..3' })
    const world = worldWith(scenario)
    const prompts = ['cat', 'dog', 'cat', 'cat', 'cat']
    const isHit = prompts.map(prompt => effectsOf(world, request({ prompt })) !== noEffects)
    expect(isHit).toEqual([false, false, true, true, false])
    expect(world.state.head.counters).toEqual({ 'mine/1': 4 })
    expect(effectsOf(worldWith(scenario), request({ prompt: 'cat' }))).toBe(noEffects)
  })

  it('on calls also counts calls that an earlier scenario decides, so that the order of activation does not change the count', () => {
    const first = { name: 'first', rules: [{ when: { call: 1 }, then: refusing }] }
    const world = worldWith(first, only({ call: 2 }))
    expect([1, 2, 3].map(() => effectsOf(world, request()).rule)).toEqual(['first/1', 'mine/1', undefined])
  })
})

describe('a probability', () => {
  const rolls = (seed: number, extra: unknown[] = []) => {
    const world = seededWorldWith(seed, {
      name: 'mine',
      rules: [{ when: { probability: 0.3 }, then: refusing }, ...extra],
    })
    return Array.from({ length: 300 }, () => effectsOf(world, request()).refuse !== undefined)
  }

  it('makes the same faults with the same seed, in nearly the given share of calls', () => {
    expect(rolls(7)).toEqual(rolls(7))
    expect(rolls(7)).not.toEqual(rolls(8))
    const many = rolls(7).filter(Boolean).length
    expect(many).toBeGreaterThan(60)
    expect(many).toBeLessThan(120)
  })

  it('does not depend on the draws of another rule', () => {
    const other = {
      when: { probability: 0.5 },
      then: { connection: { latency: { p50: '10ms', p99: '1s' } } },
    }
    expect(rolls(7, [other])).toEqual(rolls(7))
  })

  it.each([
    [0, 0],
    [1, 50],
  ])('of %d acts on %d of 50 requests', (probability, times) => {
    const world = worldWith(only({ probability }))
    expect(
      Array.from({ length: 50 }, () => effectsOf(world, request())).filter(effects => effects !== noEffects),
    ).toHaveLength(times)
  })
})

describe('effects', () => {
  it('come from the first rule with each kind of effect, in the order in which scenarios were activated', () => {
    const a = {
      name: 'a',
      rules: [
        { then: { task: { outcome: 'never' } } },
        { then: { task: { outcome: 'failed' }, media: 'empty' } },
      ],
    }
    const b = {
      name: 'b',
      rules: [{ then: { media: 'corrupt' } }, { then: { connection: 'hang', clock: { advance: '30s' } } }],
    }
    expect(effectsOf(worldWith(a, b), request())).toEqual({
      task: { outcome: 'never' },
      media: { kind: 'empty' },
      connection: { hang: true },
      clock: { advanceMs: 30_000 },
      rule: 'a/1,a/2,b/2',
    })
  })

  it('on tasks do not act on requests that make no task, and do not count them', () => {
    const world = worldWith(only({ call: 2 }, { task: { outcome: 'failed' } }))
    const operations = ['a.create', 'a.get', 'media.download', 'c.enhance']
    const rules = operations.map(operation => effectsOf(world, request({ operation })).rule)
    expect(rules).toEqual([undefined, undefined, undefined, 'mine/1'])
  })

  it.each(
    // biome-ignore format: a table, one row a line
    [
    [{ media: { slow: '64kB/s' } }, { media: { kind: 'slow', value: 64_000 } }],
    [{ media: { link: 'exhausted' } }, { media: { kind: 'link_exhausted' } }],
    [{ media: { stall_after: '25%' } }, { media: { kind: 'stall', value: 0.25 } }],
    [{ connection: 'garble' }, { connection: { garble: true } }],
    [{ connection: { latency: '300ms', reset: 'mid_body' } }, { connection: { latencyMs: 300, reset: 'mid_body' } }],
    [{ connection: { throttle: '8kB/s' } }, { connection: { throttleBytesPerSecond: 8000 } }],
    [{ connection: { after: { operation: 'a.get', call: 2 } } }, { connection: { after: { operation: 'a.get', call: 2 } } }],
    [{ refuse: { status: 502, body: 'x' } }, { refuse: { status: 502, body: 'x' } }],
    [{ refuse: { fault: 'rate_limited', retry_after: '5s', message: 'm' } }, { refuse: { fault: 'rate_limited', retryAfterMs: 5000, message: 'm' } }],
    [{ task: { label: 'x', queued: 0 } }, { task: { label: 'x', queuedMs: 0 } }],
  ],
  )('written as %j are %j', (then, effects) => {
    expect(effectsOf(worldWith(only({}, then)), request())).toEqual({ ...effects, rule: 'mine/1' })
  })

  it('draw durations from their range, the same with the same seed', () => {
    const drawn = (seed: number) => {
      const world = seededWorldWith(seed, only({}, { task: { running: { from: '10s', to: '20s' } } }))
      return Array.from({ length: 50 }, () => effectsOf(world, request()).task?.runningMs ?? -1)
    }
    expect(drawn(1)).toEqual(drawn(1))
    expect(new Set(drawn(1)).size).toBeGreaterThan(40)
    expect(Math.min(...drawn(1))).toBeGreaterThanOrEqual(10_000)
    expect(Math.max(...drawn(1))).toBeLessThanOrEqual(20_000)
  })

  it('draw latencies with the given median and tail', () => {
    const world = worldWith(only({}, { connection: { latency: { p50: '100ms', p99: '2s' } } }))
    const drawn = Array.from(
      { length: 2000 },
      () => effectsOf(world, request()).connection?.latencyMs ?? -1,
    ).sort((a, b) => a - b)
    expect(drawn[1000]).toBeGreaterThan(85)
    expect(drawn[1000]).toBeLessThan(115)
    expect(drawn[1980]).toBeGreaterThan(1300)
    expect(drawn[1980]).toBeLessThan(3000)
  })
})

describe('a scenario named by header', () => {
  it('acts only on that request, with its own counts', () => {
    const world = worldWith()
    expect([1, 2, 3].map(() => effectsOfOne(world, 'flaky-upstream', request()).rule)).toEqual([
      'flaky-upstream/1',
      'flaky-upstream/1',
      'flaky-upstream/2',
    ])
    expect(effectsOf(world, request())).toBe(noEffects)
    expect(Object.keys(world.state.head.counters)).toContain('header:flaky-upstream/1')
  })

  it('that is active but no longer exists is reported, not ignored', () => {
    const { message } = thrownBy(() => effectsOf(worldWith('gone'), request()), FaultError)
    expect(message).toContain('"gone" is active in this world but not known')
  })
})

describe('shipped scenarios', () => {
  it.each<[string, Partial<RequestFacts>]>([
    ['rate-limited', { operation: 'a.get' }],
    ['special-delete-501', { operation: 'c.delete' }],
    ['outage', { now: activeAt + 600_000 }],
    ['late-validation', {}],
  ])('%s does not act on %j', (name, facts) => {
    expect(effectsOf(worldWith(name), request(facts))).toBe(noEffects)
  })

  it('chaos affects few requests, and the same ones with the same seed', () => {
    const day = () => {
      const world = worldWith('chaos')
      return Array.from({ length: 200 }, () => effectsOf(world, request({ operation: 'a.get' })))
    }
    expect(day()).toEqual(day())
    expect(day().filter(effects => effects.refuse).length).toBeLessThan(40)
    expect(day().filter(effects => effects !== noEffects).length).toBeGreaterThan(20)
  })
})
