import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { WorldClient } from '../../src/kits/client/world.ts'
import { ownFolder } from '../support/folders.ts'
import { root } from '../support/fresh-build.ts'
import { findPython, pythonWith, unlessMissing } from '../support/python.ts'
import { run } from '../support/run.ts'
import { startForTest } from '../support/start-for-test.ts'

const python = await findPython()
const folder = ownFolder('virtual-time-python')
const emulator = await startForTest({})

const tie = join(root, 'python/tie')

/** Runs a program that is tied to a world of its own, with a manual clock. */
async function runTied(
  source: string,
  {
    program = python,
    path = tie,
    world: given,
  }: { program?: string; path?: string; world?: Pick<WorldClient, 'id' | 'baseUrl' | 'apiKey'> } = {},
) {
  const world = given ?? (await emulator.openWorld({ clock: 'manual', now: '2026-01-01T00:00:00Z' }))
  const env = {
    PATH: process.env.PATH,
    PYTHONPATH: path,
    PYTHONDONTWRITEBYTECODE: '1',
    GATEWAY_EMULATOR_URL: world.baseUrl,
    GATEWAY_EMULATOR_WORLD: world.id,
    GATEWAY_EMULATOR_KEY: world.apiKey,
  }
  return run(program, ['-c', source], { env })
}

/** What it prints; its errors when that is nothing. */
async function printed(...given: Parameters<typeof runTied>): Promise<string> {
  const { stdout, stderr } = await runTied(...given)
  return stdout.trim() || stderr
}

it('the sleeps of a Python program stand in the trace as its own', async () => {
  const world = await emulator.openWorld({ clock: 'manual' })
  await runTied('import time; time.sleep(60)', { world })
  const { events } = await world.trace()
  expect(events.map(({ kind, text }) => `${kind}: ${text}`)).toEqual([
    'by_program: it slept or waited for 1m',
  ])
})

/** Prints how long each step took by the program's clock, and by that of the world. */
const measured = `
import json, os, time, urllib.request
took = {}
def measure(name, step):
    began = time.monotonic()
    try:
        got = step()
    except Exception as error:
        got = type(error).__name__
    took[name] = [got, round(time.monotonic() - began, 1)]
`

/** Twenty exchanges, whose first lines are to follow, beside a thread that sleeps a minute again and again. */
const besideTicks = `
def ticks():
    for _ in range(500): time.sleep(60)
threading.Thread(target=ticks, daemon=True).start()
longest = 0
for _ in range(20):
    began = time.monotonic()
`

it('time does not move while TCP holds the body of a call back until its head is acknowledged', async () => {
  const source = `
import os, socket, threading, time
address = os.environ['GATEWAY_EMULATOR_URL'].split('//')[1].split(':')
host, key = ':'.join(address), os.environ['GATEWAY_EMULATOR_KEY']
body = b'{"model":"model_a_20","content":[{"type":"text","text":"a kite"}],"duration":5}'
def head(method, path, more=''):
    return f'{method} {path} HTTP/1.1\\r\\nHost: {host}\\r\\nAuthorization: Bearer {key}\\r\\n{more}\\r\\n'.encode()
path = '/api/v3/contents/generations/tasks'
connection = socket.create_connection((address[0], int(address[1])))
connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 0)
${besideTicks}    # In two parts, on a connection that has served a call before.
    connection.sendall(head('POST', path, f'Content-Type: application/json\\r\\nContent-Length: {len(body)}\\r\\n'))
    connection.sendall(body)
    assert b' 200 ' in connection.recv(65536)
    longest = max(longest, time.monotonic() - began)
print(round(longest, 1))
`
  expect(await printed(source)).toBe('0.0')
})

it('no time passes between the two parts of an answer that one tied program writes to another', async () => {
  const source = `
import os, socket, subprocess, sys, threading, time
server = '''
import socket
listening = socket.create_server(("127.0.0.1", 0))
print(listening.getsockname()[1], flush=True)
connection, _ = listening.accept()
while connection.recv(100):
    # In two parts, on a connection that has answered before.
    connection.sendall(b"head")
    connection.sendall(b"body")
'''
child = subprocess.Popen([sys.executable, '-c', server], stdout=subprocess.PIPE, text=True)
connection = socket.create_connection(('127.0.0.1', int(child.stdout.readline())))
${besideTicks}    connection.sendall(b'call')
    got = b''
    while len(got) < 8: got += connection.recv(100)
    longest = max(longest, time.monotonic() - began)
child.kill()
print(round(longest, 1))
`
  expect(await printed(source)).toBe('0.0')
})

