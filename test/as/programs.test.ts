import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { runCommand } from '../support/emulator-process.ts'
import { reportOf } from '../support/explore-runs.ts'
import { listening } from '../support/input-server.ts'
import { findPython } from '../support/python.ts'
import { writtenFiles } from '../support/written-files.ts'

const { folder, written: file } = writtenFiles('as-test')

const path = '/api/v3/contents/generations/tasks'
const created = {
  model: 'their-model',
  content: [{ type: 'text', text: 'a cat' }],
  duration: 4,
  resolution: '480p',
}
const realKey = 'ark-REAL-0123456789/abc='

const asVendor = ['--as', 'ark.vendor.test', '--model-alias', '*=model_a_20']

/** It creates by fetch, polls by node:https, downloads, calls another host, and says its key wherever it can. */
const vendorClient = file(
  'client.mjs',
  `import https from 'node:https'
import { writeFileSync } from 'node:fs'
const key = process.env.ARK_API_KEY
const address = 'https://ark.vendor.test${path}'
const body = JSON.stringify({ ...${JSON.stringify(created)}, safety_identifier: key, content: [{ type: 'text', text: 'key ' + key }] })
const headers = { Authorization: 'Bearer ' + key, 'X-Trace': key, Cookie: 'session=' + key, 'Content-Type': 'application/json' }
const reply = await fetch(address + '?api_key=' + encodeURIComponent(key), { method: 'POST', headers, body })
if (!reply.ok) throw new Error(reply.status + ' ' + await reply.text())
const { id } = await reply.json()
await fetch('https://telemetry.vendor.test/' + key).catch(error => console.log(error.cause.code))
const poll = () => new Promise((resolve, reject) => {
  const sent = https.get(address + '/' + id, { headers: { 'X-Api-Key': key } }, reply => {
    let text = ''
    reply.on('data', part => { text += part })
    reply.on('end', () => resolve(JSON.parse(text)))
  })
  sent.on('error', reject)
})
let task = await poll()
while (task.status === 'queued' || task.status === 'running') {
  await new Promise(resolve => setTimeout(resolve, Number(process.env.POLL_MS ?? 1)))
  task = await poll()
}
const link = task.content.video_url
const bytes = (await (await fetch(link)).arrayBuffer()).byteLength
console.log(new URL(link).origin, task.model, bytes > 1000, key)
const control = process.env.GATEWAY_EMULATOR_URL + '/__emulator/worlds/' + process.env.GATEWAY_EMULATOR_WORLD
const seen = await Promise.all(['/requests', '/state', '/tasks', '/tasks/' + id + '/story'].map(async part => (await fetch(control + part)).text()))
writeFileSync(process.env.SEEN, seen.join('\\n'))
if (process.env.FAIL) throw new Error('failed with ' + key)
`,
)

it('a Node program runs as it is: fetch, node:https, the link, with its own key, model and address', async () => {
  const { code, stdout, stderr } = await runCommand(['run', ...asVendor, '--', 'node', vendorClient], {
    ARK_API_KEY: realKey,
    SEEN: join(folder, 'seen.txt'),
    NO_PROXY: 'ark.vendor.test',
  })
  expect([code, stdout.trim().split('\n')], stderr).toEqual([
    0,
    ['ECONNREFUSED', `https://results.ark.vendor.test their-model true ${realKey}`],
  ])
  expect(stderr).toContain('The emulator stood for ark.vendor.test: ')
  expect(stderr).toContain('Refused: telemetry.vendor.test (1 connection)')
  expect(stderr).toContain('The program sends its key by the header x-api-key;')
})

