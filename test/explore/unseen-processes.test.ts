import { readFileSync } from 'node:fs'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { idleRun, modelWall } from '../../build/torture/run-model.ts'
import { Conductor } from '../../src/emulator/conductor/conductor.ts'
import { freeProcesses, system } from '../../src/emulator/conductor/free-processes.ts'
import { graceMs, restMs } from '../../src/emulator/conductor/limits.ts'
import type { Member } from '../../src/emulator/conductor/member.ts'
import { realTime } from '../../src/emulator/worlds/clock.ts'
import { ranInWorld } from '../support/explore-runs.ts'
import { findPython } from '../support/python.ts'
import { startForTest } from '../support/start-for-test.ts'
import { writtenFiles } from '../support/written-files.ts'

const python = await findPython()
const { written: fileOf } = writtenFiles('unseen-')
const emulator = await startForTest({})
const { showsProcesses } = system
beforeAll(() => {
  system.showsProcesses = false
})
afterAll(() => {
  system.showsProcesses = showsProcesses
})

const node = `
import { execSync, spawn } from 'node:child_process'
import { once } from 'node:events'
const { GATEWAY_EMULATOR_URL: url, GATEWAY_EMULATOR_KEY: key } = process.env
const list = async () => (await fetch(url + '/api/v3/contents/generations/tasks', { headers: { Authorization: 'Bearer ' + key } })).text()
const sleep = ms => new Promise(done => setTimeout(done, ms))
await list()
const began = Date.now()
const seconds = () => Math.round((Date.now() - began) / 1000)
const child = (...command) => spawn(command[0], command.slice(1), { stdio: ['pipe', 'pipe', 'inherit'] })
`
const pythonParent = `
import os, select, socket, subprocess, sys, time, urllib.request
request = urllib.request.Request(os.environ['GATEWAY_EMULATOR_URL'] + '/api/v3/contents/generations/tasks')
request.add_header('Authorization', 'Bearer ' + os.environ['GATEWAY_EMULATOR_KEY'])
urllib.request.urlopen(request).read()
began = time.time()
`
const echo = fileOf('echo.mjs', `process.stdin.on('data', data => process.stdout.write(data))`)
const napper = fileOf('napper.mjs', 'setTimeout(() => {}, 20_000)')
const pool = fileOf(
  'pool.py',
  `
import multiprocessing, time
def work(given):
    time.sleep(30)
    return given
if __name__ == '__main__':
    began = time.time()
    with multiprocessing.get_context('spawn').Pool(2) as pool:
        print(pool.map(work, [1, 2]), round(time.time() - began))`,
)

async function ran(program: string, file: string) {
  const { output, errors } = await ranInWorld(emulator, program, file)
  return `${output}${errors}`.trim()
}

/** However long a busy machine takes to start a child. */
function standStill(what: string): void {
  if (what.startsWith('the start of')) vi.spyOn(realTime, 'elapsedMs').mockReturnValue(0)
}
afterEach(() => void vi.restoreAllMocks())

describe('where the system does not show processes (docs/explore.md, "Time")', () => {
  it.each([
    [
      'the start of a tied child takes no time',
      `const one = child('node', '${echo}')
one.stdin.write('x')
const told = once(one.stdout, 'data').then(() => 'told')
console.log(await Promise.race([told, sleep(60_000)]), seconds())
process.exit()`,
      'told 0',
    ],
    [
      'a tied child that is waited for in place takes its time',
      `execSync('node ${napper}'); console.log(seconds())`,
      '20',
    ],
    [
      'a child that is not tied and is waited for in place is no sign that nobody will ever go on',
      `execSync('sleep 1.5'); console.log('ended')`,
      'ended',
    ],
    [
      'a program whose children have ended is found to wait for ever',
      `execSync('true')
await once(child('true'), 'exit')
process.stdin.resume()
const one = child('node', '${echo}')
await once(one.stdout, 'data')`,
      expect.stringContaining('nobody waits for any moment: process'),
    ],
  ])('Node: %s', async (what, source, expected) => {
    standStill(what)
    expect(await ran('node', fileOf('parent.mjs', `${node}\n${source}`))).toEqual(expected)
  })

  it.each([
    [
      'the start of a tied child takes no time',
      `one = subprocess.Popen([sys.executable, '-c', 'print(1, flush=True); import time; time.sleep(99)'], stdout=subprocess.PIPE)
print(bool(select.select([one.stdout], [], [], 60)[0]), round(time.time() - began))
one.kill()`,
      'True 0',
    ],
    [
      'a program whose children have ended is found to wait for ever',
      `os.system('true'); subprocess.run(['true']); one, other = socket.socketpair(); one.recv(1)`,
      expect.stringContaining('nobody waits for any moment: process'),
    ],
  ])('Python: %s', async (what, source, expected) => {
    standStill(what)
    expect(await ran(python, fileOf('parent.py', `${pythonParent}\n${source}`))).toEqual(expected)
  })

  it('Python: processes of a pool that do not begin as a fork take their time', async () => {
    expect(await ran(python, pool)).toBe('[1, 2] 30')
  })
})