describe('a Python program that waits', () => {
  it('by time, threading, queue, select or asyncio moves all its clocks by its wait, at once', async () => {
    const source = `${measured}
import asyncio, datetime, queue, select, threading
from concurrent.futures import ThreadPoolExecutor
hour = 3600
def joined(): 
    threads = [threading.Thread(target=time.sleep, args=(seconds,)) for seconds in (hour, 2 * hour)]
    for one in threads: one.start()
    for one in threads: one.join()
async def overdue():
    await asyncio.wait_for(asyncio.sleep(2 * hour), hour)
began = time.time(), time.perf_counter(), datetime.datetime.now()
measure('time.sleep', lambda: time.sleep(hour))
measure('Event.wait', lambda: threading.Event().wait(hour))
measure('Thread.join', joined)
measure('Queue.get', lambda: queue.Queue().get(timeout=hour))
measure('pool', lambda: list(ThreadPoolExecutor(2).map(time.sleep, [hour, hour, hour])))
measure('select', lambda: select.select([], [], [], hour))
measure('asyncio.sleep', lambda: asyncio.run(asyncio.sleep(hour)))
measure('asyncio.wait_for', lambda: asyncio.run(overdue()))
ended = time.time(), time.perf_counter(), datetime.datetime.now()
took['clocks'] = [round(ended[0] - began[0]), round(ended[1] - began[1]), round((ended[2] - began[2]).total_seconds())]
took['today'] = [str(datetime.datetime.now(datetime.timezone.utc))[:13], time.strftime('%H', time.gmtime())]
print(json.dumps(took))`
    const { code, stdout, stderr } = await runTied(source)
    expect([code, stderr]).toEqual([0, ''])
    expect(JSON.parse(stdout)).toEqual({
      'time.sleep': [null, 3600],
      'Event.wait': [false, 3600],
      'Thread.join': [null, 7200],
      'Queue.get': ['Empty', 3600],
      pool: [[null, null, null], 7200],
      select: [[[], [], []], 3600],
      'asyncio.sleep': [null, 3600],
      'asyncio.wait_for': ['TimeoutError', 3600],
      clocks: [36_000, 36_000, 36_000],
      today: ['2026-01-01 10', '10'],
    })
  })

  it.each([
    ['poll', 1000],
    ['epoll', 1],
  ])(
    'by select.%s, as Celery does, waits for as long as it asks, and is woken by what it watches',
    async (kind, unit) => {
      const source = `${measured}
import select, threading
hour = 3600
# Elsewhere than on Linux there is one of them.
kind, unit = (select.${kind}, ${unit}) if hasattr(select, '${kind}') else (select.poll, 1000)
def woken(looking):
    read, write = os.pipe()
    looking.register(read, select.POLLIN)
    threading.Timer(hour, os.write, (write, b'x')).start()
    return [(one == read, events) for one, events in looking.poll(2 * hour * unit)]
measure('nothing', lambda: kind().poll(hour * unit))
measure('a look', lambda: kind().poll(0))
measure('woken', lambda: woken(kind()))
print(json.dumps(took))`
      const { code, stdout, stderr } = await runTied(source)
      expect([code, stderr]).toEqual([0, ''])
      expect(JSON.parse(stdout)).toEqual({
        nothing: [[], 3600],
        'a look': [[], 0],
        woken: [[[true, 1]], 3600],
      })
    },
  )

  it('by a loop over the clock or by sleep(0) goes on when its time has come, and the world has moved as far before its next request', async () => {
    const world = await emulator.openWorld({ clock: 'manual' })
    const before = (await world.clock.get()).now_ms
    // Each look takes a microsecond of virtual time, so a tenth of a second is a hundred thousand looks.
    const source = `${measured}
def spin(look):
    end = look() + 0.1
    while look() < end: pass
def give_way():
    end = time.time() + 0.1
    while time.time() < end: time.sleep(0)
measure('time', lambda: spin(time.time))
measure('monotonic', lambda: spin(time.monotonic))
measure('sleep(0)', give_way)
measure('request', lambda: urllib.request.urlopen(os.environ['GATEWAY_EMULATOR_URL'] + '/api/v3/contents/generations/tasks'))
print(json.dumps(took))`
    expect(JSON.parse(await printed(source, { world }))).toEqual({
      time: [null, 0.1],
      monotonic: [null, 0.1],
      'sleep(0)': [null, 0.1],
      request: ['HTTPError', 0],
    })
    const { now_ms } = await world.clock.get()
    expect(now_ms - before).toBe(300)
  })

  it('under an alarm is woken by it in virtual time, and not before', async () => {
    const source = `${measured}
import signal, socket
def alarmed(*_):
    raise InterruptedError
signal.signal(signal.SIGALRM, alarmed)
def asleep(seconds):
    signal.alarm(600)
    time.sleep(seconds)
    return signal.alarm(0)
def unanswered():
    signal.setitimer(signal.ITIMER_REAL, 600)
    with socket.create_server(('127.0.0.1', 0)) as server, socket.create_connection(server.getsockname()) as client:
        client.sendall(b'x')
        client.recv(1)
measure('long sleep', lambda: asleep(3600))
measure('short sleep', lambda: asleep(60))
measure('no answer', unanswered)
print(json.dumps(took))`
    expect(JSON.parse(await printed(source))).toEqual({
      'long sleep': ['InterruptedError', 600],
      'short sleep': [540, 60],
      'no answer': ['InterruptedError', 600],
    })
  })

  it('by multiprocessing, subprocess, a pipe or a fork moves time as on an idle machine', async () => {
    const source = `${measured}
import multiprocessing, subprocess, sys
fork = multiprocessing.get_context('fork')
def start(work, *args):
    process = fork.Process(target=work, args=args)
    process.start()
    return process
def joined():
    for one in [start(time.sleep, seconds) for seconds in (100, 200)]: one.join()
def limited():
    one = start(time.sleep, 1000)
    one.join(100)
    one.kill()
    one.join()
    return one.exitcode
def feed(queue):
    for i in range(3): time.sleep(10); queue.put(i)
def queued():
    queue = fork.Queue()
    one = start(feed, queue)
    return [queue.get() for _ in range(3)], one.join()
def hold(lock, queue):
    with lock: queue.put('held'); time.sleep(100)
def locked():
    lock, queue = fork.Lock(), fork.Queue()
    one = start(hold, lock, queue)
    queue.get()
    with lock: pass
    one.join()
def expired():
    subprocess.run([sys.executable, '-c', 'import time; time.sleep(1000)'], timeout=50)
def talk():
    program = 'import sys, time\\nfor line in sys.stdin: time.sleep(30); print(line.strip() + "!", flush=True)'
    with subprocess.Popen([sys.executable, '-c', program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as tool:
        def ask(word):
            print(word, file=tool.stdin, flush=True)
            return tool.stdout.readline().strip()
        return [ask(word) for word in 'abc']
def forked():
    child = os.fork()
    if child == 0: time.sleep(70); os._exit(3)
    time.sleep(5)
    return os.waitpid(child, 0)[1] >> 8
for step in (joined, limited, queued, locked, expired, talk, forked): measure(step.__name__, step)
print(json.dumps({name: [got, round(seconds)] for name, (got, seconds) in took.items()}))`
    expect(JSON.parse(await printed(source))).toEqual({
      joined: [null, 200],
      limited: [-9, 100],
      queued: [[[0, 1, 2], null], 30],
      locked: [null, 100],
      expired: ['TimeoutExpired', 50],
      talk: [['a!', 'b!', 'c!'], 90],
      forked: [3, 70],
    })
  })

  it.each([
    ['sleeps', 'import time; time.sleep(0.3)'],
    ['waits for no files', 'import select; select.select([], [], [], 0.3)'],
  ])('for a process that it started, and that %s, sees the time that this one takes', async (_, child) => {
    const source = `${measured}
import subprocess, sys
measure('run', lambda: subprocess.run([sys.executable, '-S', '-E', '-c', '${child}']).returncode)
print(took['run'][0], took['run'][1] >= 0.3)`
    expect(await printed(source)).toBe('0 True')
  })

  it('skips nothing while another of its threads, or a child process, is at work', async () => {
    const source = `${measured}
import subprocess, sys, threading
work = "import time; end = time.process_time() + 0.3\\nwhile time.process_time() < end: pass"
done = threading.Event()
def busy():
    exec(work)
    done.set()
threading.Thread(target=busy).start()
measure('thread', lambda: done.wait(60))
measure('child', lambda: subprocess.run([sys.executable, '-S', '-c', work], timeout=60).returncode)
print(took['thread'][0], took['child'][0])`
    expect(await printed(source)).toBe('True 0')
  })

  it('finds each clock by its module and its name, as packages that measure do', async () => {
    const source = `import datetime, select, sys, threading, time
clocks = [time.time, time.perf_counter, time.monotonic_ns, time.sleep, time.strftime, threading.Event.wait]
for clock in clocks:
    found = sys.modules[clock.__module__]
    for part in clock.__qualname__.split('.'): found = getattr(found, part)
    assert found is clock, clock
print(len(clocks))`
    expect(await printed(source)).toBe('6')
  })

  it('may keep a clock in a class, as logging keeps localtime, and hand it to another process', async () => {
    const { code, stderr } = await runTied(`
import logging, pickle, time
class Watch: now = time.monotonic
assert Watch().now() > 0 and pickle.loads(pickle.dumps(time.sleep)) is time.sleep
logging.basicConfig(format='%(asctime)s %(message)s', datefmt='%Y')
logging.error('no video')`)
    expect([code, stderr.trim()]).toEqual([0, '2026 no video'])
  })

  it('finds files as old as its own waits make them, whoever wrote them, and leaves what it has set itself', async () => {
    const source = `
import json, os, shutil, subprocess, sys, tempfile, threading, time
folder = tempfile.mkdtemp()
began = time.time()
def write(name):
    with open(os.path.join(folder, name), 'w'): pass
    return os.path.join(folder, name)
def age(path): return round(time.time() - os.path.getmtime(path))
first = write('first')
time.sleep(1800)
second = write('second')
threading.Thread(target=time.sleep, args=(7200,)).start()
time.sleep(1800)
about = os.stat(first)
found = {'ages': [age(first), age(second)], 'changed': round(about.st_ctime - began), 'parts': int(about.st_mtime) == about[8] == about.st_mtime_ns // 10**9}
child = 'import os, sys, time; print(round(time.time() - os.stat(sys.argv[1]).st_mtime)); time.sleep(50); open(sys.argv[1], "w"); time.sleep(50)'
found['child'] = int(subprocess.run([sys.executable, '-c', child, first], stdout=subprocess.PIPE).stdout)
with open(first) as file: found['by child'] = [age(first), round(time.time() - os.fstat(file.fileno()).st_ctime)]
os.utime(first, (5, 7))
found['set'] = [os.lstat(first).st_atime, os.lstat(first).st_mtime]
found['known'] = [os.stat in os.supports_follow_symlinks, os.stat in os.supports_dir_fd]
shutil.rmtree(folder)
print(json.dumps(found))`
    expect(JSON.parse(await printed(source))).toEqual({
      ages: [3600, 1800],
      changed: 0,
      parts: true,
      child: 3600,
      'by child': [50, 50],
      set: [5, 7],
      known: [true, true],
    })
  })

  it('still runs its own sitecustomize', async () => {
    mkdirSync(join(folder, 'own'), { recursive: true })
    writeFileSync(join(folder, 'own/sitecustomize.py'), 'import builtins\nbuiltins.OWN = "ours"\n')
    const path = `${tie}:${join(folder, 'own')}`
    expect(await printed('import time; time.sleep(3600); print(OWN)', { path })).toBe('ours')
  })
})

