import type { Rule } from './effects.ts'
import { accessTo, grouped, literal, type Named, nameIn, ordinal, type Spelling } from './literal.ts'
import type { SentCall, Step, TestPlan } from './steps.ts'

/** The kits that a test can be written for. */
export type Kit = 'vitest' | 'playwright'

const heads: Readonly<Record<Kit, readonly string[]>> = {
  vitest: [
    "import { expect, testWith } from 'generation-gateway-emulator/vitest'",
    '',
    '// A world of its own for each test; its clock moves only when it is advanced.',
    "const test = testWith({ clock: 'manual' })",
  ],
  playwright: [
    "import { expect, test } from 'generation-gateway-emulator/playwright'",
    '',
    '// A world of its own for each test; its clock moves only when it is advanced.',
    "test.use({ emulatorOptions: { clock: 'manual' } })",
  ],
}

/** A test in TypeScript. `origin` is the emulator's address, which is another one when the test runs. */
export function javascriptTest(plan: TestPlan, kit: Kit, origin: string): string {
  const spelling = spellingFor(origin)
  return [
    ...heads[kit],
    '',
    `// Written by the console from a run of the world ${plan.world}.`,
    ...plan.notes.map(note => `// Not carried over: ${note}.`),
    `test(${quoted(plan.title)}, async ({ world }) => {`,
    ...bodyOf(plan, spelling).map(line => (line === '' ? '' : `  ${line.replaceAll('\n', '\n  ')}`)),
    '})',
    '',
  ].join('\n')
}

function bodyOf({ rules, steps, endMs, ends, names }: TestPlan, spelling: Spelling): string[] {
  const usesTime = steps.some(({ afterMs }) => afterMs > 0) || (ends.length > 0 && endMs > 0)
  return [
    ...(steps.some(({ kind }) => kind === 'call') ? [...callFunction, ''] : []),
    ...rules.map(rule => ruleLine(rule, spelling)),
    ...(usesTime ? ['const { now_ms: start } = await world.clock.get()'] : []),
    ...steps.flatMap((step, i) => [
      '',
      ...waitLine(step, steps[i - 1]),
      ...stepLines(step, { spelling, names, i }),
    ]),
    ...(ends.length > 0 ? ['', ...waitLine({ afterMs: endMs }, steps.at(-1))] : []),
    ...ends.map(
      ({ task, status }) =>
        `expect((await world.tasks.get(${nameIn(names, task)})).status).toBe('${status}')`,
    ),
  ]
}

const callFunction = [
  '// Put calls of your own client in the place of these: it needs world.baseUrl and the key.',
  'const call = async (method: string, to: string, body?: unknown, key?: string, patienceMs = 60_000, range?: string) => {',
  '  const reply = await fetch(new URL(to, world.baseUrl), {',
  '    method,',
  '    headers: {',
  "      ...(key && { Authorization: 'Bearer ' + key }),",
  "      ...(body !== undefined && { 'Content-Type': 'application/json' }),",
  '      ...(range && { Range: range }),',
  '    },',
  '    signal: AbortSignal.timeout(patienceMs),',
  "    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),",
  '  }).catch(() => undefined)',
  '  const bytes = await reply?.arrayBuffer().catch(() => undefined)',
  '  return {',
  '    status: reply?.status ?? 0,',
  "    type: reply?.headers.get('content-type') ?? '',",
  "    retryAfter: reply?.headers.get('retry-after') ?? '',",
  '    isWhole: bytes !== undefined,',
  '    bytes: Buffer.from(bytes ?? new ArrayBuffer(0)),',
  '    get body() {',
  '      return JSON.parse(this.bytes.toString())',
  '    },',
  '  }',
  '}',
]

function ruleLine({ operation, nth, then }: Rule, spelling: Spelling): string {
  return `// The ${ordinal(nth)} ${operation} goes as it went then.\nawait world.inject('${operation}', ${nth}, ${literal(then, spelling)})`
}

function waitLine({ afterMs }: Pick<Step, 'afterMs'>, before: Step | undefined): string[] {
  return afterMs > (before?.afterMs ?? 0) ? [`await world.clock.advanceTo(start + ${grouped(afterMs)})`] : []
}

interface Writing {
  spelling: Spelling
  names: Named
  i: number
}

function stepLines(step: Step, { spelling, names, i }: Writing): string[] {
  switch (step.kind) {
    case 'force': {
      const to = { status: step.status, ...(step.error && { error: step.error }) }
      return [`await world.tasks.force(${nameIn(names, step.task)}, ${literal(to, spelling)})`]
    }
    case 'expire':
      return [`await world.tasks.expireLink(${nameIn(names, step.task)})`]
    case 'account':
      return [`await world.accounts.change('${step.account}', ${literal(step.change, spelling)})`]
    case 'make':
      return [
        `const { id: ${nameIn(names, step.task)} } = await world.tasks.create(${literal(step.body, spelling)})`,
      ]
    case 'call':
      return callLines(step, { spelling, names, i })
  }
}

