import { describe, expect, it } from 'vitest'
import { ranInWorld } from '../support/explore-runs.ts'
import { findPython } from '../support/python.ts'
import { startForTest } from '../support/start-for-test.ts'
import { writtenFiles } from '../support/written-files.ts'

const python = await findPython()
const { written: fileOf } = writtenFiles('one-clock')
const emulator = await startForTest({})

/** What the modules of these programs begin with. */
const node = `
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer as serve } from 'node:http'
import net from 'node:net'
import { createInterface as lines } from 'node:readline'
const { GATEWAY_EMULATOR_URL: url, GATEWAY_EMULATOR_KEY: key } = process.env
const tasks = url + '/api/v3/contents/generations/tasks'
const headers = { Authorization: 'Bearer ' + key, 'Content-Type': 'application/json' }
const list = async () => (await fetch(tasks, { headers })).text()
const sleep = ms => new Promise(done => setTimeout(done, ms))
// From the first call on, the start of a child takes no time.
await list()
const began = Date.now()
const seconds = () => Math.round((Date.now() - began) / 1000)
const child = (...command) => {
  const one = spawn(command[0], command.slice(1), { stdio: ['pipe', 'pipe', 'inherit'] })
  process.on('exit', () => one.kill())
  return one
}
const portOf = async ({ stdout }) => String((await once(stdout, 'data'))[0]).trim()
`

/** A web service that answers only after it has called the gateway for 220 s. */
const slowService = `${node}
const server = serve(async (_, reply) => {
  for (let i = 0; i < 11; i++) { await list(); await sleep(20_000) }
  reply.end('made')
}).listen(0, '127.0.0.1', () => console.log(server.address().port))`

/** A web service that makes a video in the background and tells its state. */
const pythonService = `
import http.server, json, os, threading, time, urllib.request
tasks = os.environ['GATEWAY_EMULATOR_URL'] + '/api/v3/contents/generations/tasks'
headers = {'Authorization': 'Bearer ' + os.environ['GATEWAY_EMULATOR_KEY'], 'Content-Type': 'application/json'}
def call(url, data=None):
    return json.load(urllib.request.urlopen(urllib.request.Request(url, data, headers), timeout=30))
state = ['running']
def work():
    body = {'model': 'model_a_25', 'content': [{'type': 'text', 'text': 'x'}], 'duration': 4, 'ratio': '16:9'}
    made = call(tasks, json.dumps(body).encode())
    while state[0] == 'running':
        time.sleep(5)
        task = call(tasks + '/' + made['id'])
        if task['status'] == 'succeeded':
            urllib.request.urlopen(task['content']['video_url']).read()
            state[0] = 'done'
class Service(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        # The other thread may change it meanwhile.
        told = state[0].encode()
        self.send_response(200); self.send_header('Content-Length', str(len(told))); self.end_headers(); self.wfile.write(told)
    def log_message(self, *given): pass
made = http.server.ThreadingHTTPServer(('127.0.0.1', 0), Service)
threading.Thread(target=work, daemon=True).start()
print(made.server_port, flush=True)
made.serve_forever()`

const slow = fileOf('slow-service.mjs', slowService)
const service = fileOf('service.py', pythonService)
const poller = fileOf(
  'poller.mjs',
  `${node}
let last = Date.now(), longest = 0
while (seconds() < 60) { await list(); await sleep(1000); longest = Math.max(longest, Date.now() - last); last = Date.now() }
console.log('polled, at most', Math.round(longest / 1000), 's apart')`,
)
const napper = fileOf('napper.mjs', 'setTimeout(() => {}, 20_000)')
const echo = fileOf(
  'echo.mjs',
  `${node}
const server = net.createServer(socket => {
  socket.setTimeout(5000, () => socket.destroy())
  socket.on('error', () => {}).on('data', data => socket.write(data))
}).listen(0, '127.0.0.1', () => console.log(server.address().port))`,
)
const bell = fileOf(
  'bell.mjs',
  `${node}
const server = net.createServer(socket => setTimeout(() => socket.write('x'), 30_000))
server.listen(0, '127.0.0.1', () => console.log(server.address().port))`,
)
const sleeper = fileOf(
  'rung.mjs',
  `import net from 'node:net'
const began = Date.now()
const socket = net.connect(Number(process.argv[2]), '127.0.0.1')
socket.once('connect', () => socket.unref()).once('data', () => console.log('rung after', Math.round((Date.now() - began) / 1000)))
setTimeout(() => {}, 60_000)`,
)
const tool = fileOf(
  'tool.mjs',
  `${node}
for await (const line of lines({ input: process.stdin })) {
  for (let i = 0; i < 5; i++) { await list(); await sleep(10_000) }
  console.log(line + ' done')
}`,
)
const idle = fileOf(
  'idle.py',
  `
import http.server
class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *given): pass
made = http.server.HTTPServer(('127.0.0.1', 0), Quiet)
print(made.server_port, flush=True)
made.serve_forever()`,
)