/** How each client gets an address with a time-out: statements that define \`get(url, headers, seconds)\`. */
const clients: Record<string, string> = {
  'urllib.request': `
def get(url, headers, seconds):
    return urllib.request.urlopen(urllib.request.Request(url, headers=headers), timeout=seconds).status`,
  requests: `
import requests
def get(url, headers, seconds): return requests.get(url, headers=headers, timeout=seconds).status_code`,
  httpx: `
import httpx
def get(url, headers, seconds): return httpx.get(url, headers=headers, timeout=seconds).status_code`,
  'httpx with asyncio': `
import asyncio, httpx
async def got(url, headers, seconds):
    async with httpx.AsyncClient(timeout=seconds) as client: return (await client.get(url, headers=headers)).status_code
def get(*given): return asyncio.run(got(*given))`,
  aiohttp: `
import aiohttp, asyncio
async def got(url, headers, seconds):
    async with aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(sock_read=seconds)) as session:
        async with session.get(url, headers=headers) as reply: return reply.status
def get(*given): return asyncio.run(got(*given))`,
}

const programs = await Promise.all(
  Object.keys(clients).map(async client => {
    const [library = ''] = client.split(/[ .]/)
    const program = library === 'urllib' ? python : await pythonWith(library)
    return [client, unlessMissing(library, program), program] as const
  }),
)

