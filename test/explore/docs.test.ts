import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { runCommand } from '../support/emulator-process.ts'
import { ownFolder } from '../support/folders.ts'
import { freePort } from '../support/free-port.ts'

const read = (name: string) =>
  readFileSync(fileURLToPath(new URL(`../../docs/${name}`, import.meta.url)), 'utf8')
const page = read('explore.md')

const folder = ownFolder('explore-docs')
/** The same moment and data directory for all commands, so that their file is rendered once. */
const kept = {
  GATEWAY_EMULATOR_DATA: join(folder, 'data'),
  GATEWAY_EMULATOR_NOW: '2026-01-01T00:00:00Z',
}

/** A web app that makes a video for its user. */
const webApp = `import { createServer } from 'node:http'
const { GATEWAY_EMULATOR_URL, GATEWAY_EMULATOR_KEY, PORT } = process.env
const headers = { Authorization: 'Bearer ' + GATEWAY_EMULATOR_KEY, 'Content-Type': 'application/json' }
const call = (path, init) => fetch(GATEWAY_EMULATOR_URL + '/api/v3/contents/generations/tasks' + path, { headers, ...init })
const video = { id: 1, status: 'working' }
async function make(prompt) {
  const body = JSON.stringify({ model: 'model_a_25', content: [{ type: 'text', text: prompt }], duration: 4 })
  const { id } = await (await call('', { method: 'POST', body })).json()
  let task = { status: 'queued' }
  while (['queued', 'running'].includes(task.status)) {
    await new Promise(done => setTimeout(done, 5000))
    task = await (await call('/' + id)).json()
  }
  if (task.status !== 'succeeded') return Object.assign(video, { status: 'failed', message: task.error.message })
  await (await fetch(task.content.video_url)).arrayBuffer()
  video.status = 'ready'
}
createServer((request, response) => {
  if (request.method === 'POST') request.on('data', text => make(JSON.parse(text).prompt))
  response.end(JSON.stringify(video))
}).listen(PORT, '127.0.0.1')
`

describe('the page about explore (docs/explore.md)', () => {
  // As the page sets it, from a project that has the package.
  const [, clients = ''] = /^clients=node_modules\/generation-gateway-emulator\/(\S+)$/m.exec(page) ?? []
  const commands = [...page.matchAll(/^npx --no-install gateway-emulator (explore .*\$clients\/.*)$/gm)].map(
    ([, line = '']) => line.replace('$clients', clients),
  )

  it('has a driver for a web app, whose user gets the video, and is told of a failure', async () => {
    const [, driver = ''] = /```js\n(\/\/ drive\.mjs\n[\s\S]*?)```/.exec(page) ?? []
    const [, line = ''] = /gateway-emulator (explore .*) -- node drive\.mjs/.exec(page) ?? []
    const [app, drive] = [join(folder, 'app.mjs'), join(folder, 'drive.mjs')]
    writeFileSync(app, webApp)
    writeFileSync(
      drive,
      driver.replaceAll('4321', String(await freePort())).replace("'app.mjs'", JSON.stringify(app)),
    )
    const options = ['--only', 'a.create#1 task_failed', '--reporter', 'json']
    const args = [...line.split(' '), ...options, '--', 'node', drive]
    const { code, stdout, stderr } = await runCommand(args, kept)
    expect(code, stderr).toBe(0)
    const { time, cases } = JSON.parse(stdout)
    expect(time.used).toBe('virtual')
    expect(cases).toMatchObject([{ verdict: 'told' }])
  })

  it('has a command for each of its clients', () => {
    expect(commands).toHaveLength(6)
  })

  // One case is enough: the complete runs and the measurements are tests of their own, and one of the two of the plain client is played.
  it.each(commands.filter(line => !/^explore (-- node .*plain|--patience|--need)/.test(line)))(
    '%s',
    async line => {
      const words = [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '')
      const args = words.includes('--only')
        ? words
        : ['explore', '--only', 'a.create#1 reply_lost', ...words.slice(1)]
      const { code, stdout, stderr } = await runCommand(args, kept)
      expect(stdout, stderr).toContain('1 case at')
      expect(code).toBe(line.includes('plain-client') ? 1 : 0)
    },
  )
})
