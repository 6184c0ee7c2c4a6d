import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { flipBits, makeDataDirectory } from '../../build/torture/flip-run.ts'
import { packageVersion } from '../../src/emulator/package/files.ts'
import { documentNamed } from '../../src/emulator/scenarios/known-scenarios.ts'
import { assembleEmulator } from '../../src/emulator/server/emulator.ts'
import { checksummedLine } from '../../src/emulator/worlds/data/log-format.ts'
import { DataDirectoryError } from '../../src/emulator/worlds/database.ts'
import { startEmulator } from '../../src/index.ts'
import { tasksPath, textBody } from '../support/family-a.ts'
import { fetchJson } from '../support/fetch-json.ts'
import { ownFolder } from '../support/folders.ts'

const LOG = 'log-000001.ndjson'

const folder = () => ownFolder('damaged')

async function refusalOf(dir: string): Promise<Error> {
  return await assembleEmulator({ data: dir }).then(
    emulator => emulator.close().then(() => Promise.reject(new Error('it was opened'))),
    error => error,
  )
}

interface Line {
  world: string
  collection: string
  id: string
  // biome-ignore lint/suspicious/noExplicitAny: each case reaches into the record where it wants
  value: any
  crc?: string
}

/** A data directory with one world and one finished task, whose lines were changed and sealed again. */
async function changedData(change: (line: Line) => void): Promise<string> {
  const dir = folder()
  const emulator = await startEmulator({ dataDir: dir, clock: 'manual' })
  const made = await fetchJson(emulator.url + tasksPath, 'POST', textBody(), 'sk-emulator')
  expect(made.status).toBe(200)
  await emulator.world.clock.advance('1h')
  await emulator.close()
  const [header, ...lines] = readFileSync(join(dir, LOG), 'utf8').trimEnd().split('\n')
  const changed = lines.map(text => {
    const { crc: _, ...line }: Line = JSON.parse(text)
    change(line)
    return checksummedLine(line)
  })
  writeFileSync(join(dir, LOG), `${header}\n${changed.join('')}`)
  return dir
}

const inHead = (change: (head: Line['value']) => void) => (line: Line) => {
  if (line.collection === 'head') change(line.value)
}
const inTask = (change: (task: Line['value']) => void) => (line: Line) => {
  if (line.collection === 'tasks') change(line.value)
}

