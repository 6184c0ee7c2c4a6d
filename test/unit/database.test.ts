import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { chmod, cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { crc32 } from 'node:zlib'
import { describe, expect, test, vi } from 'vitest'
import { migrated } from '../../src/emulator/worlds/data/world-data.ts'
import {
  type Database,
  DataDirectoryError,
  type DirectoryOptions,
  type Migration,
  noRules,
  openDirectory,
  openMemory,
} from '../../src/emulator/worlds/database.ts'
import { copyAtOnce } from '../support/copy-at-once.ts'
import { drop, idsOf, put, remove, stateOf } from '../support/database-records.ts'
import { ownFolder } from '../support/folders.ts'
import { controlledDisk } from '../support/full-disk.ts'
import { openForTest } from '../support/open-for-test.ts'

/** Databases of tests have records without rules, and so no program. */
const HEADER = '{"format":"generation-gateway-emulator","version":3,"program":"unknown"}\n'
const LOG = 'log-000001.ndjson'

/** A line as files hold it: its last property is the checksum of what is before it. */
function sealed(record: object): string {
  const text = JSON.stringify(record).slice(0, -1)
  return `${text},"crc":"${crc32(text).toString(16).padStart(8, '0')}"}\n`
}

function line(id: string, value: unknown, more?: true): string {
  return sealed({ ...(more && { more }), world: 'w', collection: 'tasks', id, value })
}

/** A line as versions before the first release wrote it. */
function unsealed(id: string, value: unknown): string {
  return `${JSON.stringify({ world: 'w', collection: 'tasks', id, value })}\n`
}

async function directoryWith(files: Record<string, string>): Promise<string> {
  const dir = ownFolder()
  for (const [name, text] of Object.entries(files)) await writeFile(join(dir, name), text)
  return dir
}

/** Opening must fail and leave every file as it was, and no lock behind. */
async function expectRefused(
  dir: string,
  message: RegExp,
  options: Partial<DirectoryOptions> = {},
): Promise<void> {
  const before = await filesOf(dir)
  const refusal = await openDirectory({ dir, ...options }).then(
    () => undefined,
    error => error,
  )
  expect(refusal).toBeInstanceOf(DataDirectoryError)
  expect(refusal.message).toMatch(message)
  expect(await filesOf(dir)).toEqual(before)
}

async function filesOf(dir: string): Promise<Map<string, string>> {
  const names = (await readdir(dir)).sort()
  return new Map(
    await Promise.all(names.map(async name => [name, await readFile(join(dir, name), 'utf8')] as const)),
  )
}

/** The tasks of the world `w` by their ids. */
const tasksOf = (database: Database) => Object.fromEntries(database.data.worlds.get('w')?.tasks ?? [])

/** A new directory that is open, which had these files before. */
async function openNew(options: Partial<DirectoryOptions> = {}, files: Record<string, string> = {}) {
  const dir = await directoryWith(files)
  return { dir, database: await openForTest({ dir, ...options }) }
}

describe('in memory', () => {
  test('a commit does not wait', async () => {
    const database = openMemory()
    put(database, 'w', 'tasks', 'a', 1)
    expect(database.commit()).toBeUndefined()
    expect(idsOf(database, 'w', 'tasks')).toEqual(['a'])
    await database.close()
  })
})

// Interface, "--data DIR": keep worlds in DIR, survive restarts.
describe('over a restart', () => {
  test('records, their order and the order of the worlds are as before', async () => {
    const dir = ownFolder()
    const first = await openForTest({ dir: join(dir, 'made', 'on', 'demand') })
    put(first, 'late', 'head', '', { seed: 7 })
    for (const id of ['c', 'a', 'b']) put(first, 'early', 'tasks', id, { id, text: 'zürich 🎬 \u2028 "\n' })
    await first.commit()
    put(first, 'early', 'tasks', 'c', { changed: true })
    await first.close()
    const second = await openForTest({ dir: join(dir, 'made', 'on', 'demand') })
    expect(stateOf(second)).toBe(stateOf(first))
    expect([...second.data.worlds.keys()]).toEqual(['late', 'early'])
    expect(idsOf(second, 'early', 'tasks')).toEqual(['c', 'a', 'b'])
  })

  test('a commit without changes does not wait', async () => {
    const { database } = await openNew()
    expect(database.commit()).toBeUndefined()
    put(database, 'w', 'tasks', 'a', 1)
    await database.commit()
    expect(database.commit()).toBeUndefined()
  })

  test('a deleted record stays deleted, and a new one of the same id is the last', async () => {
    const { dir, database: first } = await openNew()
    for (const id of ['a', 'b', 'c']) put(first, 'w', 'tasks', id, 1)
    await first.commit()
    remove(first, 'w', 'tasks', 'a')
    remove(first, 'w', 'tasks', 'b')
    put(first, 'w', 'tasks', 'd', 1)
    put(first, 'w', 'tasks', 'a', 2)
    await first.close()
    expect(idsOf(await openForTest({ dir }), 'w', 'tasks')).toEqual(['c', 'd', 'a'])
  })

  test('names such as __proto__ are ordinary names, and no prototype is changed', async () => {
    const { dir, database: first } = await openNew()
    put(first, '__proto__', 'tasks', '__proto__', JSON.parse('{"__proto__":{"polluted":1},"constructor":2}'))
    await first.close()
    const second = await openForTest({ dir })
    expect(stateOf(second)).toBe(stateOf(first))
    const value = second.data.worlds.get('__proto__')?.tasks.get('__proto__')
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype)
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false)
  })

  test.each([
    ['with fsync every commit forces the log to the disk itself', true, 1],
    ['without fsync no commit waits for the disk itself', false, 0],
  ])('%s', async (_, fsync, syncs) => {
    const disk = await controlledDisk()
    const { database } = await openNew({ fsync })
    for (let number = 0; number < 3; number += 1) {
      const before = disk.syncs()
      put(database, 'w', 'tasks', 'a', number)
      await database.commit()
      expect(disk.syncs() - before).toBe(syncs)
    }
  })
})

