// biome-ignore-all lint/suspicious/noThenProperty: the word of the scenario language, never awaited.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, it } from 'vitest'
import { isAmong, readBytesPerSecond, readCalls, readFraction } from '../../src/emulator/scenarios/amounts.ts'
import { compile } from '../../src/emulator/scenarios/compile.ts'
import { whenSchema } from '../../src/emulator/scenarios/conditions/index.ts'
import { dryRun } from '../../src/emulator/scenarios/dry-run.ts'
import type { TaskTimes } from '../../src/emulator/scenarios/effects/effect.ts'
import { taskSchema } from '../../src/emulator/scenarios/effects/task.ts'
import { injectionSchema } from '../../src/emulator/scenarios/inject.ts'
import {
  listScenarios,
  offerScenarios,
  scenarioNamed,
  shippedNames,
} from '../../src/emulator/scenarios/known-scenarios.ts'
import {
  checkScenario,
  parseScenario,
  readScenarioFile,
  scenarioSchema,
} from '../../src/emulator/scenarios/load.ts'
import { isMatch, readPattern } from '../../src/emulator/scenarios/matchers.ts'
import { makesTask, operations } from '../../src/emulator/scenarios/operations.ts'
import { ScenarioError } from '../../src/emulator/scenarios/scenario-error.ts'
import type { ScenarioRule } from '../../src/index.ts'
import { ownFolder } from '../support/folders.ts'
import { worldWith } from '../support/scenario-world.ts'
import { thrownBy } from '../support/thrown.ts'

const errorOf = (act: () => unknown) => thrownBy(act, ScenarioError)

/** Where a document is wrong. Fails unless the error says what would be right. */
function placeOf(document: unknown): string {
  const { path, hint, message } = errorOf(() => checkScenario(document))
  expect(hint ?? /must be .*/.exec(message)?.[0]).toBeTruthy()
  return path
}

const withRule = (rule: unknown) => ({ name: 'mine', rules: [rule] })
const refusing = { refuse: { fault: 'internal' } }

describe('shipped scenarios', () => {
  it('are exactly the files of the folder, each named as its file', () => {
    const files = readdirSync('scenarios').filter(file => file.endsWith('.yaml'))
    expect(files.map(file => file.replace('.yaml', '')).sort()).toEqual([...shippedNames].sort())
  })

  it.each(shippedNames)('%s passes the check, has its name and a description', name => {
    const document = readScenarioFile(`scenarios/${name}.yaml`)
    expect(document.name).toBe(name)
    expect(document.description?.trim().length).toBeGreaterThan(40)
    expect(compile(document).rules.length).toBeGreaterThan(0)
  })

  it('refer to the JSON Schema by which they are checked, for editors', () => {
    expect(JSON.parse(readFileSync('scenarios/scenario.schema.json', 'utf8'))).toEqual(
      JSON.parse(JSON.stringify(scenarioSchema)),
    )
  })

  it.each(Object.entries({ scenarioSchema, whenSchema, taskSchema, injectionSchema }))(
    'the JSON Schema %s is valid, which is not checked when the program runs',
    (_, schema) => {
      const ajv = new Ajv2020({ allowUnionTypes: true, strictRequired: false, strictTypes: false })
      expect(ajv.validateSchema(schema), ajv.errorsText()).toBe(true)
      expect(() => ajv.compile(schema)).not.toThrow()
    },
  )
})

