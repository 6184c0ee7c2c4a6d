import { expect, it } from 'vitest'
import { reportOf } from '../support/explore-runs.ts'
import { writtenFiles } from '../support/written-files.ts'

const { written } = writtenFiles('explore-killed-beside-')

/** Keeps what it is sent in a file. */
const store = written(
  'store.mjs',
  `import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
createServer(async (request, response) => {
  for await (const part of request) writeFileSync(process.argv[3], part)
  response.end()
}).listen(Number(process.argv[2]), '127.0.0.1')
`,
)
/** Makes a video when it is asked, and tells the store after each step; with "again" until the store has heard it. */
const web = written(
  'web.mjs',
  `import { createServer } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
const [, , port, storePort, manner] = process.argv
const { GATEWAY_EMULATOR_URL: url, GATEWAY_EMULATOR_KEY: key } = process.env
const headers = { Authorization: 'Bearer ' + key, 'Content-Type': 'application/json' }
const soon = () => ({ signal: AbortSignal.timeout(20_000) })
async function tell(step) {
  for (let left = manner === 'again' ? 20 : 0; ; left--)
    try {
      return await fetch('http://127.0.0.1:' + storePort, { method: 'POST', body: step })
    } catch (error) {
      if (left === 0) throw new Error('the store did not hear of ' + step)
      await pause(200)
    }
}
async function make() {
  const tasks = url + '/api/v3/contents/generations/tasks'
  const body = JSON.stringify({ model: 'model_a_20', content: [{ type: 'text', text: 'a lake --dur 4' }] })
  const { id } = await (await fetch(tasks, { method: 'POST', headers, body, ...soon() })).json()
  await tell('created')
  for (;;) {
    const { status, content } = await (await fetch(tasks + '/' + id, { headers, ...soon() })).json()
    if (status === 'succeeded') return (await fetch(content.video_url, soon())).arrayBuffer()
    await pause(5000)
  }
}
createServer(async (_, response) => {
  try {
    await make()
    await tell('fetched')
    response.end()
  } catch (error) {
    console.error(error.message)
    response.writeHead(500).end()
  }
}).listen(Number(port), '127.0.0.1')
`,
)
const driver = written(
  'drive.mjs',
  `const { status } = await fetch('http://127.0.0.1:' + process.argv[2])
if (status !== 200) { console.error('answered with', status); process.exit(1) }
`,
)

/** The points at which the store of this system is killed. */
async function killed(manner: 'again' | 'once', points: readonly string[]) {
  const file = written(
    `${manner}.yaml`,
    `services:
  store: { command: 'node ${store} {port.store} {state}/steps', ready: tcp, beside: true }
  web: { command: 'node ${web} {port.web} {port.store} ${manner}', ready: tcp, depends_on: [store] }
driver: node ${driver} {port.web}
`,
  )
  const only = points.flatMap(point => ['--only', point])
  const { restarts, stderr } = await reportOf(['--system', file, '--kill', 'store', ...only])
  const played = restarts.map(({ operation, id }) => `${operation} ${id}`)
  expect(played, stderr).toEqual(points)
  return restarts
}

const fetching = ['before', 'after', 'during'].map(moment => `media.download killed_${moment}`)

it('a part beside that is killed leaves the call of another service as it is: whoever comes back to it has resumed', async () => {
  for (const row of await killed('again', ['a.create killed_before', 'a.create killed_after', ...fetching])) {
    expect(row, row.evidence).toMatchObject({
      verdict: 'resumed',
      service: 'web',
      system: { killed: 'store' },
    })
    const { calls = [], started_again_at = '' } = row.system ?? {}
    const call = calls.find(({ operation }) => operation === row.operation)
    expect(call).toMatchObject({ status: 200 })
    // A second of virtual time after it was killed, which was before the call was answered.
    expect(Date.parse(started_again_at) - Date.parse(call?.at ?? '')).toBeGreaterThanOrEqual(1000)
    expect(call).not.toHaveProperty('broken')
  }
})

it('a service that does not come back to a part beside is to blame for that, and for no call that hung', async () => {
  for (const row of await killed('once', ['a.create killed_after', 'media.download killed_during'])) {
    const step = row.operation === 'a.create' ? 'created' : 'fetched'
    expect(row, row.evidence).toMatchObject({ verdict: 'stuck', system: { killed: 'store' } })
    expect(row.log).toContain(`web | the store did not hear of ${step}`)
  }
})
