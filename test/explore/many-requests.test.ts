import { expect, it } from 'vitest'
import { explore } from '../../src/explore/play/explore.ts'
import { exploreSettings } from '../../src/explore/play/options.ts'
import { commandSubject } from '../../src/explore/run/run-command.ts'
import { emptyStates } from '../../src/explore/run/state-folder.ts'
import { startForTest } from '../support/start-for-test.ts'
import { writtenFiles } from '../support/written-files.ts'

const emulator = await startForTest({})
const { folder, written } = writtenFiles('many-requests')

/** Fetches its first video. Asks 13,000 times for a second one that never ends, with a rest after the first 3,000. */
const client = written(
  'client.mjs',
  `import { Agent, request } from 'node:http'
import { setTimeout as rest } from 'node:timers/promises'
const { GATEWAY_EMULATOR_URL: url, GATEWAY_EMULATOR_KEY: key } = process.env
const tasks = url + '/api/v3/contents/generations/tasks'
const agent = new Agent({ keepAlive: true, maxSockets: 20 })
const call = (at, body) => new Promise((done, fail) => {
  const headers = { Authorization: 'Bearer ' + key, 'Content-Type': 'application/json' }
  request(at, { agent, method: body ? 'POST' : 'GET', headers }, async reply => {
    let text = ''
    for await (const part of reply) text += part
    done(JSON.parse(text))
  }).on('error', fail).end(body)
})
const content = [{ type: 'text', text: 'a kite' }]
const body = JSON.stringify({ model: 'model_a_25', content, ratio: '16:9', duration: 4 })
const first = (await call(tasks, body)).id
let task
do task = await call(tasks + '/' + first)
while (task.status !== 'succeeded')
await (await fetch(task.content.video_url)).arrayBuffer()
const second = (await call(tasks, body)).id
const ask = async count => {
  for (let left = count; left > 0; left--) {
    task = await call(tasks + '/' + second)
    if (task.status === 'succeeded') return (await fetch(task.content.video_url)).arrayBuffer()
  }
}
await Promise.all(Array.from({ length: 20 }, () => ask(150)))
if (task.status !== 'succeeded') {
  await rest(3000)
  await Promise.all(Array.from({ length: 20 }, () => ask(500)))
  console.error('no second video')
  process.exitCode = 1
}
`,
)

it('what a program received before its journal was full is not lost', async () => {
  const subject = commandSubject({ program: 'node', args: [client], env: [], inherited: process.env })
  const only = ['a.create#2 task_stuck']
  const chosen = exploreSettings({ only, limit: '2m' }, '2026-01-01T00:00:00Z')
  const settings = { ...chosen, time: 'real' as const, folder }
  const { cases } = await explore({ emulator, subject, states: emptyStates, settings })
  expect(cases).toMatchObject([{ verdict: 'told', end: 'told', bill: { verdict: 'less', lost: 0 } }])
}, 200_000)