describe('a scenario text', () => {
  it('is refused with file, line, path and the nearest name for an unknown fault', () => {
    const text =
      'name: mine\nrules:\n  - when: { operation: a.create }\n    then:\n      refuse:\n        fault: rate_limit\n'
    const error = errorOf(() => parseScenario(text, 'mine.yaml'))
    expect(error).toMatchObject({ file: 'mine.yaml', line: 6, path: 'rules[0].then.refuse.fault' })
    expect(error.hint).toContain('rate_limited')
    expect(error.fullMessage).toBe(
      'mine.yaml:6: rules[0].then.refuse.fault: "rate_limit" is not known here (did you mean rate_limited?)',
    )
  })

  it('is also read as JSON, with lines in errors', () => {
    const good = JSON.stringify(withRule({ then: refusing }), undefined, '\t')
    expect(parseScenario(good)).toEqual(withRule({ then: refusing }))
    const error = errorOf(() => parseScenario('{\n  "name": "mine",\n  "rules": [\n    {"than": {}}\n  ]\n}'))
    expect(error).toMatchObject({ line: 4, path: 'rules[0].than', hint: 'did you mean then?' })
  })

  it.each([
    ['name: [', 1],
    ['name: a\nname: b\nrules: []\n', 2],
    ['name: a\nrules: []\n---\nname: b\nrules: []\n', 3],
  ])('that is not YAML is refused with its line: %j', (text, line) => {
    expect(errorOf(() => parseScenario(text, 'f.yaml')).line).toBe(line)
  })

  it.each([
    ['', 'mine.yaml:1: nothing is written here, must be an object with name and rules'],
    ['# later\n', 'mine.yaml:1: nothing is written here, must be an object with name and rules'],
    ['just words', 'mine.yaml:1: "just words" is not allowed, must be an object with name and rules'],
    ['name: a\nrules:\n', 'mine.yaml:2: rules: nothing is written here, must be an array ('],
    ['name: a\nrules:\n  -\n', 'mine.yaml:3: rules[0]: nothing is written here, must be an object with then'],
    [
      'name: a b\nrules: []\n',
      'mine.yaml:1: name: "a b" is not allowed, must be a string (a name of letters',
    ],
    ['name: a\nrules: [{then: {}}]\n', 'mine.yaml:2: rules[0].then: {} is empty, must have refuse or task'],
  ])('without what is needed says what must be there: %j', (text, message) => {
    const { fullMessage } = errorOf(() => parseScenario(text, 'mine.yaml'))
    expect(fullMessage.slice(0, message.length)).toBe(message)
    expect(fullMessage.split('letters, digits')).toHaveLength(message.includes('letters') ? 2 : 1)
  })
})

