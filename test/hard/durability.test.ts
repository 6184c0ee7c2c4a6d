import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { startServer } from '../../build/bench/child.ts'
import { DurableLife } from '../../build/torture/durable-life.ts'
import { tasksPath, textBody } from '../support/family-a.ts'
import { fetchJson } from '../support/fetch-json.ts'
import { ownFolder } from '../support/folders.ts'
import { run } from '../support/run.ts'
import { seeded } from '../support/seeded.ts'

it('kill -9 under mixed load loses no acknowledged change, and uses each id once', {
  timeout: 120_000,
}, async () => {
  const life = new DurableLife(ownFolder('hard-durability'), 8)
  const random = seeded(80)
  for (let round = 0; round < 5; round++) await life.round(random.integer(20, 400))
  await life.finalCheck()
  expect(life.losses).toEqual([])
  expect(life.acknowledged).toBeGreaterThan(300)
})

describe('a server with an unusable data directory ends with exit code 1 and a message that says what to do', () => {
  /** Starts the command line and gives how it ended; `before` runs in the shell ahead of it. */
  const start = (dir: string, before = '') => {
    const line = `${before} exec "${process.execPath}" dist/main.js --port 0 --log json --data "$DATA_DIR"`
    return run('/bin/sh', ['-c', line], { env: { ...process.env, DATA_DIR: dir } })
  }

  // Root may write in every directory. For root, a directory in which no user can write takes the place of one in which this user
  // cannot.
  it('when it is read-only', async () => {
    const dir = process.getuid?.() === 0 ? '/sys/generation-gateway' : ownFolder('hard-durability')
    if (process.getuid?.() !== 0) chmodSync(dir, 0o500)
    const { code, stderr } = await start(dir)
    expect([code, stderr]).toEqual([1, expect.stringMatching(/Cannot use the data directory .*: .+/)])
    expect(stderr).not.toMatch(/^\s+at /m)
  })

  it('when the disk is full', async () => {
    // Files may have no bytes: as on a full disk, files can be made but not written.
    const { code, stderr } = await start(ownFolder('hard-durability'), "trap '' XFSZ; ulimit -f 0;")
    expect(code).toBe(1)
    expect(stderr).toMatch(/Cannot use the data directory|the file may not grow|no space/)
  })
})

it('a disk that fills up under load is a 500 in the family’s shape, and acknowledged changes are kept', {
  timeout: 60_000,
}, async () => {
  const dir = ownFolder('hard-durability')
  // 512-byte blocks: the log ends after some 60 kB.
  const shell = `trap '' XFSZ; ulimit -f 120; exec "${process.execPath}" dist/main.js --port 0 --log json --data "$DATA_DIR" 2>/dev/null`
  const child = spawn('/bin/sh', ['-c', shell], { env: { ...process.env, DATA_DIR: dir } })
  let said = ''
  child.stdout.on('data', chunk => {
    said += chunk
  })
  await expect.poll(() => said).toContain('"ready"')
  const { url } = JSON.parse(said.slice(said.indexOf('{"event":"ready"')).split('\n')[0] ?? '') as {
    url: string
  }
  const kept: string[] = []
  let refused: { error?: { code?: string; message?: string } } = {}
  for (let i = 0; i < 400 && !refused.error; i++) {
    const { status, body } = await fetchJson(url + tasksPath, 'POST', textBody(), 'sk-emulator')
    if (status === 200) kept.push(body.id)
    else {
      expect(status).toBe(500)
      refused = body
    }
  }
  expect(refused.error?.code).toBe('InternalServiceError')
  expect(refused.error?.message).toContain('could not be written to the data directory')
  expect((await fetch(`${url}/__emulator/health`)).status).toBe(200)
  const over = once(child, 'close')
  child.kill('SIGKILL')
  await over
  const after = await startServer('emulator', ['dist/main.js', '--port', '0', '--log', 'json', '--data', dir])
  const { state } = (await fetchJson(`${after.url}/__emulator/state`, 'GET', undefined, null)).body
  await after.stop()
  expect(kept.length).toBeGreaterThan(10)
  expect(state.tasks.map(([id]: [string]) => id)).toEqual(expect.arrayContaining(kept))
})
