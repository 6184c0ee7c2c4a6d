import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { notReady } from '../../src/explore/system/ready.ts'
import { wallClock } from '../../src/explore/system/run-clock.ts'
import { ranInWorld } from '../support/explore-runs.ts'
import { findPython, pythonWith, unlessMissing } from '../support/python.ts'
import { startForTest } from '../support/start-for-test.ts'
import { writtenFiles } from '../support/written-files.ts'

const python = await findPython()
const { folder, written } = writtenFiles('unseen-libraries')
const emulator = await startForTest({})

/** Libraries that are asked as the real ones, and wait where nobody sees it. */
const standIns: Record<string, string> = {
  'uvloop/__init__.py': `
import asyncio, ctypes

class Loop(asyncio.SelectorEventLoop):
    def _run_once(self):
        ctypes.CDLL(None).usleep(10_000)
        if self._ready:
            super()._run_once()

def new_event_loop():
    return Loop()

def install():
    asyncio.set_event_loop_policy(EventLoopPolicy())

class EventLoopPolicy(asyncio.events.BaseDefaultEventLoopPolicy):
    def _loop_factory(self):
        return new_event_loop()
`,
  'gevent/__init__.py': `
def sleep(seconds):
    from gevent.hub import Hub
    Hub().wait(seconds)
`,
  'gevent/hub.py': `
import ctypes
class Hub:
    def wait(self, seconds):
        ctypes.CDLL(None).usleep(int(seconds * 1_000_000))
`,
  'eventlet/__init__.py': `
def sleep(seconds):
    from eventlet.hubs.hub import BaseHub
    BaseHub().wait(seconds)
`,
  'eventlet/hubs/__init__.py': '',
  'eventlet/hubs/hub.py': `
import ctypes
class BaseHub:
    def wait(self, seconds):
        ctypes.CDLL(None).usleep(int(seconds * 1_000_000))
`,
}
for (const [name, text] of Object.entries(standIns)) {
  mkdirSync(dirname(join(folder, name)), { recursive: true })
  writeFileSync(join(folder, name), text)
}
const uses = (library: string) => `import sys
sys.path.insert(0, ${JSON.stringify(library)})
`

/** What the programs begin with: a first call, and clocks. */
const begin = `
import os, time, urllib.request
def call():
    headers = {'Authorization': 'Bearer ' + os.environ['GATEWAY_EMULATOR_KEY']}
    urllib.request.urlopen(urllib.request.Request(os.environ['GATEWAY_EMULATOR_URL'] + '/api/v3/contents/generations/tasks', headers=headers)).read()
call()
began = time.monotonic(), time.time()
def passed():
    return [round(now - then, 1) for now, then in zip((time.monotonic(), time.time()), began)]
`

const withUvloop = await pythonWith('uvloop')
const withGevent = await pythonWith('gevent')
const withEventlet = await pythonWith('eventlet')

describe.each([
  ['a stand-in for uvloop', python, folder],
  [`uvloop${unlessMissing('uvloop', withUvloop)}`, withUvloop, ''],
])('a program with %s', (_, program, path) => {
  it.each([
    ['uvloop.install', 'uvloop.install(); asyncio.run(main())'],
    ['its policy', 'asyncio.set_event_loop_policy(uvloop.EventLoopPolicy()); asyncio.run(main())'],
    ['a loop of its own', 'uvloop.new_event_loop().run_until_complete(main())'],
  ])(
    'by %s waits in the time of the run, starts children, and the clock says what is in its place',
    async (_, run) => {
      if (program === undefined) return
      const source = `${path && uses(path)}${begin}
import asyncio, uvloop
async def main():
    await asyncio.sleep(3600)
    if '${run}'.startswith('uvloop.new'):
        return print(passed())
    child = await asyncio.create_subprocess_exec(sys.executable, '-c', 'import time; time.sleep(60); print(7)', stdout=-1)
    print(passed(), (await child.communicate())[0], passed())
import sys
${run}`
      const { output, unseen_libraries } = await ranInWorld(
        emulator,
        program,
        written('uses-uvloop.py', source),
      )
      const hour = expect.stringMatching(/^\[3600\.\d, 3600\.\d\]/)
      expect(output.trim()).toEqual(hour)
      if (!run.startsWith('uvloop.new')) expect(output).toMatch(/b'7\\n' \[3660\.\d, 3660\.\d\]/)
      expect(unseen_libraries).toEqual([{ name: 'uvloop', is_replaced: true }])
    },
  )
})