describe('a scenario document', () => {
  it.each(
    // biome-ignore format: a table, one row a line
    [
    ['an unknown key', { when: { promt: 'x' }, then: refusing }, 'rules[0].when.promt', 'prompt'],
    ['an unknown operation', { when: { operation: 'a.creat' }, then: refusing }, 'rules[0].when.operation', 'a.create'],
    ['a glob that matches nothing', { when: { operation: ['*.get', '*.creates'] }, then: refusing }, 'rules[0].when.operation[1]', '*.create'],
    ['an unknown family', { when: { family: 'specail' }, then: refusing }, 'rules[0].when.family', 'special'],
    ['an unknown mode', { when: { mode: 'refrence' }, then: refusing }, 'rules[0].when.mode', 'reference'],
    ['an unknown fault', { then: { refuse: { fault: 'moderate' } } }, 'rules[0].then.refuse.fault', 'moderated'],
    ['an unknown outcome', { then: { task: { outcome: 'fail' } } }, 'rules[0].then.task.outcome', 'failed'],
    ['an unknown media word', { then: { media: 'truncate' } }, 'rules[0].then.media', 'truncated'],
    ['an unknown kind of effect', { then: { conection: 'hang' } }, 'rules[0].then.conection', 'connection'],
    ['an unknown matcher', { when: { prompt: { contain: 'x' } }, then: refusing }, 'rules[0].when.prompt.contain', 'contains'],
  ],
  )('with %s is refused, naming the nearest', (_, rule, path, near) => {
    const error = errorOf(() => checkScenario(withRule(rule)))
    expect(error.path).toBe(path)
    expect(error.hint).toContain(`did you mean ${near}?`)
  })

  it.each(
    // biome-ignore format: a table, one row a line
    [
    ['a duration without unit', { then: { task: { queued: '30' } } }, 'rules[0].then.task.queued'],
    ['a duration past ten years', { then: { task: { queued: '99999d' } } }, 'rules[0].then.task.queued'],
    ['a range upside down', { then: { task: { running: { from: '2m', to: '1m' } } } }, 'rules[0].then.task.running'],
    ['half a range', { then: { task: { running: { from: '2m' } } } }, 'rules[0].then.task.running.to'],
    ['a probability above 1', { when: { probability: 2 }, then: refusing }, 'rules[0].when.probability'],
    ['call 0', { when: { call: 0 }, then: refusing }, 'rules[0].when.call'],
    ['calls upside down', { when: { call: '3..1' }, then: refusing }, 'rules[0].when.call'],
    ['an empty span of time', { when: { during: { from: '1m', to: '1m' } }, then: refusing }, 'rules[0].when.during'],
    [
      'a wait without a unit, which could mean seconds or milliseconds',
      { then: { refuse: { fault: 'rate_limited', retry_after: 5 } } },
      'rules[0].then.refuse.retry_after',
    ],
    ['no fault and no status', { then: { refuse: { retry_after: '1s' } } }, 'rules[0].then.refuse'],
    ['fault and status', { then: { refuse: { fault: 'internal', status: 500 } } }, 'rules[0].then.refuse'],
    ['a body for a fault', { then: { refuse: { fault: 'internal', body: {} } } }, 'rules[0].then.refuse.body'],
    ['a header that would split the reply', { then: { refuse: { status: 500, headers: { a: 'b\r\nc: d' } } } }, 'rules[0].then.refuse.headers.a'],
    ['a body pointer without slash', { when: { body: { model: 'x' } }, then: refusing }, 'rules[0].when.body.model'],
    ['no effect', { then: {} }, 'rules[0].then'],
    ['nothing in it', {}, 'rules[0].then'],
    ['an operation that resembles none', { when: { operation: 'zzzzzzzzzzzz' }, then: refusing }, 'rules[0].when.operation'],
    ['a parameter for a status', { then: { refuse: { status: 500, param: 'x' } } }, 'rules[0].then.refuse.param'],
    ['a status that no page of a proxy has', { then: { refuse: { proxy_page: 500 } } }, 'rules[0].then.refuse.proxy_page'],
    ['an error without an outcome', { then: { task: { error: { code: 'X' } } } }, 'rules[0].then.task.error'],
    ['latencies upside down', { then: { connection: { latency: { p50: '2s', p99: '1s' } } } }, 'rules[0].then.connection.latency'],
    ['a reset at no place', { then: { connection: { reset: 'after_body' } } }, 'rules[0].then.connection.reset'],
    ['a reset without its place', { then: { connection: 'reset' } }, 'rules[0].then.connection'],
    ['an unknown fault of a link', { then: { media: { link: 'gone' } } }, 'rules[0].then.media.link'],
    ['a speed without unit', { then: { media: { slow: '64' } } }, 'rules[0].then.media.slow'],
    ['a stall past the end', { then: { media: { stall_after: '150%' } } }, 'rules[0].then.media.stall_after'],
    ['an error for a success', { then: { task: { outcome: 'succeeded', error: { code: 'X' } } } }, 'rules[0].then.task.error'],
    ['a task effect on a download', { when: { operation: 'media.download' }, then: { task: { outcome: 'never' } } }, 'rules[0].then'],
    ['a missing link on a download', { when: { operation: 'media.download' }, then: { media: 'missing_url' } }, 'rules[0].then'],
    ['a wrong pattern', { when: { prompt: { matches: '(' } }, then: refusing }, 'rules[0].when.prompt.matches'],
    ['a pattern that needs backtracking', { when: { prompt: { matches: '^(\\w+)\\1$' } }, then: refusing }, 'rules[0].when.prompt.matches'],
  ],
  )('with %s is refused with the place and what would be right', (_, rule, path) => {
    expect(placeOf(withRule(rule))).toBe(path)
  })

  it.each<[unknown, string]>([
    [undefined, ''],
    [null, ''],
    [[], ''],
    ['text', ''],
    [{}, 'name'],
    [{ rules: [] }, 'name'],
    [{ name: 'a b', rules: [] }, 'name'],
    [{ name: 'a' }, 'rules'],
  ])('of the wrong shape is refused with the place and what would be right: %j', (value, path) => {
    expect(placeOf(value)).toBe(path)
  })

  /** `npm run types` fails where a type forbids one of these. */
  // biome-ignore format: a table, one row a line
  const rules: ScenarioRule[] = [
    { then: { refuse: { fault: 'rate_limited', retry_after: '5s' } } },
    { then: { refuse: { status: 418, body: { any: 'thing' }, headers: { 'x-own': 'a' } } } },
    { then: { refuse: { proxy_page: 502 } } },
    { then: { task: { queued: 500, running: { from: '1s', to: '2s' }, outcome: 'failed', error: { code: 'X' } } } },
    { then: { task: { gone: '30s', label: 'one' } } },
    { then: { media: 'truncated' } },
    { then: { media: { link: 'expired' } } },
    { then: { media: { stall_after: 0.5 } } },
    { then: { connection: 'hang' } },
    { then: { connection: { latency: { p50: '40ms', p99: '1s' }, reset: 'before_request', throttle: '8kB/s' } } },
    {
      when: {
        operation: ['k.*', '*.create'],
        family: 'k',
        model: 'model_k_30',
        account: 'default',
        key: { matches: '^sk-' },
        mode: 'first_frame',
        prompt: { contains: 'cat', matches: 'c.t', equals: 'cat' },
        header: { 'X-Thing': { exists: true } },
        body: { '/settings/duration': 5, '/contents': { contains: { type: 'first_frame' } } },
        task: { of: 'first' },
        call: 'every 2',
        during: { from: '1m', to: '1h30m' },
        probability: 0.5,
      },
      then: {
        refuse: { status: 418, body: 'no', headers: { 'X-A': 'b' }, retry_after: '5s' },
        task: {
          queued: { from: '1s', to: '2s' },
          running: 5000,
          outcome: 'failed',
          error: { code: 'X', message: 'y' },
          label: 'first',
        },
        media: { slow: '64kB/s' },
        connection: { latency: { p50: '10ms', p99: '1s' }, throttle: '8kB/s' },
        clock: { advance: '30s' },
      },
    },
  ]

  it('may use every word of the language, alone and together, as the types allow', () => {
    for (const rule of rules) expect(() => checkScenario(withRule(rule))).not.toThrow()
    expect(checkScenario({ name: 'all', description: 'x', rules })).toMatchObject({ name: 'all', rules })
  })
})

