import { accessTo, literal, type Named, type Spelling } from './literal.ts'
import type { Leaf, SentCall } from './steps.ts'

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

/** How tests are written for a kit: the file, and each thing that a test does. Tasks and replies are given by their variables. */
export type Language = ReturnType<typeof javascript>

/** What a file has around the lines of its test. */
interface TestFile {
  title: string
  comments: readonly string[]
  lines: readonly string[]
  hasCalls: boolean
  /** Whether replies are held while other calls are made. */
  isHeld: boolean
}

/** Tests in TypeScript. `origin` is the emulator's address, which is another one when a test runs. */
export function javascript(kit: Kit, origin: string) {
  const spelling: Spelling = {
    words: { true: 'true', false: 'false', null: 'null' },
    key: text => (/^[A-Za-z_$][\w$]*$/.test(text) ? text : quoted(text)),
    string: text =>
      text.startsWith(`${origin}/`) ? `\`\${world.baseUrl}${text.slice(origin.length)}\`` : quoted(text),
    indent: '  ',
  }
  const written = (value: unknown) => literal(value, spelling)
  return {
    written,
    comment: '// ',
    file: ({ title, comments, lines, hasCalls }: TestFile): string[] => [
      ...heads[kit],
      '',
      ...comments,
      `test(${quoted(title)}, async ({ world }) => {`,
      ...(hasCalls ? indented([...callFunction, ''], spelling) : []),
      ...indented(lines, spelling),
      '})',
    ],
    start: 'const { now_ms: start } = await world.clock.get()',
    advanceTo: (ms: string) => `await world.clock.advanceTo(start + ${ms})`,
    inject: (operation: string, nth: number, then: object) =>
      `await world.inject('${operation}', ${nth}, ${written(then)})`,
    force: (task: string, to: { status: string; error?: object }) =>
      `await world.tasks.force(${task}, ${written(to)})`,
    expireLink: (task: string) => `await world.tasks.expireLink(${task})`,
    changeAccount: (account: string, change: unknown) =>
      `await world.accounts.change('${account}', ${written(change)})`,
    makeTask: (task: string, body: unknown) =>
      `const { id: ${task} } = await world.tasks.create(${written(body)})`,
    takeNewest: (task: string) => `const ${task} = (await world.tasks.list())[0]?.id ?? ''`,
    endsAs: (task: string, status: string) =>
      `expect((await world.tasks.get(${task})).status).toBe('${status}')`,
    ownKey: 'world.apiKey',
    keyOf: (account: string, label?: string) => `world.keyFor('${account}'${label ? `, '${label}'` : ''})`,
    linkOf: (task: string, output: string) =>
      `(await world.tasks.get(${task})).media.find(({ name }) => name === '${output}')?.url ?? ''`,
    pathWith,
    /** The expression that sends a call. Without a key it is the download of a file. */
    send({ method, body, file, broken }: SentCall, to: string, key: string | undefined): string {
      const patience = broken === 'stalled' ? '3000' : file?.range ? 'undefined' : undefined
      const more = [
        body === undefined ? 'undefined' : written(body),
        key ?? 'undefined',
        ...(patience === undefined ? [] : [patience]),
        ...(file?.range ? [quoted(file.range)] : []),
      ]
      return `call(${[`'${method}'`, to, ...(file && patience === undefined ? [] : more)].join(', ')})`
    },
    repeat: (times: number, send: string) => `for (let n = 1; n < ${times}; n++) await ${send}`,
    /** Sends a call, and waits until so many replies are held. */
    begin: (waiting: string, send: string, held: number) => [
      `const ${waiting} = ${send}`,
      `await expect.poll(async () => (await world.trace()).open.map(({ state }) => state), { timeout: 10_000 }).toEqual(${written(Array(held).fill('held_back'))})`,
    ],
    receive: (reply: string, send: string) => `const ${reply} = await ${send}`,
    receiveHeld: (reply: string, waiting: string) => `const ${reply} = await ${waiting}`,
    hasStatus: (reply: string, status: number) => `expect(${reply}.status).toBe(${status})`,
    asksToWait: (reply: string, text: string) => `expect(${reply}.retryAfter).toBe(${quoted(text)})`,
    isWhole: (reply: string) => `expect(${reply}.isWhole).toBe(true)`,
    isPart: (reply: string, broken: string) => `expect(${reply}.isWhole).toBe(false) // ${broken}`,
    isEmpty: (reply: string) => `expect(${reply}.bytes).toHaveLength(0)`,
    isPage: (reply: string) => `expect(${reply}.type).toContain('text/html')`,
    isNoJson: (reply: string) => `expect(() => ${reply}.body).toThrow()`,
    has: (reply: string, { path, value }: Leaf) =>
      `expect(${reply}.body${accessTo(path, 'javascript')}).toBe(${written(value)})`,
    /** Its bytes are not those of a file. */
    differsFrom: (reply: string, task: string, output: string) => [
      `const whole${reply} = await fetch(\`\${world.baseUrl}/__emulator/worlds/\${world.id}/tasks/\${encodeURIComponent(${task})}/media/${output}\`)`,
      `expect(${reply}.bytes.equals(Buffer.from(await whole${reply}.arrayBuffer()))).toBe(false)`,
    ],
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

/** With single quotes, as JSON escapes it. */
function quoted(text: string): string {
  return `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`
}

/** Lines of the body of a test; one of them may be several. */
export function indented(lines: readonly string[], { indent }: Spelling): string[] {
  return lines.map(line => (line === '' ? '' : `${indent}${line.replaceAll('\n', `\n${indent}`)}`))
}