it('a real key is in no byte that is written: reports, logs, journal, tasks, stories, state', async () => {
  const temporary = join(folder, 'tmp')
  mkdirSync(temporary)
  const [out, seen] = [join(folder, 'out'), join(folder, 'seen-explored.txt')]
  const { code, stdout, stderr, as, cases } = await reportOf(
    [
      ...[...asVendor, '--out', out, '--only', 'a.create#1 forbidden_model'],
      ...['--', 'node', vendorClient, '--key', realKey],
    ],
    { ARK_API_KEY: realKey, SEEN: seen, POLL_MS: '5000', TMPDIR: temporary },
  )
  expect([code, stderr]).toEqual([0, ''])
  expect(Object.keys(as?.refused ?? {})).toEqual(['telemetry.vendor.test'])
  expect(cases.map(({ verdict }) => verdict)).toEqual(['uncaught'])
  const written = [
    stdout,
    readFileSync(seen, 'utf8'),
    ...readdirSync(out).map(name => readFileSync(join(out, name), 'utf8')),
  ]
  expect(written.length).toBeGreaterThan(4)
  const spellings = [
    realKey,
    encodeURIComponent(realKey),
    Buffer.from(realKey).toString('base64'),
    'REAL-0123',
  ]
  for (const text of written) for (const spelled of spellings) expect(text).not.toContain(spelled)
  expect(readdirSync(temporary).filter(name => name.startsWith('gateway-emulator-as-'))).toEqual([])
})

it('a program that calls another host than the named one is told which', async () => {
  const { code, stderr } = await runCommand(
    ['explore', '--as', 'other.vendor.test', '--', 'node', vendorClient],
    {
      ARK_API_KEY: realKey,
      SEEN: join(folder, 'unused.txt'),
    },
  )
  expect(code).toBe(3)
  expect(stderr).toContain('Refused: ark.vendor.test (')
  expect(stderr).toContain('--as HOST puts the emulator in the place of a host')
  expect(stderr).not.toContain(realKey)
})

it('a Python program and curl run as they are', async () => {
  const client = file(
    'client.py',
    `import http.client, json, subprocess, urllib.error, urllib.request
body = json.dumps(${JSON.stringify(created)})
headers = {"Authorization": "${realKey}", "Content-Type": "application/json"}
connection = http.client.HTTPSConnection("ark.vendor.test")
connection.request("POST", "${path}", body, headers)
task = json.load(connection.getresponse())["id"]
poll = urllib.request.Request("https://ark.vendor.test${path}/" + task, headers=headers)
print(json.load(urllib.request.urlopen(poll))["id"] == task)
try:
    urllib.request.urlopen("https://telemetry.vendor.test/")
except urllib.error.URLError as error:
    print(type(error.reason).__name__)
curl = ["curl", "-sS", "-o", "-", "-w", " %{http_code}", "-H", "Authorization: Bearer ${realKey}"]
print(subprocess.run([*curl, poll.full_url], capture_output=True, text=True).stdout[-3:])
print(subprocess.run([*curl, "https://more.vendor.test/"], capture_output=True, text=True).returncode)
`,
  )
  const { code, stdout, stderr } = await runCommand(['run', ...asVendor, '--', await findPython(), client])
  expect([code, stdout.trim().split('\n')], stderr).toEqual([0, ['True', 'gaierror', '200', '56']])
  expect(stderr).toContain('Refused: more.vendor.test (1 connection), telemetry.vendor.test (1 connection)')
  expect(stderr).toContain('Authorization without a scheme')
})

it('a Python library that takes only the address of a name, and its own port, is led, too', async () => {
  // As anyio does, and so the asynchronous client of httpx.
  const client = file(
    'address.py',
    `import asyncio, socket, ssl
async def main():
    found = await asyncio.get_running_loop().getaddrinfo("ark.vendor.test", 443, type=socket.SOCK_STREAM)
    for tls in (None, ssl.create_default_context()):
        reader, writer = await asyncio.open_connection(
            found[0][4][0], 443 if tls else 80, ssl=tls, server_hostname="ark.vendor.test" if tls else None)
        writer.write(b"GET ${path}/none HTTP/1.1\\r\\nHost: ark.vendor.test\\r\\nAuthorization: Bearer x\\r\\nConnection: close\\r\\n\\r\\n")
        print((await reader.readline()).decode().split()[1])
asyncio.run(main())
`,
  )
  const { code, stdout, stderr } = await runCommand(['run', ...asVendor, '--', await findPython(), client])
  expect([code, stdout.trim().split('\n')], stderr).toEqual([0, ['404', '404']])
})

