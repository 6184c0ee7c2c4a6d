import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, it, vi } from 'vitest'
import { Conductor } from '../../src/emulator/conductor/conductor.ts'
import { ranInWorld } from '../support/explore-runs.ts'
import { findPython } from '../support/python.ts'
import { startForTest } from '../support/start-for-test.ts'
import { writtenFiles } from '../support/written-files.ts'

const { folder, written } = writtenFiles('one-clock-kills')
const emulator = await startForTest({})
const { join: take, hear } = Conductor.prototype
/** The processes that are to be killed, each at a message that the first one, which lives, has met: `wait 3` is the third `wait`. */
const victims: { pid: number; killedAt: string | undefined; met: string[] }[] = []
const last = join(folder, 'last')
const comes = (pid: number) => {
  const killedAt = victims[0]?.met[victims.length - 1]
  victims.push({ pid, killedAt, met: [] })
  if (victims.length > 1 && victims.length > (victims[0]?.met.length ?? 0)) writeFileSync(last, '')
}
const meet = (pid: number, word: string) => {
  const victim = victims.find(one => one.pid === pid)
  if (!victim) return
  const message = `${word} ${victim.met.filter(one => one.startsWith(`${word} `)).length + 1}`
  victim.met.push(message)
  if (message === victim.killedAt) process.kill(pid, 'SIGKILL')
}
const spies = [
  vi.spyOn(Conductor.prototype, 'join').mockImplementation(function (this: Conductor, hello, say) {
    const { pid, service } = hello
    if (service === 'victim') comes(pid)
    meet(pid, 'hello')
    return take.call(this, hello, line => {
      meet(pid, `to-${line.split(' ')[0]}`)
      say(line)
    })
  }),
  vi.spyOn(Conductor.prototype, 'hear').mockImplementation(function (this: Conductor, member, line) {
    meet(member.hello.pid, line.split(' ')[0] ?? '')
    hear.call(this, member, line)
  }),
]
afterAll(() => {
  for (const spy of spies) spy.mockRestore()
})

/** Programs that say every word that a process with one thread can say. They live for four seconds. */
const node = `
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import net from 'node:net'
delete process.env.GATEWAY_EMULATOR_SERVICE
const { GATEWAY_EMULATOR_URL: url, GATEWAY_EMULATOR_KEY: key } = process.env
const list = async () => (await fetch(url + '/api/v3/contents/generations/tasks', { headers: { Authorization: 'Bearer ' + key } })).text()
const sleep = ms => new Promise(done => setTimeout(done, ms))
await list()
const server = net.createServer().listen(0, '127.0.0.1')
await sleep(2000)
spawnSync('true')
await once(spawn('true'), 'exit')
await list()
await sleep(2000)
server.close()`
const python = `
import os, socket, subprocess, time, urllib.request
del os.environ['GATEWAY_EMULATOR_SERVICE']
request = urllib.request.Request(os.environ['GATEWAY_EMULATOR_URL'] + '/api/v3/contents/generations/tasks')
request.add_header('Authorization', 'Bearer ' + os.environ['GATEWAY_EMULATOR_KEY'])
urllib.request.urlopen(request).read()
server = socket.create_server(('127.0.0.1', 0))
time.sleep(2)
subprocess.run(['true'])
urllib.request.urlopen(request).read()
time.sleep(2)`

/** What is said by such a process, and to it. */
const words = [
  'awake',
  'begin',
  'birth',
  'blocked',
  'childless',
  'hello',
  'listen',
  'still',
  'to-at',
  'to-look',
  'to-now',
  'wait',
]

/** Starts victims one after another, and looks each second at the clock. */
const parent = (program: string, victim: string) => `
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
let last = Date.now(), longest = 0
setInterval(() => { longest = Math.max(longest, Date.now() - last); last = Date.now() }, 1000)
const lives = []
while (!existsSync('${last}')) {
  const began = Date.now()
  const env = { ...process.env, GATEWAY_EMULATOR_SERVICE: 'victim' }
  await once(spawn('${program}', ['${victim}'], { env, stdio: 'inherit' }), 'exit')
  lives.push(Math.round((Date.now() - began) / 1000))
}
console.log(JSON.stringify({ longest, lives }))
process.exit()`

it.each([
  ['Node', 'node', 'victim.mjs', node],
  ['Python', await findPython(), 'victim.py', python],
])(
  'a process of %s that is killed at any message to or from the conductor neither stops the time of the others nor lets it jump',
  async (_, program, name, source) => {
    victims.splice(0)
    rmSync(last, { force: true })
    const path = written('parent.mjs', parent(program, written(name, source)))
    const { output } = await ranInWorld(emulator, 'node', path)
    const { longest, lives } = JSON.parse(output) as { longest: number; lives: number[] }
    const killed = victims.flatMap(({ met, killedAt }) => met.find(one => one === killedAt) ?? [])
    expect([...new Set(killed.map(one => one.split(' ')[0]))].sort()).toEqual(words)
    expect([longest, lives.length, lives[0]]).toEqual([1000, victims.length, 4])
    // On a busy machine a process may come so late that the others have gone on by a second.
    expect(Math.max(...lives)).toBeLessThan(6)
  },
)