describe('amounts', () => {
  it.each([
    ['64kB/s', 64_000],
    ['8KiB/s', 8192],
    ['1.5MB/s', 1_500_000],
    ['500B/s', 500],
    [250, 250],
    ['64kB', undefined],
    [0, undefined],
    ['1B/s', 1],
    [1, 1],
    [0.9, undefined],
  ])('the speed %j is %j bytes a second', (text, bytes) => expect(readBytesPerSecond(text)).toBe(bytes))

  it.each([
    ['100%', 1],
    [1, 1],
    [0, 0],
    [1.01, undefined],
    ['50%', 0.5],
    [0.25, 0.25],
    ['101%', undefined],
    ['half', undefined],
  ])('the part %j is %j', (text, part) => expect(readFraction(text)).toBe(part))

  it.each([
    [3, [3]],
    ['3', [3]],
    ['2..4', [2, 3, 4]],
    ['every 3', [3, 6]],
    ['from 5', [5, 6, 7]],
  ])('the calls %j are %j of the first seven', (text, among) => {
    const calls = readCalls(text)
    expect([1, 2, 3, 4, 5, 6, 7].filter(n => calls && isAmong(calls, n))).toEqual(among)
  })
})

describe('patterns', () => {
  it.each(['(?=a)b', '(a)\\1', '(a', 'a{2000}'])('%s is refused, since it is not an RE2 pattern', source => {
    expect(readPattern(source)).toHaveProperty('refused')
  })

  it.each([
    ['^a.*b$', 'a\nb', true],
    ['(cat|dog)s?', 'two dogs', true],
    ['(ab)+$', 'ababx', false],
    ['\\p{Lu}+', 'kleinGroß', true],
    ['(a+)+$', `${'a'.repeat(5000)}b`, false],
    ['灯塔', '清晨的灯塔', true],
  ])('%s matches what RE2 matches: case %#', (source, text, matches) => {
    const pattern = readPattern(source)
    if ('refused' in pattern) throw new Error(pattern.refused)
    expect(isMatch(pattern, text)).toBe(matches)
  })
})

describe('the list of known scenarios', () => {
  it('offers scenarios from files under their names, and refuses an unknown name', async () => {
    const world = worldWith()
    const file = join(ownFolder(), 'own.yaml')
    writeFileSync(file, 'name: own\ndescription: Mine.\nrules: []\n')
    expect(offerScenarios(world.database, ['outage', file])).toEqual(['outage', 'own'])
    expect(scenarioNamed(world, 'own')?.description).toBe('Mine.')
    expect(scenarioNamed(worldWith(), 'own')).toBeUndefined()
    expect(errorOf(() => offerScenarios(world.database, ['outtage'])).hint).toContain('outage')
    expect(errorOf(() => offerScenarios(world.database, ['./missing.yaml'])).message).toContain(
      'cannot be read',
    )
  })

  it('uses a posted document instead of a shipped one of the same name', () => {
    const world = worldWith({ name: 'outage', rules: [] })
    expect(scenarioNamed(world, 'outage')?.rules).toEqual([])
    expect(listScenarios(world).find(({ name }) => name === 'outage')?.source).toBe('world')
    expect(listScenarios(world)).toHaveLength(shippedNames.length)
  })
})