const hello = { pid: 1, start: '-', takes: false, waits: false, isExplored: true }

/** What a process hears that waits for moments, and has a child that is free. `isWoken`: that child wakes it at its second look. */
function heardBy(moments: readonly number[], isWoken: boolean): string {
  const wall = modelWall()
  const heard: string[] = []
  const left = [...moments]
  const conductor = new Conductor(idleRun(wall, { free: freeProcesses('none', wall) }))
  const wait = () => conductor.hear(member, `wait - ${left[0]} - 1 0`)
  const hear = (word: string, rest: string) => {
    heard.push(`${word} after ${wall.nowMs() - restMs}`)
    if (word === 'now') {
      left.shift()
      if (left.length > 0) wait()
    } else if (isWoken && heard.length === 2) {
      conductor.hear(member, 'awake')
      wait()
    } else {
      conductor.hear(member, `still ${rest}`)
    }
  }
  const member: Member = conductor.join(hello, line => {
    const [word = '', rest = ''] = line.split(' ')
    if (word !== 'at' && !(word === 'now' && rest === '0')) wall.after(0, () => hear(word, rest))
  })
  conductor.hear(member, 'birth')
  wall.after(restMs, wait)
  wall.run(() => left.length === 0)
  return heard.join(', ')
}

describe('a child that is not tied, where the system does not show it', () => {
  it('may go on within a grace after each step, and holds none up any longer', () => {
    const [once, twice] = [graceMs, 2 * graceMs]
    expect(heardBy([1000, 2000], false)).toBe(
      `look after 0, look after ${once}, now after ${once}, look after ${once}, look after ${twice}, now after ${twice}`,
    )
  })

  it('has a whole grace again after it has woken another one', () => {
    const [once, twice] = [graceMs, 2 * graceMs]
    expect(heardBy([1000], true)).toBe(
      `look after 0, look after ${once}, look after ${once}, look after ${twice}, now after ${twice}`,
    )
  })

  it('is coming for a while, unless its parent has no child any more', () => {
    const wall = modelWall()
    const free = freeProcesses('none', wall)
    const seen = (quietMs: number) => {
      const grace = free.graceMs({ before: free.look([]), blocked: [], quietMs })
      return { busyMs: free.busyMs(free.look([])), grace, count: free.count('all') }
    }
    free.expect(hello)
    seen(0)
    let times = 0
    const look = (quietMs: number, expected: ReturnType<typeof seen>) => () => {
      times++
      expect(seen(quietMs)).toEqual(expected)
    }
    wall.after(restMs - 1, look(5, { busyMs: 5, grace: graceMs - 5, count: 0 }))
    wall.after(restMs, look(0, { busyMs: 0, grace: graceMs, count: 1 }))
    wall.run(() => false)
    free.childless({ ...hello })
    look(0, { busyMs: 0, grace: graceMs, count: 1 })()
    free.childless(hello)
    look(0, { busyMs: 0, grace: 0, count: 0 })()
    expect(times).toBe(4)
  })

  it('has the time that the documents name', () => {
    const docs = readFileSync(new URL('../../docs/explore.md', import.meta.url), 'utf8')
    expect(docs).toContain(`nobody has done anything for ${graceMs} ms`)
    expect(docs).toContain(`or ${restMs / 1000} s of wall time have passed`)
  })
})
