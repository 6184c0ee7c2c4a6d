import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { assembleEmulator } from '../../src/server/emulator.ts'
import { DataDirectoryError } from '../../src/worlds/database.ts'
import { flipBits, makeDataDirectory } from '../support/flips.ts'

const LOG = 'log-000001.ndjson'

function folder(): string {
  const dir = mkdtempSync(join(tmpdir(), 'damaged-'))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  return dir
}

async function refusalOf(dir: string): Promise<Error> {
  return await assembleEmulator({ data: dir }).then(
    emulator => emulator.close().then(() => Promise.reject(new Error('it was opened'))),
    error => error,
  )
}

/** The log of a data directory of the first version with one world. */
async function oldData(change: (head: Record<string, unknown>) => void): Promise<string> {
  const dir = folder()
  const emulator = await assembleEmulator({ data: dir })
  emulator.services.worlds.open('default')
  await emulator.close()
  const [, line = ''] = readFileSync(join(dir, LOG), 'utf8').split('\n')
  const { crc: _, ...record } = JSON.parse(line)
  change(record.value)
  const header = '{"format":"generation-gateway-emulator","version":1}'
  writeFileSync(join(dir, LOG), `${header}\n${JSON.stringify(record)}\n`)
  return dir
}

describe('damaged data (interface, "--data DIR")', () => {
  it('every one of sixty flipped bits is found, and every refusal names file and place', async () => {
    const dir = await makeDataDirectory()
    onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
    const { counts, faults } = await flipBits(dir, 60, 1)
    expect(faults).toEqual([])
    expect(counts.refused).toBeGreaterThan(50)
  })

  it.each<[string, (head: Record<string, unknown>) => void]>([
    ['without a clock', head => delete head.clock],
    [
      'whose clock has a mode that does not exist',
      head => Object.assign(head.clock as object, { mode: 'mantal' }),
    ],
    ['whose time is a text', head => Object.assign(head.clock as object, { virtualMs: '17' })],
    ['without an opening', head => delete head.opening],
  ])('a first record %s is refused at the start, not at the first request', async (_, damage) => {
    const dir = await oldData(damage)
    const before = readFileSync(join(dir, LOG), 'utf8')
    const refusal = await refusalOf(dir)
    expect(refusal).toBeInstanceOf(DataDirectoryError)
    expect(refusal.message).toMatch(/log-000001.ndjson" has a line 2 \(at byte 53\) with an invalid record/)
    expect(readFileSync(join(dir, LOG), 'utf8')).toBe(before)
  })

  it('a world without a first record is refused by its name', async () => {
    const dir = await oldData(() => {})
    writeFileSync(
      join(dir, LOG),
      readFileSync(join(dir, LOG), 'utf8')
        .replace('"collection":"head"', '"collection":"downloads"')
        .replace(/"value":.*\}/, '"value":1}'),
    )
    expect((await refusalOf(dir)).message).toMatch(
      /holds records of the world "default", but no line with its head/,
    )
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