describe.each(programs)('a request by %s%s', (client, _, program) => {
  it('ends by its time-out when no answer comes, and not when a late one comes before', async () => {
    if (program === undefined) return
    const source = `${measured}${clients[client]}
own = os.environ
tasks, headers = own['GATEWAY_EMULATOR_URL'] + '/api/v3/contents/generations/tasks', {'Authorization': 'Bearer ' + own['GATEWAY_EMULATOR_KEY']}
control = own['GATEWAY_EMULATOR_URL'] + '/__emulator/worlds/' + own['GATEWAY_EMULATOR_WORLD'] + '/inject'
def after(fault, seconds):
    body = json.dumps({'operation': 'a.list', 'nth': 1, 'then': {'connection': fault}}).encode()
    urllib.request.urlopen(urllib.request.Request(control, body, {'content-type': 'application/json'})).read()
    return lambda: get(tasks, headers, seconds)
measure('hang', after('hang', 60))
measure('late', after({'latency': '3s'}, 60))
measure('just in time', after({'latency': '3s'}, 3.01))
measure('as late', after({'latency': '3s'}, 3))
measure('too late', after({'latency': '3s'}, 1))
measure('next', lambda: get(tasks, headers, 1))
print(json.dumps(took))`
    const took = JSON.parse(await printed(source, { program }))
    const error = expect.stringMatching(/Timeout|timeout/)
    expect(took).toMatchObject({
      hang: [error, 60],
      late: [200, expect.anything()],
      'just in time': [200, 3],
      'as late': [error, 3],
      'too late': [error, 1],
      next: [200, 0],
    })
    expect(took.late[1]).toBeGreaterThan(2)
    expect(took.late[1]).toBeLessThan(4)
  })
})

describe('a Python program that never ends', () => {
  const list = `import os, time, urllib.request
url, key, world = (os.environ['GATEWAY_EMULATOR_' + name] for name in ('URL', 'KEY', 'WORLD'))
def get():
    headers = {'Authorization': 'Bearer ' + key}
    return urllib.request.urlopen(urllib.request.Request(url + '/api/v3/contents/generations/tasks', headers=headers)).read()
`
  it.each([
    ['polls on after seven virtual days', `${list}\nwhile get(): time.sleep(7200)`],
    [
      'has no time-out and gets no answer',
      `${list}
body = b'{"operation":"a.list","nth":1,"then":{"connection":"hang"}}'
control = url + '/__emulator/worlds/' + world + '/inject'
urllib.request.urlopen(urllib.request.Request(control, body, {'content-type': 'application/json'})).read()
get()`,
    ],
  ])('and %s is ended with 124', async (_, source) => {
    const { code, stderr } = await runTied(source)
    expect([code, stderr.trim().split('\n').at(-1)]).toEqual([
      124,
      'virtual-time: still running after seven virtual days',
    ])
  })
})
