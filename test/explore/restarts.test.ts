import {
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { playedText } from '../../src/explore/report/report.ts'
import { runCommand } from '../support/emulator-process.ts'
import { ownFolder } from '../support/folders.ts'
import { isAlive } from '../support/left-processes.ts'
import { startForTest } from '../support/start-for-test.ts'

const emulator = await startForTest({ now: '2026-01-01T00:00:00Z' })

const node = process.execPath
const client = new URL('../../docs/examples/explore/resuming-client.mjs', import.meta.url).pathname
const forgetful = new URL('../../docs/examples/explore/plain-client.mjs', import.meta.url).pathname
const folder = ownFolder('restarts')

describe('a program that is killed and started again (docs/explore.md, "Restarts")', () => {
  it('the resuming client resumes at each point of its create and in the middle of its file', async () => {
    const only = ['a.create killed_*', 'media.download killed_during']
    const { restarts, problems, cases } = await emulator.explore({ command: [node, client] }, { only })
    expect(restarts.map(({ point, verdict }) => [point.operation, point.moment, verdict])).toEqual([
      ['a.create', 'before', 'resumed'],
      ['a.create', 'after', 'resumed'],
      ['media.download', 'during', 'resumed'],
    ])
    expect([problems, cases]).toEqual([[], []])
    const after = restarts[1]
    expect(after?.lives.map(({ exit }) => exit)).toEqual(['SIGKILL', 0])
    expect(after?.lives[0].calls.at(-1)).toMatchObject({ operation: 'a.create', nth: 1, status: 200 })
    expect(after?.lives[1].calls.filter(({ operation }) => operation === 'a.create')).toEqual([])
  })

  it('the resuming client of family K finds its task by the external id', async () => {
    const python = client.replace('resuming-client.mjs', 'resuming_client.py')
    const only = ['k.create killed_after']
    const { restarts } = await emulator.explore({ command: ['python3', python] }, { only })
    expect(restarts.map(({ verdict, bill }) => [verdict, bill.verdict])).toEqual([['resumed', 'same']])
  })

  it('a client without memory pays again, for one cause, and knows problems by their names', async () => {
    const only = ['a.create killed_after', 'a.get#1 killed_before']
    const report = await emulator.explore({ command: [node, forgetful] }, { only, jobs: 2 })
    expect(report.restarts.map(({ verdict }) => verdict)).toEqual(['paid_again', 'paid_again'])
    expect(report.causes).toMatchObject([{ verdict: 'paid_again', cases: { length: 2 } }])
    expect(report.causes[0]?.title).toMatch(/^remembers nothing/)
    const reason = 'rarely restarted'
    const known = { operation: 'a.*', id: 'killed_*', verdict: 'paid_again', reason } as const
    expect(report.accept([known]).problems).toEqual([])
  })

  it('a program that ends before the point although nothing has failed is not_reached, and not played', async () => {
    const program = `
      const { GATEWAY_EMULATOR_URL: url, GATEWAY_EMULATOR_KEY: key, GATEWAY_EMULATOR_CASE: name } = process.env
      if (/killed/.test(name)) throw new Error('no licence')
      fetch(url + '/api/v3/contents/generations/tasks', { headers: { Authorization: 'Bearer ' + key } })
    `
    const command = [node, '-e', program] as const
    const report = await emulator.explore({ command }, { only: ['a.list killed_before'] })
    expect(report.restarts).toMatchObject([
      { verdict: 'not_reached', level: 'warning', lives: [{ exit: 1 }, { exit: 1 }] },
    ])
    expect(report.restarts[0]?.evidence).toMatch(/^did not make the call a\.list#1, .*: Error: no licence$/)
    expect(playedText(report)).toBe('0 of 1 restart')
  })

  it.runIf(process.platform === 'linux')(
    'a process in a session of its own, without the variables of the run, dies with the program',
    async () => {
      const pidFile = join(folder, 'pid')
      const program = `
        const { GATEWAY_EMULATOR_URL: url, GATEWAY_EMULATOR_KEY: key, GATEWAY_EMULATOR_STATE: state, GATEWAY_EMULATOR_CASE: name } = process.env
        const fs = require('fs')
        const again = fs.existsSync(state + '/x')
        fs.writeFileSync(state + '/x', '')
        if (/killed/.test(name) && !again) {
          const child = require('child_process').spawn('sleep', ['60'], { detached: true, stdio: 'ignore', env: {} })
          fs.writeFileSync(${JSON.stringify(pidFile)}, String(child.pid))
        }
        const headers = { Authorization: 'Bearer ' + key }
        fetch(url + '/api/v3/contents/generations/tasks', { headers }).then(() => process.exit(again ? 3 : 0))`
      const only = ['a.list killed_before']
      const { restarts } = await emulator.explore({ command: [node, '-e', program] }, { only, clock: 'auto' })
      expect(restarts[0]?.lives.map(({ exit }) => exit)).toEqual(['SIGKILL', 3])
      expect(isAlive(Number(readFileSync(pidFile, 'utf8')))).toBe(false)
    },
  )

  it('names the state folder in the same way in each report, so that one message is one cause', async () => {
    const program = `
      const { GATEWAY_EMULATOR_URL: url, GATEWAY_EMULATOR_KEY: key, GATEWAY_EMULATOR_STATE: state } = process.env
      const lock = state + '/lock'
      if (require('fs').existsSync(lock)) { console.error('already running: ' + lock); process.exit(3) }
      require('fs').writeFileSync(lock, '')
      const headers = { Authorization: 'Bearer ' + key }
      fetch(url + '/api/v3/contents/generations/tasks', { headers }).then(() => require('fs').rmSync(lock))`
    const command = [node, '-e', program] as const
    const { causes, restarts } = await emulator.explore({ command }, { restarts: true, clock: 'auto' })
    expect(causes).toMatchObject([{ title: 'already running: {state}/lock', cases: { length: 2 } }])
    expect(restarts.map(({ log }) => log)).toEqual(Array(2).fill('already running: {state}/lock'))
  })

  it('says that a program remembers something outside of its state folder', async () => {
    const kept = join(folder, 'kept')
    const program = (work: string) => `
      const { GATEWAY_EMULATOR_URL: url, GATEWAY_EMULATOR_KEY: key } = process.env
      const fs = require('fs')
      const call = (path, init) => fetch(url + path, { ...init, headers: { Authorization: 'Bearer ' + key, 'Content-Type': 'application/json' } }).then(r => r.text())
      const isDone = fs.existsSync('${kept}')
      fs.writeFileSync('${kept}', '')
      ${work}`
    const explored = (work: string) =>
      emulator.explore(
        { command: [node, '-e', program(work)] },
        { only: ['a.list internal'], clock: 'auto', withoutResult: true },
      )
    await expect(explored("isDone || call('/api/v3/contents/generations/tasks')")).rejects.toThrow(
      /made calls only the first time: the program remembers outside of its state folder/,
    )
    rmSync(kept)
    const create = JSON.stringify({ model: 'model_a_25', content: [{ type: 'text', text: 'a cat' }] })
    const { differs } = await explored(
      `call('/api/v3/contents/generations/tasks').then(() => isDone || call('/api/v3/contents/generations/tasks', { method: 'POST', body: '${create}' }))`,
    )
    expect(differs).toMatch(
      /^the first undisturbed run made more calls than the later ones: a.create 1 and 0 times; .* outside of its state folder, or /,
    )
  })

  it('a function is refused: it cannot be killed', async () => {
    await expect(emulator.explore(() => undefined, { restarts: true })).rejects.toThrow(
      /^restarts: a function/,
    )
  })
})

describe('the folder of --state', () => {
  const state = join(folder, 'state')
  mkdirSync(state)
  writeFileSync(join(state, 'mine.txt'), 'mine')
  utimesSync(join(state, 'mine.txt'), 1_600_000_000, 1_600_000_000)
  const home = join(folder, 'home')
  mkdirSync(home)
  const explore = (...args: string[]) => runCommand(['explore', '--state', ...args], { HOME: home }, folder)

  it('is as it was before, and the program had it', async () => {
    const looks = `const f = require('fs'); if (!f.existsSync('state/mine.txt')) process.exit(9); f.rmSync('state/mine.txt'); f.writeFileSync('state/new', '');
      fetch(process.env.GATEWAY_EMULATOR_URL + '/api/v3/contents/generations/tasks', { headers: { Authorization: 'Bearer ' + process.env.GATEWAY_EMULATOR_KEY } }).then(r => r.text())`
    const options = ['--time', 'real', '--only', 'a.list internal']
    const { code, stderr } = await explore(state, ...options, '--', node, '-e', looks)
    expect([code, stderr]).toEqual([0, ''])
    expect(readFileSync(join(state, 'mine.txt'), 'utf8')).toBe('mine')
    expect(statSync(join(state, 'mine.txt')).mtimeMs).toBe(1_600_000_000_000)
    expect(existsSync(join(state, 'new'))).toBe(false)
    expect(existsSync(join(folder, '.state.before-explore'))).toBe(false)
  })

  it('is put back by --put-back after an exploration that was killed, which the next one says', async () => {
    const copy = join(folder, '.state.before-explore')
    mkdirSync(join(copy, 'content'), { recursive: true })
    writeFileSync(join(copy, 'content', 'before.txt'), 'before')
    // No process has this number.
    const marker = { folder: state, pid: 2 ** 30, made_at: '2026-01-01T00:00:00.000Z' }
    writeFileSync(join(copy, 'gateway-emulator-explore.json'), JSON.stringify(marker))
    const refused = await explore(state, '--', node, '-e', '0')
    expect(refused.code).toBe(2)
    expect(refused.stderr).toContain(`What it held before is in ${join(copy, 'content')}`)
    expect((await explore(state, '--put-back')).code).toBe(0)
    expect(readFileSync(join(state, 'before.txt'), 'utf8')).toBe('before')
    expect(existsSync(join(state, 'mine.txt'))).toBe(false)
    expect(existsSync(copy)).toBe(false)
  })

  it('refuses a folder above 1 GB', async () => {
    const large = join(folder, 'large')
    mkdirSync(large)
    writeFileSync(join(large, 'disk.img'), '')
    // It takes no room on the disk.
    truncateSync(join(large, 'disk.img'), 1024 ** 3 + 1)
    const { code, stderr } = await explore(large, '--', node, '-e', '0')
    expect([code, stderr]).toEqual([2, expect.stringContaining('it holds more than 1 GB')])
    expect(existsSync(join(folder, '.large.before-explore'))).toBe(false)
  })

  it.each([
    ['/', 'whole disk'],
    ['.', 'working directory'],
    ['..', 'working directory'],
    [home, 'home'],
    [join(folder, 'state', 'before.txt'), 'is a file'],
  ])('refuses %s', async (given, why) => {
    const { code, stderr } = await explore(given, '--', node, '-e', '0')
    expect([code, stderr]).toEqual([2, expect.stringContaining(why)])
  })
})