describe('damaged data', () => {
  it('every one of sixty flipped bits is found, and every refusal names file and place', async () => {
    const dir = await makeDataDirectory()
    onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
    const { counts, faults } = await flipBits(dir, 60, 1)
    expect(faults).toEqual([])
    expect(counts.refused).toBeGreaterThan(50)
  })

  it.each<[string, (line: Line) => void, RegExp]>(
    // biome-ignore format: a table, one row a line
    [
    ['a head without a clock', inHead(head => delete head.clock), /head record "" .*: clock is required/],
    ['a head whose clock has a mode that does not exist', inHead(head => { head.clock.mode = 'mantal' }), /clock\.mode: "mantal" is not allowed/],
    ['a head whose time is a text', inHead(head => { head.clock.virtualMs = '17' }), /clock\.virtualMs: "17" is not of type integer/],
    ['a head without an opening', inHead(head => delete head.opening), /opening is required/],
    [
      'a head with a rule of another scenario language',
      inHead(head => {
        // biome-ignore lint/suspicious/noThenProperty: the word of the scenario language, never awaited
        head.injections = [{ id: 'x', operation: 'a.get', nth: 1, left: 1, then: { explode: true } }]
      }),
      /injections\[0\]\.then/,
    ],
    [
      'a finished task whose length an earlier build kept elsewhere',
      inTask(task => delete task.job.frames),
      /tasks record "cgt-[^"]+" of the world "default": job\.frames is required/,
    ],
    ['a task of a kind that does not exist', inTask(task => { task.kind = 'a.hologram' }), /kind: "a\.hologram" is not known to this emulator/],
    [
      'a task whose family has no state for its outcome',
      inTask(task => {
        task.family = 'image'
        task.kind = 'image'
        task.plan.outcome = { kind: 'cancelled' }
      }),
      /plan: the family image has no state for cancelled/,
    ],
  ],
  )('%s is refused at the start, with file, record and writer', async (_, change, message) => {
    const dir = await changedData(change)
    const before = readFileSync(join(dir, LOG), 'utf8')
    const refusal = await refusalOf(dir)
    expect(refusal).toBeInstanceOf(DataDirectoryError)
    expect(refusal.message).toMatch(
      /log-000001.ndjson" has a line \d+ \(at byte \d+\) with an invalid record, /,
    )
    expect(refusal.message).toMatch(message)
    expect(refusal.message).toContain(`(version ${packageVersion()} wrote it as data of version 3)`)
    expect(refusal.message).toMatch(/Nothing was changed; put back a good copy of the file, /)
    expect(readFileSync(join(dir, LOG), 'utf8')).toBe(before)
  })

  it('a world without a first record is refused by its name', async () => {
    const dir = await changedData(line => {
      if (line.collection === 'head') Object.assign(line, { collection: 'downloads', value: 1 })
    })
    expect((await refusalOf(dir)).message).toMatch(
      /holds records of the world "default", but no line with its head/,
    )
  })

  it('a world goes on with the scenario of a --scenario file when a later start does not give the file, and says so', async () => {
    const dir = folder()
    const file = join(folder(), 'of-a-file.yaml')
    const written = (path: string) =>
      `name: of-a-file\nrules: [{ when: { operation: ${path} }, then: { refuse: { fault: internal } } }]\n`
    const started = async (...scenarios: string[]) => {
      const info = vi.fn()
      const emulator = await assembleEmulator({ data: dir, scenarios, logger: { info, error: vi.fn() } })
      const world = emulator.services.worlds.open('default')
      const operation = documentNamed(world, 'of-a-file')?.rules[0]?.when?.operation
      await emulator.close()
      return { active: world.state.head.active.map(({ name }) => name), operation, said: info.mock.calls }
    }
    writeFileSync(file, written('a.get'))
    expect(await started(file)).toEqual({ active: ['of-a-file'], operation: 'a.get', said: [] })
    const said = [
      [
        { warning: 'data' },
        'The scenario "of-a-file" is still active in default, as its file was when it was last given',
      ],
    ]
    expect(await started()).toEqual({ active: ['of-a-file'], operation: 'a.get', said })
    writeFileSync(file, written('b.get'))
    expect(await started(file)).toEqual({ active: ['of-a-file'], operation: 'b.get', said: [] })
    expect(await started('outage')).toEqual({ active: ['of-a-file'], operation: 'b.get', said })
  })

  it.each([
    ['[{', /scenarios\.json" is damaged: SyntaxError/],
    [
      '[{"name":"of-a-file","rules":[{"thn":{}}]}]',
      /scenarios\.json" is damaged: .*thn.*start with the --scenario files/,
    ],
  ])('kept scenarios that cannot be read are refused: %s', async (text, message) => {
    const dir = folder()
    await (await assembleEmulator({ data: dir, scenarios: [{ name: 'of-a-file', rules: [] }] })).close()
    writeFileSync(join(dir, 'scenarios.json'), text)
    expect((await refusalOf(dir)).message).toMatch(message)
  })

  it('a world with a scenario that this directory does not have is refused without its file', async () => {
    const dir = folder()
    const scenario = { name: 'of-a-file', rules: [] }
    const first = await assembleEmulator({ data: dir, scenarios: [scenario] })
    first.services.worlds.open('default')
    await first.close()
    rmSync(join(dir, 'scenarios.json'))
    expect((await refusalOf(dir)).message).toMatch(
      /the head of the world "default": the scenario "of-a-file" is not known to this emulator\. .*the same --scenario files/,
    )
    await (await assembleEmulator({ data: dir, scenarios: [scenario] })).close()
  })

  it('a cut end gives one line in the emulator’s log', async () => {
    const dir = folder()
    const emulator = await assembleEmulator({ data: dir })
    emulator.services.worlds.open('default')
    await emulator.close()
    writeFileSync(join(dir, LOG), `${readFileSync(join(dir, LOG), 'utf8')}{"world":"de`)
    const logger = { info: vi.fn(), error: vi.fn() }
    await (await assembleEmulator({ data: dir, logger })).close()
    expect(logger.info).toHaveBeenCalledExactlyOnceWith(
      { warning: 'data' },
      expect.stringContaining('its last 12 bytes'),
    )
  })
})

describe('accounts over a restart (Spec, "What the service does" 7)', () => {
  it('are stored at their first use, and keep their place in the list', async () => {
    const dir = folder()
    const first = await assembleEmulator({ data: dir })
    const { worlds } = first.services
    const world = worlds.open('default')
    for (const id of ['poor', 'default', 'zoe']) worlds.account(world, id)
    const before = [...world.state.accounts]
    await first.close()
    const second = await assembleEmulator({ data: dir })
    onTestFinished(() => second.close())
    expect([...second.services.worlds.open('default').state.accounts]).toEqual(before)
  })
})