const ran = (program: string, ...args: string[]) => ranInWorld(emulator, program, ...args)

describe('several processes of a run have one clock (docs/explore.md, "Time")', () => {
  it('siblings: the one that polls each second misses none of the minute that the other one sleeps', async () => {
    const sleeper = fileOf('sleeper.mjs', `${node}\nawait sleep(60_000)\nconsole.log('slept', seconds())`)
    const { output } = await ran('sh', '-c', `node ${sleeper} & node ${poller} & wait`)
    expect(output.trim().split('\n').sort()).toEqual(['polled, at most 1 s apart', 'slept 60'])
  })

  it.each([
    [
      'a limit of 120 s ends a call of an own web service that works for 220 s',
      `const port = await portOf(child(process.execPath, '${slow}'))
const answer = fetch('http://127.0.0.1:' + port, { signal: AbortSignal.timeout(120_000) }).then(reply => reply.text())
console.log(await answer.catch(error => error.name), seconds())`,
      'TimeoutError 120',
    ],
    [
      'a limit of 250 s does not',
      `const port = await portOf(child(process.execPath, '${slow}'))
const answer = fetch('http://127.0.0.1:' + port, { signal: AbortSignal.timeout(250_000) }).then(reply => reply.text())
console.log(await answer.catch(error => error.name), seconds())`,
      'made 220',
    ],
    [
      'an idle limit of 5 s between two processes that talk each second never fires',
      `let idle = 0
const socket = net.connect(Number(await portOf(child(process.execPath, '${echo}'))), '127.0.0.1')
socket.setTimeout(5000, () => idle++).on('close', () => idle++)
for (let i = 0; i < 20; i++) { socket.write('x'); await sleep(1000) }
console.log('idle', idle, seconds())`,
      'idle 0 20',
    ],
    [
      'a timer of 5 s comes after 5 s, however long a process works, and beside one that waits each second',
      `child(process.execPath, '${poller}')
const spent = process.cpuUsage().user
const fired = sleep(5000)
while (process.cpuUsage().user - spent < 1_000_000);
await fired
console.log('timer', seconds())`,
      'timer 5',
    ],
    [
      'a host waits for a tool over stdio that works for 50 s, and does not give it up after 60',
      `const { stdin, stdout } = child(process.execPath, '${tool}')
const limit = setTimeout(() => console.log('timed out'), 60_000)
stdin.write('make\\n')
const [answer] = await once(lines({ input: stdout }), 'line')
clearTimeout(limit)
console.log(answer, seconds())`,
      'make done 50',
    ],
    [
      'a child server without calls of its own makes nothing real',
      `const port = await portOf(child('${python}', '${idle}'))
for (let i = 0; i < 20; i++) { await fetch('http://127.0.0.1:' + port + '/nothing', { signal: AbortSignal.timeout(10_000) }); await list(); await sleep(10_000) }
console.log('ended', seconds())`,
      'ended 200',
    ],
    [
      'a child that is killed at once holds nobody up',
      `const one = child(process.execPath, '${poller}')
await sleep(2500)
one.kill('SIGKILL')
await sleep(3_600_000)
console.log('slept', seconds())`,
      'slept 3603',
    ],
    [
      'a thread, a forked process and a process that is waited for in place take their time',
      `const { Worker } = await import('node:worker_threads'), { fork, spawnSync } = await import('node:child_process')
await Promise.all([1, 2, 3].map(() => once(new Worker('${napper}'), 'exit')))
const threads = seconds()
await once(fork('${napper}'), 'exit')
const forked = seconds()
spawnSync(process.execPath, ['${napper}'])
console.log(threads, forked, seconds())`,
      '20 40 60',
    ],
    [
      'one that only sleeps sees the time of the run when a connection wakes it that keeps nobody alive',
      `const port = await portOf(child(process.execPath, '${bell}'))
console.log(await portOf(child(process.execPath, '${sleeper}', port)))`,
      'rung after 30',
    ],
    [
      'requests without a pause are work: whoever sleeps beside them sleeps on',
      `let isOver = false
child(process.execPath, '${napper}').once('exit', () => { isOver = true })
for (let i = 0; i < 100; i++) await list()
console.log(isOver, seconds())`,
      'false 0',
    ],
    [
      'a process that is not tied sleeps in wall time, and meanwhile a limit of its parent does not come early',
      `const [code] = await once(spawn('sleep', ['0.3'], { timeout: 60_000 }), 'exit')
console.log('ended with', code)`,
      'ended with 0',
    ],
  ])('%s', async (_, source, expected) => {
    const { output } = await ran('node', fileOf('parent.mjs', `${node}\n${source}\nprocess.exit()`))
    expect(output.trim()).toBe(expected)
  })

  it.each([
    ['one that is not tied and sleeps by itself', `await once(spawn('sleep', ['0.5']), 'exit')`, ['sleep']],
    ['none beside tied ones', `await once(child(process.execPath, '${poller}'), 'exit')`, undefined],
  ])('the clock says for whom it went as fast as wall time: %s', async (_, source, programs) => {
    const { wall_pace } = await ran('node', fileOf('waits.mjs', `${node}\n${source}\nprocess.exit()`))
    expect(wall_pace?.programs).toEqual(programs)
    if (programs) expect(wall_pace?.ms).toBeGreaterThan(0)
  })

  it.each([
    [
      'Node',
      'node',
      `${node}\nfor (let i = 0; i < 8; i++) { await list(); await sleep(5000) }\nprocess.exit()`,
      'js',
    ],
    ['Python', python, 'import time\nprint(0, flush=True)\nfor _ in range(8): time.sleep(5)', 'py'],
  ])(
    'a process of %s that is stopped for a second, and goes on, has missed that second alone',
    async (_, program, source, end) => {
      const stopped = fileOf(`stopped.${end}`, source)
      const parent = `${node}
const one = child('${program}', '${stopped}')
const ended = once(one, 'exit').then(() => 'ended')
await sleep(12_000)
one.kill('SIGSTOP')
await sleep(1200)
one.kill('SIGCONT')
console.log(await Promise.race([ended, sleep(600_000)]), seconds())
process.exit()`
      expect((await ran('node', fileOf('stops.mjs', parent))).output.trim()).toBe('ended 40')
    },
  )

  it('a run that nobody can ever continue is ended at once, and says who waits for what', async () => {
    const deaf = fileOf(
      'deaf.mjs',
      `${node}\nconst server = net.createServer(() => {}).listen(0, '127.0.0.1', () => console.log(server.address().port))`,
    )
    // A thread of Node for hooks of modules, as tsx and Playwright have them, wakes nobody.
    const hooks = `const { register } = await import('node:module'); register('data:text/javascript,export const resolve = (name, context, next) => next(name, context)')`
    const source = `${node}\n${hooks}\nawait once(net.connect(Number(await portOf(child(process.execPath, '${deaf}'))), '127.0.0.1'), 'data')`
    const { exit, output } = await ran('node', fileOf('never.mjs', source))
    expect(exit).toMatchObject({ kind: 'endless' })
    expect(output).toMatch(
      /nobody waits for any moment: process \d+ waits for others; process \d+ waits for others/,
    )
  })

  it('a parent that polls its own Python service a hundred times every 5 s does not recover from a queue of ten minutes, and does from a failed poll', async () => {
    const parent = fileOf(
      'parent-of-service.mjs',
      `${node}
const own = child('${python}', '${service}')
const port = await portOf(own)
let state = ''
for (let i = 0; i < 100 && state !== 'done'; i++) { state = await (await fetch('http://127.0.0.1:' + port)).text(); await sleep(5000) }
own.kill()
if (state !== 'done') throw new Error('gave up after ' + seconds() + ' s')`,
    )
    const only = ['a.create task_slow', 'a.get#1 slow_answer']
    const report = await emulator.explore({ command: ['node', parent] }, { only })
    expect(report.time).toMatchObject({ used: 'virtual', why: "the program's own sleeps move the clock" })
    expect(report.cases.map(({ id, verdict }) => [id, verdict])).toEqual([
      ['task_slow', 'paid_for_nothing'],
      ['slow_answer', 'recovered'],
    ])
    expect(report.cases[0]?.log).toContain('gave up after 500 s')
  })
})