describe.each([
  ['a stand-in for gevent', python, folder, 'gevent'],
  [`gevent${unlessMissing('gevent', withGevent)}`, withGevent, '', 'gevent'],
  ['a stand-in for eventlet', python, folder, 'eventlet'],
  [`eventlet${unlessMissing('eventlet', withEventlet)}`, withEventlet, '', 'eventlet'],
])('a program with %s', (_, program, path, library) => {
  const source = `${path && uses(path)}${begin}
import ${library}, subprocess, sys, threading
time.sleep(60)
${library}.sleep(0.3)
before = passed()
time.sleep(0.2)
threading.Event().wait(0.2)
subprocess.run([sys.executable, '-c', ''], timeout=600)
print(before, passed())`

  it('sees its clocks go on by what it waits, and the clock names the library', async () => {
    if (program === undefined) return
    const { output, unseen_libraries } = await ranInWorld(
      emulator,
      program,
      written(`uses-${library}.py`, source),
    )
    const [before = 0, after = 0] = [...output.matchAll(/\[(\d+\.\d), /g)].map(([, one]) => Number(one))
    expect([before >= 60.3, after - before >= 0.4], output).toEqual([true, true])
    expect(unseen_libraries).toEqual([{ name: library, is_replaced: false }])
  })

  it('that only imports it is tied', async () => {
    if (program === undefined) return
    const only = `${path && uses(path)}${begin}\nimport ${library}\ntime.sleep(3600)\nprint(passed())`
    const { output, unseen_libraries } = await ranInWorld(
      emulator,
      program,
      written(`imports-${library}.py`, only),
    )
    expect(output).toMatch(/^\[3600\.\d, 3600\.\d\]/)
    expect(unseen_libraries).toBeUndefined()
  })

  it('does not miss what others do meanwhile: time goes as fast as wall time as long as it lives', async () => {
    if (program === undefined) return
    const child = written('child.py', `${path && uses(path)}import ${library}\n${library}.sleep(0.5)`)
    const parent = `${begin}
import subprocess, sys
try:
    subprocess.run([sys.executable, '${child}'], timeout=600)
    print('ended after less than a minute' if passed()[0] < 60 else passed())
except subprocess.TimeoutExpired:
    print('too late')`
    const { output, wall_pace } = await ranInWorld(emulator, program, written('parent.py', parent))
    expect(output.trim()).toBe('ended after less than a minute')
    expect(wall_pace?.programs).toEqual([expect.stringContaining('python')])
  })

  it('is explored in real time, and the report says why', async () => {
    if (program === undefined) return
    const lists = `${path && uses(path)}import ${library}\n${library}.sleep(0.01)\n${begin}`
    const command: [string, string] = [program, written('lists.py', lists)]
    const { time } = await emulator.explore({ command }, { only: ['a.list#1 unavailable'] })
    expect(time.used).toBe('real')
    expect(time.why?.split(';')[0]).toBe(
      `the program waits in ${library}, and a process that does so cannot be tied to the clock of its world`,
    )
  })
})

it('nobody waits for a service any longer that holds the time of the run, and was given up', async () => {
  let looks = 0
  const why = await notReady({
    ready: { kind: 'line', text: 'ready' },
    of: 'web',
    values: {},
    clock: { ...wallClock(), sleep: () => new Promise(() => {}) },
    output: () => '',
    whyOver: () => (++looks < 3 ? undefined : 'was not awaited: interrupted'),
  })
  expect(why).toBe('was not awaited: interrupted')
})