describe('a dry run', () => {
  const timesOf = (operation: string, words: TaskTimes['words']) => ({
    operation,
    queuedMs: 2000,
    runningMs: 14_000,
    words: { queued: 'queued', running: 'running', succeeded: 'succeeded', failed: 'failed', ...words },
  })
  const makers = [
    timesOf('a.create', { expired: 'expired' }),
    timesOf('b.create', {}),
    timesOf('k.avatar.create', { succeeded: 'succeed' }),
    timesOf('image.generate', {}),
  ]
  const courseOf = (rules: unknown[], operation: string) => {
    const lines = dryRun(compile(checkScenario({ name: 'mine', rules })), makers).split('\n')
    const at = lines.findIndex(line => line.split(', ').includes(operation))
    const rest = lines.slice(at + 1)
    return rest.slice(
      0,
      rest.findIndex(line => !line.startsWith(' ')),
    )
  }
  const never = { task: { outcome: 'never' } }

  it('lists call by call the effects on a create', () => {
    const document = readScenarioFile('scenarios/flaky-upstream.yaml')
    expect(dryRun(compile(document), makers.slice(0, 1)).split('\n').slice(1, 5)).toEqual([
      'a.create',
      '  calls 1-2     refused: rate_limited, try again after 5s (flaky-upstream/1)',
      '  call 3        queued -> 10s running -> 2m10s failed (flaky-upstream/2)',
      '  call 4 on     queued -> 2s running -> 16s succeeded',
    ])
    expect(courseOf(document.rules.slice(2), 'media.download')).toEqual([
      '  call 1        media: truncated (mine/1)',
      '  call 2 on     the whole file',
    ])
  })

  it.each([
    [
      'a condition that it cannot evaluate, and the result without it',
      { when: { prompt: { contains: 'cat' } }, then: never },
      'a.create',
      [
        '  every call    queued -> 2s running -> never ends (mine/1, when prompt is {"contains":"cat"})',
        '                otherwise queued -> 2s running -> 16s succeeded',
      ],
    ],
    [
      'a task that is to expire, where tasks expire (A-expire)',
      { then: { task: { outcome: 'expired' } } },
      'a.create',
      ['  every call    queued -> 2s running -> at its expiry expired (mine/1)'],
    ],
    [
      'a task that expires when it has run for a time (A-expire)',
      { then: { task: { outcome: 'expired', running: '1h' } } },
      'a.create',
      [
        '  every call    queued -> 2s running -> 1h2s, or at its expiry when that is earlier, expired (mine/1)',
      ],
    ],
    [
      'a task that is to expire, where it fails instead (A-expire)',
      { then: { task: { outcome: 'expired' } } },
      'b.create',
      ['  every call    queued -> 2s running -> after 3h failed (mine/1)'],
    ],
    [
      'the word of the task that the operation makes',
      { then: refusing, when: { call: 1 } },
      'k.avatar.create',
      ['  call 1        refused: internal (mine/1)', '  call 2 on     queued -> 2s running -> 16s succeed'],
    ],
    [
      'that a picture is in the reply',
      { then: { task: { outcome: 'failed', error: { code: 'Odd' } } }, when: { call: 2 } },
      'image.generate',
      [
        '  call 1        answers at once with the result',
        '  call 2        answers at once with an error Odd (mine/1)',
        '  call 3 on     answers at once with the result',
      ],
    ],
    [
      'refused polls',
      { then: refusing, when: { operation: '*.get', call: 2 } },
      'k.tasks.get',
      [
        '  call 1        the usual reply',
        '  call 2        refused: internal (mine/1)',
        '  call 3 on     the usual reply',
      ],
    ],
    [
      'that nothing comes of a request that is lost',
      { then: { connection: { reset: 'before_request' }, ...never }, when: { operation: 'a.create' } },
      'a.create',
      ['  every call    connection: reset before_request (mine/1)'],
    ],
  ])('shows %s', (_, rule, operation, lines) => {
    expect(courseOf([rule], operation)).toEqual(lines)
  })

  it.each(shippedNames)(
    'of %s shows every operation that makes a task or that a rule acts on, once',
    name => {
      const scenario = compile(readScenarioFile(`scenarios/${name}.yaml`))
      const due = operations.filter(
        id => makesTask(id) || scenario.rules.some(rule => rule.operations.has(id)),
      )
      const lines = dryRun(
        scenario,
        due.map(id => timesOf(id, {})),
      ).split('\n')
      const shown = lines
        .slice(1)
        .filter(line => /^\S/.test(line))
        .flatMap(line => line.split(', '))
      expect(shown.sort()).toEqual([...new Set([...due, 'media.download'])].sort())
    },
  )
})
