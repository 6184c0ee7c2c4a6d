import { spawn } from 'node:child_process'
import { mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startInputServer } from '../support/input-server.ts'
import { heard, run } from '../support/run.ts'
import { writtenFiles } from '../support/written-files.ts'

const main = fileURLToPath(new URL('../../dist/main.js', import.meta.url))
const { folder, written } = writtenFiles('explore-interrupted')

/** Collects the ids of the program's processes: the program sends them. */
async function startEar(): Promise<{ url: string; heard: Promise<number[]> }> {
  let tell = (_: number[]) => {}
  const heard = new Promise<number[]>(resolve => {
    tell = resolve
  })
  const { origin, close } = await startInputServer((request, response) => {
    response.end()
    tell((request.url ?? '').split('/').filter(Boolean).map(Number))
  })
  onTestFinished(close)
  return { url: origin, heard }
}

/** Asks for the list of tasks, and makes one when it hangs in the undisturbed run. When the case is `hangsAt`, it starts a child and a child with a session of its own, says so, and waits for ever. */
function program(hangsAt: string, ear: string): string {
  return written(
    'program.mjs',
    `import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
writeFileSync(process.env.GATEWAY_EMULATOR_STATE + '/records', 'changed')
const { GATEWAY_EMULATOR_URL: url, GATEWAY_EMULATOR_KEY: key, GATEWAY_EMULATOR_CASE: name } = process.env
const reply = await fetch(url + '/api/v3/contents/generations/tasks', { headers: { Authorization: 'Bearer ' + key } })
if (name === 'undisturbed' && ${hangsAt === 'undisturbed'}) {
  const body = JSON.stringify({ model: 'model_a_25', content: [{ type: 'text', text: 'x' }], duration: 4, ratio: '16:9' })
  const headers = { Authorization: 'Bearer ' + key, 'Content-Type': 'application/json' }
  await fetch(url + '/api/v3/contents/generations/tasks', { method: 'POST', headers, body })
}
if (name === ${JSON.stringify(hangsAt)}) {
  const wait = ['-e', 'setInterval(() => {}, 1000)']
  const child = spawn(process.execPath, wait)
  const daemon = spawn(process.execPath, wait, { detached: true, stdio: 'ignore' })
  await fetch(${JSON.stringify(ear)} + '/' + process.pid + '/' + child.pid + '/' + daemon.pid)
  await new Promise(resolve => setInterval(() => {}, 1000))
}
if (!reply.ok) { console.error('refused with', reply.status); process.exit(1) }
`,
  )
}

function explore(...args: string[]) {
  const child = spawn(process.execPath, [main, 'explore', ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  const ended = heard(child).ended.then(({ code, stdout, stderr }) => ({ code, said: stdout + stderr }))
  return { child, ended }
}

/** The state of processes that still run, from the system; a process that has ended and was not collected is a zombie. */
async function stillRunning(ids: readonly number[]): Promise<string[]> {
  const states = await Promise.all(ids.map(id => run('ps', ['-o', 'stat=', '-p', String(id)])))
  return states.map(({ stdout }) => stdout.trim()).filter(state => state !== '' && !state.startsWith('Z'))
}

describe('Ctrl-C (docs/explore.md, "Choosing cases")', () => {
  it('ends the children and their children, prints what is known and what was left out, and exits with 130', async () => {
    const { url, heard } = await startEar()
    const only = ['--only', 'unauthenticated', '--only', 'unavailable', '--only', 'internal']
    // The cases are played in the order of the catalogue, one at a time: unavailable, internal, unauthenticated.
    const command = ['node', program('a.list#1 internal', url)]
    const { child, ended } = explore('--jobs', '1', ...only, '--', ...command)
    const processes = await heard
    child.kill('SIGINT')
    const { code, said } = await ended
    expect([code, processes.length], said).toEqual([130, 3])
    expect(said).toContain('interrupted: a.list#1 internal, a.list#1 unauthenticated')
    expect(said).toMatch(/a\.list#1 +·/)
    expect(await stillRunning(processes)).toEqual([])
  }, 60_000)

  it.each(['SIGINT', 'SIGKILL'] as const)(
    'with --state, %s: what the user had is put back at once, or by --put-back',
    async signal => {
      const { url, heard } = await startEar()
      const state = join(folder, signal)
      mkdirSync(state)
      const records = join(state, 'records')
      writeFileSync(records, 'mine')
      const only = ['--state', state, '--only', 'a.list#1 internal']
      const { child, ended } = explore(...only, '--', 'node', program('a.list#1 internal', url))
      const processes = await heard
      expect(readFileSync(records, 'utf8')).toBe('changed')
      child.kill(signal)
      const { said } = await ended
      if (signal === 'SIGKILL') {
        // Some have ended by themselves: nobody reads their output any more.
        await run('kill', ['-KILL', ...processes.map(String)])
        expect(readFileSync(records, 'utf8')).toBe('changed')
        const { ended: put } = explore('--state', state, '--put-back')
        expect(await put).toEqual({ code: 0, said: `${realpathSync(state)} is as it was before explore\n` })
      }
      expect(readFileSync(records, 'utf8'), said).toBe('mine')
    },
    60_000,
  )

  it('during the undisturbed run prints one line that says so, and exits with 130', async () => {
    const { url, heard } = await startEar()
    const { child, ended } = explore('--', 'node', program('undisturbed', url))
    const processes = await heard
    child.kill('SIGINT')
    const { code, said } = await ended
    expect(code).toBe(130)
    expect(said).toBe('gateway-emulator: interrupted before the undisturbed run had ended\n')
    expect(await stillRunning(processes)).toEqual([])
  }, 60_000)

  it('during the undisturbed run says for whom the time of the run went as fast as wall time', async () => {
    const { url, heard } = await startEar()
    const path = written(
      'held-up.mjs',
      `import { spawn } from 'node:child_process'
const { GATEWAY_EMULATOR_URL: url, GATEWAY_EMULATOR_KEY: key } = process.env
await fetch(url + '/api/v3/contents/generations/tasks', { headers: { Authorization: 'Bearer ' + key } })
const child = spawn('sleep', ['600'])
await new Promise(resolve => setInterval(resolve, 2500))
await fetch(${JSON.stringify(url)} + '/' + process.pid + '/' + child.pid)
`,
    )
    const { child, ended } = explore('--', 'node', path)
    const processes = await heard
    child.kill('SIGINT')
    const { code, said } = await ended
    expect(code).toBe(130)
    expect(said).toMatch(
      /^gateway-emulator: interrupted before the undisturbed run had ended; time went as fast as wall time for \d+\.\d s, for sleep, which did not follow the clock\n$/,
    )
    expect(await stillRunning(processes)).toEqual([])
  })
})