describe('group commit', () => {
  test('a record that changed many times before a commit is written once', async () => {
    const { dir, database } = await openNew()
    for (let number = 0; number < 100; number += 1) put(database, 'w', 'tasks', 'a', number)
    await database.commit()
    expect(await readFile(join(dir, LOG), 'utf8')).toBe(HEADER + line('a', 99))
  })

  test('records of one group are read together or not at all, as their lines say', async () => {
    const { dir, database } = await openNew()
    put(database, 'w', 'tasks', 'a', 1)
    put(database, 'w', 'tasks', 'b', 1)
    await database.commit()
    const lines = line('a', 1, true) + line('b', 1)
    expect(await readFile(join(dir, LOG), 'utf8')).toBe(HEADER + lines)
  })

  test('commits at the same moment share one write', async () => {
    const { database } = await openNew()
    const commits = ['a', 'b', 'c'].map(id => {
      put(database, 'w', 'tasks', id, 1)
      return database.commit()
    })
    expect(commits.every(commit => commit !== undefined)).toBe(true)
    await commits[0]
    expect(database.commit()).toBeUndefined()
  })

  test('a commit after closing is refused, not dropped', async () => {
    const { database } = await openNew()
    await database.close()
    put(database, 'w', 'tasks', 'a', 1)
    await expect(database.commit()).rejects.toThrow('closed')
  })
})

