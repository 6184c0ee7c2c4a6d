import { accessTo, grouped, literal, ordinal, type Spelling } from './literal.ts'
import type { Make, Step, TestPlan } from './plan.ts'

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
    `// Written by the console from the story of the task ${plan.id}.`,
    `test(${quoted(plan.title)}, async ({ world }) => {`,
    ...bodyOf(plan, spelling).map(line => (line === '' ? '' : `  ${line.replaceAll('\n', '\n  ')}`)),
    '})',
    '',
  ].join('\n')
}

function bodyOf(plan: TestPlan, spelling: Spelling): string[] {
  const usesCalls = plan.make.kind === 'call' || plan.steps.some(({ kind }) => kind === 'call')
  const usesTime = plan.steps.some(({ afterMs }) => afterMs > 0)
  return [
    ...(usesCalls ? [...callFunction(plan.account), ''] : []),
    ...plan.shapes.flatMap(({ operation, nth, effect }) => [
      `// The ${ordinal(nth)} ${operation} from here on goes as it went then.`,
      `await world.inject('${operation}', ${nth}, ${literal(effect, spelling)})`,
    ]),
    ...(plan.shapes.length > 0 ? [''] : []),
    ...(usesTime ? ['const { now_ms: start } = await world.clock.get()'] : []),
    ...makeLines(plan, spelling),
    ...plan.steps.flatMap((step, i) => ['', ...stepLines(step, plan, { spelling, i })]),
    '',
    ...endLines(plan),
  ]
}

function callFunction(account: string): string[] {
  const key = account === 'default' ? 'world.apiKey' : `world.keyFor('${account}')`
  return [
    '// Put calls of your own client in the place of these: it needs world.baseUrl and the key.',
    'const call = async (method: string, path: string, body?: object) => {',
    '  const reply = await fetch(world.baseUrl + path, {',
    '    method,',
    `    headers: { Authorization: \`Bearer \${${key}}\`, 'Content-Type': 'application/json' },`,
    '    ...(body && { body: JSON.stringify(body) }),',
    '  })',
    "  return { status: reply.status, body: JSON.parse((await reply.text()) || 'null') }",
    '}',
  ]
}

function makeLines({ make, isWhole }: TestPlan, spelling: Spelling): string[] {
  const warning = isWhole
    ? []
    : ['// The journal keeps digests of long texts and files: put your own in their place.']
  const lines =
    make.kind === 'control'
      ? [`const { id } = await world.tasks.create(${literal(make.body, spelling)})`]
      : createLines(make, spelling)
  return [...warning, ...lines]
}

function createLines({ method, path, body, status }: Make & { kind: 'call' }, spelling: Spelling): string[] {
  return [
    `const created = await call('${method}', '${path}', ${literal(body, spelling)})`,
    `expect(created.status).toBe(${status})`,
    "const id = (await world.tasks.list())[0]?.id ?? ''",
  ]
}

function stepLines(step: Step, plan: TestPlan, { spelling, i }: { spelling: Spelling; i: number }): string[] {
  const before = plan.steps[i - 1]?.afterMs ?? 0
  const wait = step.afterMs > before ? [`await world.clock.advanceTo(start + ${grouped(step.afterMs)})`] : []
  switch (step.kind) {
    case 'force': {
      const to = { status: step.status, ...(step.error && { error: step.error }) }
      return [...wait, `await world.tasks.force(id, ${literal(to, spelling)})`]
    }
    case 'download':
      return [
        ...wait,
        `const file${i} = (await world.tasks.get(id)).media.find(({ url }) => url?.includes('/${step.file}'))`,
        `expect((await fetch(file${i}?.url ?? '')).status).toBe(${step.status})`,
      ]
    case 'call': {
      const path = pathWithId(step.path, plan.id)
      const times = step.times > 1 ? [`// ${step.times} times then, all answered alike.`] : []
      return [
        ...wait,
        ...times,
        `const reply${i} = await call('${step.method}', ${path})`,
        `expect(reply${i}.status).toBe(${step.status})`,
        ...step.expected.map(
          ({ path, value }) =>
            `expect(reply${i}.body${accessTo(path, 'javascript')}).toBe(${literal(value, spelling)})`,
        ),
      ]
    }
  }
}

function endLines({ end, steps }: TestPlan): string[] {
  const last = steps.at(-1)?.afterMs ?? 0
  return [
    ...(end.afterMs > last ? [`await world.clock.advanceUntil({ task: id, status: '${end.status}' })`] : []),
    'const task = await world.tasks.get(id)',
    `expect(task.status).toBe('${end.status}')`,
    ...(end.code === undefined ? [] : [`expect(task.view.error?.code).toBe(${quoted(end.code)})`]),
  ]
}

function pathWithId(path: string, id: string): string {
  const own = [id, encodeURIComponent(id)].find(one => path.includes(one))
  return own === undefined ? quoted(path) : `\`${path.replace(own, `\${encodeURIComponent(id)}`)}\``
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