it('a Python program waits over TLS in virtual time, too: its time-out of a day comes at once', async () => {
  const client = file(
    'waiting.py',
    `import json, time, urllib.request
headers = {"Authorization": "Bearer ${realKey}", "Content-Type": "application/json"}
def call(path, body=None):
    request = urllib.request.Request("https://ark.vendor.test${path}" + path, body, headers)
    return json.load(urllib.request.urlopen(request, timeout=86400))
task = call("", json.dumps(${JSON.stringify(created)}).encode())["id"]
while call("/" + task)["status"] != "succeeded":
    time.sleep(5)
`,
  )
  const { stderr, time, cases } = await reportOf([
    ...[...asVendor, '--only', 'a.get#1 no_answer', '--limit', '20s'],
    ...['--', await findPython(), client],
  ])
  expect([time.used, stderr]).toEqual(['virtual', ''])
  expect(cases.map(({ evidence }) => evidence)).toEqual([
    expect.stringMatching(/an uncaught error ended it: .*The read operation timed out$/),
  ])
})

it('a host that is allowed is reached, and wrong usage is told', async () => {
  const wrong = await Promise.all(
    [
      ['run', '--', 'true'],
      ['run', '--as', 'x.test'],
      ['run', '--as', 'https://x.test', '--', 'true'],
      ['run', '--as', 'x.test', '--model-alias', 'a=model_a_26', '--', 'true'],
      ['explore', '--allow', 'x.test', '--', 'true'],
    ].map(args => runCommand(args)),
  )
  expect(wrong.map(({ code, stderr }) => [code, stderr.trim()])).toEqual([
    [2, expect.stringContaining('run needs --as HOST')],
    [2, expect.stringContaining('No command: write gateway-emulator run --as HOST -- COMMAND')],
    [2, expect.stringContaining('the host is x.test')],
    [2, expect.stringContaining('"model_a_26" is not one of model_a_20, ')],
    [2, expect.stringContaining('--allow is for programs behind --as HOST')],
  ])
  const { port, close } = await listening((request, response) =>
    response.end(`${request.headers.host}${request.url}`),
  )
  onTestFinished(close)
  // Its own lookup leads the name to the server of this test.
  const calls = `const lookup = (_, { all }, done) => all ? done(null, [{ address: '127.0.0.1', family: 4 }]) : done(null, '127.0.0.1', 4)
require('node:http').get('http://cdn.other.test:${port}/own', { lookup }, async reply => console.log(Buffer.concat(await reply.toArray()).toString()))
  .on('error', error => console.log(error.code))`
  const callsWith = async (...options: string[]) =>
    runCommand(['run', '--as', 'x.test', ...options, '--', 'node', '-e', calls])
  const refused = await callsWith()
  expect(refused.stdout.trim()).toBe('ECONNREFUSED')
  expect(refused.stderr).toContain(`Refused: cdn.other.test:${port} (1 connection)`)
  const allowed = await callsWith('--allow', '*.other.test')
  expect(allowed.stdout.trim()).toBe(`cdn.other.test:${port}/own`)
  expect(allowed.stderr).not.toContain('Refused')
})

it('a program that runs as it is can be killed and started again: one that keeps no id pays again', async () => {
  const only = ['--only', 'a.create killed_*']
  const { stdout, restarts } = await reportOf([...asVendor, ...only, '--', 'node', vendorClient], {
    ...{ ARK_API_KEY: realKey, SEEN: join(folder, 'seen-restarted.txt'), POLL_MS: '5000' },
  })
  expect(restarts.map(({ id, verdict }) => [id, verdict])).toEqual([
    ['killed_before', 'resumed'],
    ['killed_after', 'paid_again'],
  ])
  expect(stdout).not.toContain(realKey)
})