describe('after a crash', () => {
  test.each([
    ['half a line', '{"world":"w","collection":"tasks","id":"c","val'],
    [
      'half a character',
      Buffer.from('{"world":"w","collection":"tasks","id":"ü').subarray(0, -1).toString('latin1'),
    ],
    ['zeros of a power cut', '\0\0\0\0'],
    ['half a group', line('c', 1, true)],
  ])('a torn end (%s) is dropped, and the file is kept', async (_, torn) => {
    const dir = await directoryWith({ [LOG]: HEADER + line('a', 1) + line('b', 2) + torn })
    const warnings: string[] = []
    const database = await openForTest({ dir, warn: message => warnings.push(message) })
    expect(idsOf(database, 'w', 'tasks')).toEqual(['a', 'b'])
    expect(warnings).toEqual([
      expect.stringMatching(/log-000001.*its last \d+ bytes, from byte \d+ on, were cut off/),
    ])
    put(database, 'w', 'tasks', 'd', 3)
    await database.close()
    expect(await readFile(join(dir, LOG), 'utf8')).toBe(HEADER + line('a', 1) + line('b', 2) + line('d', 3))
  })

  const cutHeaders = [10, 48, 52, 60, 66, 70, 72].map(length => HEADER.slice(0, length))
  test.each(['', ...cutHeaders, HEADER])('a log that contains only %j counts as empty', async text => {
    const { dir, database } = await openNew({}, { [LOG]: text })
    put(database, 'w', 'tasks', 'a', 1)
    await database.close()
    expect(await readFile(join(dir, LOG), 'utf8')).toBe(HEADER + line('a', 1))
  })

  test('after an interrupted compaction its file is removed, and both logs are read', async () => {
    const dir = await directoryWith({
      [LOG]: HEADER + line('a', 1) + line('b', 1),
      'log-000002.ndjson': HEADER + line('a', 2) + line('c', 2),
      'snapshot-000002.ndjson.tmp': HEADER + line('a', 1),
      'notes.txt': 'not ours',
    })
    const database = await openForTest({ dir })
    expect(tasksOf(database)).toEqual({ a: 2, b: 1, c: 2 })
    expect((await readdir(dir)).sort()).toEqual(['lock', LOG, 'log-000002.ndjson', 'notes.txt'].sort())
  })

  test('a finished snapshot is read instead of the files that it replaces, which are removed', async () => {
    const dir = await directoryWith({
      [LOG]: HEADER + line('a', 1) + line('deleted', 1),
      'snapshot-000002.ndjson': `${HEADER}${line('a', 2)}${sealed({ records: 1 })}`,
      'log-000002.ndjson': HEADER + line('b', 2),
    })
    const database = await openForTest({ dir })
    expect(idsOf(database, 'w', 'tasks')).toEqual(['a', 'b'])
    expect((await readdir(dir)).sort()).toEqual(['lock', 'log-000002.ndjson', 'snapshot-000002.ndjson'])
  })

  test('an empty log beside a snapshot is reported', async () => {
    const dir = await directoryWith({
      'snapshot-000002.ndjson': HEADER + line('a', 2) + sealed({ records: 1 }),
      'log-000002.ndjson': '',
    })
    const warn = vi.fn()
    expect(idsOf(await openForTest({ dir, warn }), 'w', 'tasks')).toEqual(['a'])
    expect(warn).toHaveBeenCalledExactlyOnceWith(expect.stringMatching(/log-000002.ndjson" is empty/))
  })

  test('a torn log is read when the next one is still empty', async () => {
    const files = { [LOG]: `${HEADER}${line('a', 1)}{"wor`, 'log-000002.ndjson': '' }
    const { dir, database: first } = await openNew({}, files)
    put(first, 'w', 'tasks', 'b', 1)
    await first.close()
    expect(idsOf(await openForTest({ dir }), 'w', 'tasks')).toEqual(['a', 'b'])
  })
})

describe('data of an earlier version', () => {
  const old = {
    [LOG]: HEADER + line('a', 1),
    'log-000002.ndjson': `${HEADER}${line('b', 2)}{"wor`,
  }
  const doubled: Migration = ({ value }) => Number(value) * 2
  const shown: Migration = ({ collection, id, value }) => `${collection} ${id} is ${value}`
  const rules = { ...noRules, program: '9.0.0', migrations: [doubled, shown] }
  const newHeader = HEADER.replace('3', '5').replace('unknown', '9.0.0')

  test('is migrated step by step, and written in the newest version with the next change', async () => {
    const warn = vi.fn()
    const { dir, database: first } = await openNew({ warn, rules }, old)
    expect(tasksOf(first)).toEqual({ a: 'tasks a is 2', b: 'tasks b is 4' })
    expect(warn).toHaveBeenCalledExactlyOnceWith(expect.stringContaining('its last 5 bytes'))
    put(first, 'w', 'tasks', 'c', 'new')
    await first.commit()
    await vi.waitFor(async () => expect(await readdir(dir)).not.toContain(LOG), { timeout: 10_000 })
    const after = tasksOf(first)
    await first.close()
    const texts = [...(await filesOf(dir)).values()]
    expect(texts).toHaveLength(2)
    for (const text of texts) expect(text.startsWith(newHeader)).toBe(true)
    const second = await openForTest({ dir, rules })
    expect(tasksOf(second)).toEqual(after)
  })

  test('is read again when the process ended before it was written in the newest version', async () => {
    const { dir, database: first } = await openNew({ warn: vi.fn(), rules }, old)
    await first.close()
    const second = await openForTest({ dir, warn: vi.fn(), rules })
    expect(stateOf(second)).toContain('tasks b is 4')
  })

  test('is migrated inside snapshots too, before the snapshot itself', () => {
    const snapshot = { name: 's', state: { head: 1, tasks: [['t', 2]], odd: 'kept' } }
    const seen: string[] = []
    const step: Migration = ({ collection, id, value }) => {
      seen.push(`${collection} ${id}`)
      return collection === 'snapshots' ? { ...(value as object), moved: true } : Number(value) * 10
    }
    const record = { collection: 'snapshots', id: 's', value: snapshot } as const
    expect(migrated(record, [step])).toEqual({
      name: 's',
      state: { head: 10, tasks: [['t', 20]], odd: 'kept' },
      moved: true,
    })
    expect(seen).toEqual(['head ', 'tasks t', 'snapshots s'])
  })

  test('is refused with file, record and writer when a record does not fit after its migration', async () => {
    const faultOf = ({ id }: { id: string }) => (id === 'b' ? 'it is b' : undefined)
    await expectRefused(
      await directoryWith(old),
      /log-000002.ndjson" has a line 2 .* invalid record, the tasks record "b" of the world "w": it is b \(version unknown wrote it as data of version 3\)\. Nothing was changed; put back/,
      { rules: { ...rules, faultOf } },
    )
  })

  test('a migration that fails refuses the start, and names the record', async () => {
    const failing: Migration = () => {
      throw new Error('no seconds')
    }
    const message = /log-000001.*the tasks record "a" of the world "w": no seconds/
    await expectRefused(await directoryWith(old), message, { rules: { ...noRules, migrations: [failing] } })
  })
})

describe('a directory that cannot be understood is refused and left unchanged', () => {
  test.each(
    // biome-ignore format: a table, one row a line
    [
    ['garbage in the middle', { [LOG]: `${HEADER}${line('a', 1)}garbage\n${line('b', 1)}` }, /log-000001.*line 3.*garbage/],
    ['a line without a checksum', { [LOG]: HEADER + unsealed('a', 1) }, /log-000001.*line 2 \(at byte 73\) whose checksum is wrong/],
    [
      'another value under the same checksum',
      { [LOG]: HEADER + line('a', 1) + line('b', 100).replace('100', '101') + line('c', 1) },
      /line 3 .*whose checksum is wrong: .*Nothing was changed; put back a good copy/,
    ],
    ['something else in the place of the last newline', { [LOG]: `${HEADER}${line('a', 1).trim()}x` }, /no newline at byte/],
    [
      'lines behind the end of a snapshot',
      { 'snapshot-000001.ndjson': HEADER + sealed({ records: 0 }) + line('a', 1), [LOG]: HEADER },
      /snapshot-000001.*continues after its last line, line 3/,
    ],
    ['a line without a value', { [LOG]: HEADER + sealed({ world: 'w', collection: 'tasks', id: 'a' }) }, /line 2/],
    ['an unknown collection', { [LOG]: HEADER + sealed({ world: 'w', collection: '__proto__', id: 'a', value: 1 }) }, /line 2/],
    [
      'a newer version',
      { [LOG]: HEADER.replace('3', '4').replace('unknown', '9.9.9') + line('a', 1) },
      /version 4, written by version 9\.9\.9 of the emulator; this emulator reads version 3\. Nothing was changed; start that version/,
    ],
    ['a newer version without records', { [LOG]: HEADER.replace('3', '4') }, /version 4/],
    ...[1, 2].map((version): [string, Record<string, string>, RegExp] => [
      `version ${version}, which no release wrote`,
      { [LOG]: `{"format":"generation-gateway-emulator","version":${version}}\n${line('a', 1)}` },
      new RegExp(
        `version ${version}, which only builds before the first release wrote; this emulator reads version 3\\. Nothing was changed; move the directory away, or start with another one\\.$`,
      ),
    ]),
    [
      'a header that does not say which version wrote it',
      { [LOG]: HEADER.replace('program', 'prograM') + line('a', 1) },
      /is not a data file of this emulator: its line 1 /,
    ],
    ['a file of another program', { [LOG]: 'hello\n' }, /not a data file/],
    ['a file of another program without a newline', { [LOG]: 'hello' }, /not a data file/],
    ['a snapshot cut short', { 'snapshot-000001.ndjson': HEADER + line('a', 1), [LOG]: HEADER }, /cut short after 1/],
    ['a snapshot without its log', { 'snapshot-000002.ndjson': HEADER + sealed({ records: 0 }) }, /lacks its log.* 2/],
    ['a missing log', { [LOG]: HEADER, 'log-000003.ndjson': HEADER }, /lacks its log.* 2/],
    ['a missing first log', { 'log-000002.ndjson': HEADER }, /lacks its log.* 1/],
    ['a torn log before a full one', { [LOG]: `${HEADER}{"w`, 'log-000002.ndjson': HEADER + line('a', 1) }, /later changes/],
  ],
  )('%s', async (_, files, message) => {
    await expectRefused(await directoryWith(files), message)
  })

  test('a path that is a file', async () => {
    const dir = join(await directoryWith({ taken: 'text' }), 'taken')
    await expect(openDirectory({ dir })).rejects.toThrow(
      /Cannot use the data directory ".*taken": the path is a file/,
    )
    await expect(openDirectory({ dir: join(dir, 'below') })).rejects.toThrow('a part of the path is a file')
    expect(await readFile(dir, 'utf8')).toBe('text')
  })

  test('a path where this user may not write', async () => {
    // The superuser may write anywhere but in /proc.
    const dir = process.getuid?.() === 0 ? '/proc' : ownFolder()
    if (dir !== '/proc') await chmod(dir, 0o555)
    await expect(openDirectory({ dir })).rejects.toThrow(`Cannot use the data directory "${dir}"`)
    await expect(openDirectory({ dir })).rejects.toBeInstanceOf(DataDirectoryError)
  })
})

describe('one process for each directory', () => {
  test('the same process is refused while it has the directory open, and not afterwards', async () => {
    const { dir, database: first } = await openNew()
    await expect(openDirectory({ dir })).rejects.toThrow(`in use by process ${process.pid}`)
    await first.close()
    const second = await openForTest({ dir })
    await second.close()
    await second.close()
    expect(await readdir(dir)).toEqual([LOG])
  })

  test.each([
    ['of a dead process', '{"pid":999999999}\n'],
    ['written by half', '{"pid":'],
    ['empty', ''],
  ])('a lock %s is taken over', async (_, lock) => {
    const { dir, database } = await openNew({}, { lock })
    expect(await readFile(join(dir, 'lock'), 'utf8')).toContain(`"pid":${process.pid}`)
    await database.close()
    expect(await readdir(dir)).toEqual([LOG])
  })

  test.runIf(process.platform === 'linux')(
    'a lock of an earlier process with the same id is taken over',
    async () => {
      const lock = `{"pid":${process.pid},"born":"1"}\n`
      await expect(openNew({}, { lock })).resolves.toBeDefined()
    },
  )

  test.runIf(process.platform === 'linux')(
    'a lock of a killed process that its parent has not collected yet is taken over',
    async () => {
      // The shell is replaced by another program, which never collects the shell's child.
      const parent = spawn('sh', ['-c', 'sleep 60 & echo $!; exec sleep 60'], {
        stdio: ['pipe', 'pipe', 'ignore'],
      })
      try {
        const [chunk] = await once(parent.stdout, 'data')
        const pid = Number(String(chunk))
        const isSo = (test: () => boolean) => vi.waitUntil(test, { timeout: 20_000, interval: 10 })
        // Until then it is the shell, which does collect it.
        await isSo(() => readFileSync(`/proc/${parent.pid}/comm`, 'utf8') === 'sleep\n')
        process.kill(pid, 'SIGKILL')
        await isSo(() => / Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8')))
        await expect(openNew({}, { lock: `{"pid":${pid}}\n` })).resolves.toBeDefined()
      } finally {
        parent.kill('SIGKILL')
      }
    },
  )

  test('of two processes that find a stale lock at the same time, one gets the directory', async () => {
    const dir = await directoryWith({ lock: '{"pid":999999999}\n' })
    const results = await Promise.allSettled([openForTest({ dir }), openForTest({ dir })])
    expect(results.map(result => result.status).sort()).toEqual(['fulfilled', 'rejected'])
  })

  test('a refused directory is unlocked', async () => {
    const dir = await directoryWith({ [LOG]: 'hello\n' })
    await expectRefused(dir, /not a data file/)
    expect(await readdir(dir)).toEqual([LOG])
  })
})

describe('compaction', () => {
  test('runs during writes, keeps the order and ends in one snapshot and one log', async () => {
    const warn = vi.fn()
    const { dir, database: first } = await openNew({ compactBytes: 20_000, warn })
    for (let number = 0; number < 3000; number += 1) {
      put(first, 'w', 'tasks', `t${number % 500}`, { number, text: 'x'.repeat(100) })
      if (number % 3 === 0) remove(first, 'w', 'tasks', `t${(number * 7) % 500}`)
      if (number % 400 === 0) drop(first, `side ${number - 400}`)
      put(first, `side ${number - (number % 400)}`, 'tasks', String(number), number)
      if (number % 5 === 0) await first.commit()
    }
    await first.close()
    const second = await openForTest({ dir })
    expect(stateOf(second)).toBe(stateOf(first))
    const files = await readdir(dir)
    expect(files.filter(name => name.startsWith('snapshot-'))).toHaveLength(1)
    expect(Number(files.find(name => name.startsWith('snapshot-'))?.slice(9, 15))).toBeGreaterThan(1)
    expect(warn).not.toHaveBeenCalled()
  })

  test('keeps the order of records that were made again while the log was changed', async () => {
    const { dir, database } = await openNew({ compactBytes: 1 })
    put(database, 'w', 'tasks', 'anew', 1)
    const begins = database.commit()
    for (let tick = 0; tick < 5; tick += 1) await Promise.resolve() // Its write is running now.
    remove(database, 'w', 'tasks', 'anew')
    put(database, 'w', 'tasks', 'anew', 2)
    put(database, 'w', 'tasks', 'later', 2)
    await begins
    await database.commit()
    while (!existsSync(join(dir, 'snapshot-000002.ndjson'))) await setImmediate()
    const copy = ownFolder()
    copyAtOnce(dir, copy)
    expect(idsOf(await openForTest({ dir: copy }), 'w', 'tasks')).toEqual(['anew', 'later'])
  })

  test('shows no half of a group when the process ends just after the snapshot got its name', async () => {
    const { dir, database } = await openNew({ compactBytes: 1_000_000 })
    put(database, 'w', 'tasks', 'first', 0)
    for (let number = 0; number < 200; number += 1)
      put(database, 'w', 'tasks', String(number), 'x'.repeat(20_000))
    put(database, 'w', 'tasks', 'last', 0)
    await database.commit()
    for (let number = 0; !existsSync(join(dir, 'snapshot-000002.ndjson')); number += 1) {
      put(database, 'w', 'tasks', 'first', number)
      put(database, 'w', 'tasks', 'last', number)
      if (number === 0) await database.commit() // Begins the compaction; the changes after it are not even committed.
      await setImmediate()
    }
    const copy = ownFolder()
    copyAtOnce(dir, copy)
    const tasks = (await openForTest({ dir: copy })).data.worlds.get('w')?.tasks
    expect(tasks?.get('first')).toBeTypeOf('number')
    expect(tasks?.get('first')).toBe(tasks?.get('last'))
  })

  test('on a full disk keeps all data, reports the error and is tried again', async () => {
    const warnings: string[] = []
    const warn = (message: string) => warnings.push(message)
    const { dir, database: first } = await openNew({ compactBytes: 1000, warn })
    // A directory with the name of the next log has the same effect as a full disk.
    await mkdir(join(dir, 'log-000002.ndjson'))
    for (let number = 0; number < 100; number += 1) {
      put(first, 'w', 'tasks', String(number), number)
      await first.commit()
    }
    expect(warnings.length).toBeGreaterThan(1)
    expect(warnings[0]).toMatch(/Could not compact the data directory .*nothing is lost/)
    await first.close()
    const copy = ownFolder()
    await cp(join(dir, LOG), join(copy, LOG))
    expect(stateOf(await openForTest({ dir: copy }))).toBe(stateOf(first))
  })
})

describe('a full disk', () => {
  test('makes the commit fail, and a later commit writes the missing records', async () => {
    const disk = await controlledDisk()
    const { dir, database: first } = await openNew()
    put(first, 'w', 'tasks', 'before', 1)
    await first.commit()
    disk.refuse('writes')
    put(first, 'w', 'tasks', 'during', 1)
    const message = new RegExp(`Could not save to ".*${LOG}": no space is left on the disk`)
    await expect(first.commit()).rejects.toThrow(message)
    await expect(first.commit(), 'and goes on rejecting').rejects.toThrow(message)
    // The written half has been cut off.
    expect(await readFile(join(dir, LOG), 'utf8')).toBe(HEADER + line('before', 1))
    disk.refuse('nothing')
    put(first, 'w', 'tasks', 'after', 1)
    await first.commit()
    await first.close()
    expect(idsOf(await openForTest({ dir }), 'w', 'tasks')).toEqual(['before', 'during', 'after'])
  })

  test('may also prevent that the written half is cut off: the next write does it', async () => {
    const disk = await controlledDisk()
    const { dir, database: first } = await openNew()
    put(first, 'w', 'tasks', 'a', 'long'.repeat(100))
    disk.refuse('writes and cuts')
    await expect(first.commit()).rejects.toBeInstanceOf(DataDirectoryError)
    expect(await readFile(join(dir, LOG), 'utf8')).not.toBe(HEADER)
    disk.refuse('nothing')
    put(first, 'w', 'tasks', 'a', 1)
    await first.commit()
    expect(await readFile(join(dir, LOG), 'utf8')).toBe(HEADER + line('a', 1))
  })

  test('makes closing fail, and the directory is unlocked', async () => {
    const disk = await controlledDisk()
    const { dir, database: first } = await openNew()
    put(first, 'w', 'tasks', 'a', 1)
    disk.refuse('writes')
    await expect(first.close()).rejects.toThrow('no space is left')
    disk.refuse('nothing')
    expect(idsOf(await openForTest({ dir }), 'w', 'tasks')).toEqual([])
  })
})