function callLines(call: SentCall, { spelling, names, i }: Writing): string[] {
  const reply = call.file ? `file${i}` : `reply${i}`
  const { file } = call
  const to = file
    ? `(await world.tasks.get(${nameIn(names, file.task)})).media.find(({ name }) => name === '${file.output}')?.url ?? ''`
    : pathWith(call.path, names)
  const key = file
    ? 'undefined'
    : call.account === null
      ? "'sk-wrong'"
      : call.key_label
        ? `world.keyFor('${call.account}', '${call.key_label}')`
        : call.account === 'default'
          ? 'world.apiKey'
          : `world.keyFor('${call.account}')`
  const patience = call.broken === 'stalled' ? ', 3000' : file?.range ? ', undefined' : ''
  const range = file?.range ? `, ${quoted(file.range)}` : ''
  const body = call.body === undefined ? 'undefined' : literal(call.body, spelling)
  const more = file && !patience ? '' : `, ${body}, ${key}${patience}${range}`
  const again = call.times > 1 ? `for (let n = 1; n < ${call.times}; n++) ` : ''
  const send = `await call('${call.method}', ${to}${more})`
  const task =
    call.made === undefined
      ? []
      : [`const ${nameIn(names, call.made)} = (await world.tasks.list())[0]?.id ?? ''`]
  const { held, phase } = call
  const waiting = `waiting${held?.id}`
  if (phase?.kind === 'sent')
    return [
      '// Its reply comes after that to a later call, and is read there.',
      `const ${waiting} = ${send.replace(/^await /, '')}`,
      `await expect.poll(async () => (await world.trace()).open.map(({ state }) => state), { timeout: 10_000 }).toEqual(${literal(Array(phase.held).fill('held_back'), spelling)})`,
      ...task,
    ]
  if (phase) return [`const ${reply} = await ${waiting}`, ...expectations(call, { reply, spelling, names })]
  return [
    ...(again ? [`// ${call.times} times, all answered alike.`, `${again}${send}`] : []),
    `const ${reply} = ${send}`,
    ...expectations(call, { reply, spelling, names }),
    ...task,
  ]
}

function expectations(
  call: SentCall,
  { reply, spelling, names }: Omit<Writing, 'i'> & { reply: string },
): string[] {
  const { broken, file } = call
  const status = `expect(${reply}.status).toBe(${call.hasHead ? call.status : 0})`
  if (broken === undefined)
    return [
      status,
      ...(call.retryAfter === undefined
        ? []
        : [`expect(${reply}.retryAfter).toBe(${quoted(call.retryAfter)})`]),
      ...(call.method === 'HEAD' ? [] : [`expect(${reply}.isWhole).toBe(true)`]),
      ...call.expected.map(
        ({ path, value }) =>
          `expect(${reply}.body${accessTo(path, 'javascript')}).toBe(${literal(value, spelling)})`,
      ),
    ]
  switch (broken) {
    case 'cut':
    case 'reset':
    case 'stalled':
      return [status, `expect(${reply}.isWhole).toBe(false) // ${broken}`]
    case 'empty':
      return [status, `expect(${reply}.bytes).toHaveLength(0)`]
    case 'wrong_type':
      return [status, `expect(${reply}.type).toContain('text/html')`]
    case 'garbled':
      return file
        ? [
            status,
            `const whole${reply} = await fetch(\`\${world.baseUrl}/__emulator/worlds/\${world.id}/tasks/\${encodeURIComponent(${nameIn(names, file.task)})}/media/${file.output}\`)`,
            `expect(${reply}.bytes.equals(Buffer.from(await whole${reply}.arrayBuffer()))).toBe(false)`,
          ]
        : [status, `expect(() => ${reply}.body).toThrow()`]
  }
}

/** A path with the names of tasks in the place of their ids. */
function pathWith(path: string, names: Named): string {
  let text = quoted(path).slice(1, -1).replaceAll('`', '\\`').replaceAll('${', '\\${')
  for (const [id, name] of names)
    for (const one of new Set([encodeURIComponent(id), id]))
      text = text.replaceAll(one, `\${encodeURIComponent(${name})}`)
  return text.includes('${') ? `\`${text}\`` : quoted(path)
}

function spellingFor(origin: string): Spelling {
  return {
    words: { true: 'true', false: 'false', null: 'null' },
    key: text => (/^[A-Za-z_$][\w$]*$/.test(text) ? text : quoted(text)),
    string: text =>
      text.startsWith(`${origin}/`) ? `\`\${world.baseUrl}${text.slice(origin.length)}\`` : quoted(text),
    indent: '  ',
  }
}

/** With single quotes, as JSON escapes it. */
function quoted(text: string): string {
  return `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`
}
