import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { Report } from '../../src/explore/report/report.ts'
import { runCommand } from '../support/emulator-process.ts'
import { ownFolder } from '../support/folders.ts'
import { findPython } from '../support/python.ts'

const folder = ownFolder('explore-call-place')

/** Sends the create again when its reply is lost, and writes no stack. `ask` answers with the JSON of a reply, or fails. */
const script = (ask: string) => `import { scheduler } from 'node:timers/promises'
${ask}
const body = { model: 'model_a_25', content: [{ type: 'text', text: 'a kite' }], duration: 4 }
const create = () => ask('POST', '', JSON.stringify(body))
const { id } = await create().catch(create)
for (;;) {
  const { status, content } = await ask('GET', '/' + id)
  if (status === 'succeeded') { await (await fetch(content.video_url)).arrayBuffer(); break }
  await scheduler.wait(5000)
}
`
const head = `const { GATEWAY_EMULATOR_URL: url, GATEWAY_EMULATOR_KEY: key } = process.env
const headers = { Authorization: 'Bearer ' + key, 'Content-Type': 'application/json' }
const tasks = url + '/api/v3/contents/generations/tasks'`

const python = `import json, os, time, urllib.request
tasks = os.environ["GATEWAY_EMULATOR_URL"] + "/api/v3/contents/generations/tasks"
headers = {"Authorization": "Bearer " + os.environ["GATEWAY_EMULATOR_KEY"], "Content-Type": "application/json"}
def ask(path, body=None):
    data = body and json.dumps(body).encode()
    return json.load(urllib.request.urlopen(urllib.request.Request(tasks + path, data, headers)))
body = {"model": "model_a_25", "content": [{"type": "text", "text": "a kite"}], "duration": 4}
try:
    task = ask("", body)
except OSError:
    task = ask("", body)
while True:
    found = ask("/" + task["id"])
    if found["status"] == "succeeded":
        break
    time.sleep(5)
urllib.request.urlopen(found["content"]["video_url"]).read()
`

it.each([
  [
    'fetch',
    'app.mjs',
    5,
    script(`${head}
const ask = async (method, path, body) => (await fetch(tasks + path, { method, headers, body })).json()`),
  ],
  [
    'node:http',
    'app.mjs',
    7,
    script(`import { request } from 'node:http'
${head}
const ask = (method, path, body) => new Promise((resolve, reject) => {
  request(tasks + path, { method, headers }, async reply => {
    const parts = await reply.toArray().catch(reject)
    resolve(JSON.parse(Buffer.concat(parts).toString()))
  }).on('error', reject).end(body)
})`),
  ],
  ['urllib', 'app.py', 6, python],
])(
  'a problem without a stack is shown at the call that failed, when %s made it (docs/ci.md)',
  async (_, file, line, text) => {
    const cwd = mkdtempSync(join(folder, 'program-'))
    writeFileSync(join(cwd, file), text)
    const command = file.endsWith('.py') ? await findPython() : 'node'
    const words = ['explore', '--only', 'a.create#1 reply_lost', '--out', 'out', '--', command, file]
    const { stdout, stderr } = await runCommand(words, {}, cwd)
    expect(stdout, stderr).toContain('paid_twice')
    const { causes }: Report = JSON.parse(readFileSync(join(cwd, 'out/report.json'), 'utf8'))
    expect(causes).toMatchObject([{ where: null, file, line, verdict: 'paid_twice' }])
    const sarif = JSON.parse(readFileSync(join(cwd, 'out/report.sarif'), 'utf8'))
    expect(sarif.runs[0].results[0].locations[0].physicalLocation).toMatchObject({
      artifactLocation: { uri: file },
      region: { startLine: line },
    })
  },
)
