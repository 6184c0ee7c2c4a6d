// biome-ignore-all lint/suspicious/noThenProperty: the word of the scenario language, never awaited.
import { expect, it } from 'vitest'
import { readRequestMatcher } from '../../src/emulator/control/journal/verify.ts'
import { checkScenario } from '../../src/emulator/scenarios/load.ts'
import type { RequestMatcher, ScenarioDocument, ScenarioRule } from '../../src/index.ts'

/** Everything that the language can say; `npm run types` fails where a type forbids one of these. */
// biome-ignore format: a table, one row a line
const rules: ScenarioRule[] = [
  { then: { refuse: { fault: 'rate_limited', retry_after: '5s' } } },
  { then: { refuse: { status: 418, body: { any: 'thing' }, headers: { 'x-own': 'a' } } } },
  { then: { refuse: { proxy_page: 502 } } },
  { then: { task: { queued: 500, running: { from: '1s', to: '2s' }, outcome: 'failed', error: { code: 'X' } } } },
  { then: { task: { gone: '30s', label: 'one' } } },
  { then: { media: 'truncated' } },
  { then: { media: { slow: '64kB/s' } } },
  { then: { media: { link: 'expired' } } },
  { then: { media: { stall_after: 0.5 } } },
  { then: { connection: 'hang' } },
  { then: { connection: { latency: { p50: '40ms', p99: '1s' }, reset: 'before_request', throttle: '8kB/s' } } },
  { then: { clock: { advance: '30s' } } },
  {
    when: {
      operation: ['a.*', 'b.get'],
      family: 'a',
      model: 'model_a_25',
      account: { matches: '^x' },
      mode: 'text',
      prompt: { contains: 'cat' },
      header: { 'X-Team': 'blue' },
      body: { '/duration': 5 },
      task: { of: 'one' },
      call: 'every 2',
      during: { from: '0s', to: '10m' },
      probability: 0.5,
    },
    then: { media: 'empty' },
  },
]

/** What must not compile, and is refused at run time as well. */
const wrong: ScenarioRule[] = [
  // @ts-expect-error: not a fault
  { then: { refuse: { fault: 'rate_limit' } } },
  // @ts-expect-error: neither fault nor status nor proxy_page
  { then: { refuse: {} } },
  // @ts-expect-error: not a page of a proxy
  { then: { refuse: { proxy_page: 500 } } },
  // @ts-expect-error: not an effect
  { then: { refuze: { fault: 'internal' } } },
  // @ts-expect-error: not an outcome
  { then: { task: { outcome: 'done' } } },
  // @ts-expect-error: not a media fault
  { then: { media: 'truncate' } },
  // @ts-expect-error: not a link fault
  { then: { media: { link: 'gone' } } },
  // @ts-expect-error: not a place
  { then: { connection: { reset: 'after_body' } } },
  // @ts-expect-error: not a word that can be written alone
  { then: { connection: 'reset' } },
  // @ts-expect-error: not a family
  { when: { family: 'z' }, then: { media: 'empty' } },
  // @ts-expect-error: not a condition
  { when: { operatoin: 'a.get' }, then: { media: 'empty' } },
]

const documentOf = (rule: ScenarioRule): ScenarioDocument => ({ name: 'mine', rules: [rule] })

it.each(rules)('the types and the check both accept %j', rule => {
  expect(() => checkScenario(documentOf(rule))).not.toThrow()
})

it.each(wrong)('the types and the check both refuse %j', rule => {
  expect(() => checkScenario(documentOf(rule))).toThrow()
})

it('a matcher takes a status and refuses probability', () => {
  const matcher: RequestMatcher = { operation: 'a.create', status: 200 }
  // @ts-expect-error: probability cannot be used to match requests
  const wrongMatcher: RequestMatcher = { probability: 0.5 }
  expect(() => readRequestMatcher(matcher, [])).not.toThrow()
  expect(() => readRequestMatcher(wrongMatcher, [])).toThrow(/probability/)
})
