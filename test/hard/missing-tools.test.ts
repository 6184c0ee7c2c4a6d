import { cpSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { type EmulatorProcess, runCommand, startProcess } from '../support/emulator-process.ts'
import { image, tasksPath, text, textBody } from '../support/family-a.ts'
import { fetchJson } from '../support/fetch-json.ts'
import { ownFolder } from '../support/folders.ts'
import { root } from '../support/fresh-build.ts'
import { isAlive, noneIsLeft, within } from '../support/left-processes.ts'
import { countedProgram } from '../support/pool-jobs.ts'
import { run, serve } from '../support/run.ts'

const folder = ownFolder('missing-tools')

/** The record of a small video when nothing changes any more. */
async function finishedOn({ call }: EmulatorProcess) {
  const { body } = await call('POST', tasksPath, textBody({ resolution: '480p', duration: 4 }))
  await call('POST', '/__emulator/clock/advance', { until: 'idle' })
  return (await call('GET', `${tasksPath}/${body.id}`)).body
}

describe('the package without the parts of sharp for this system, as after npm install --omit=optional', () => {
  const package_ = join(folder, 'package')
  const modules = join(package_, 'node_modules')
  const main = join(package_, 'dist/main.js')
  beforeAll(() => {
    for (const entry of ['dist', 'package.json'])
      cpSync(join(root, entry), join(package_, entry), { recursive: true })
    for (const entry of ['fixtures', 'scenarios', 'docs'])
      symlinkSync(join(root, entry), join(package_, entry))
    mkdirSync(join(modules, '@img'), { recursive: true })
    for (const name of readdirSync(join(root, 'node_modules')))
      if (name !== '@img' && name !== 'sharp' && !name.startsWith('.'))
        symlinkSync(join(root, 'node_modules', name), join(modules, name))
    for (const name of ['sharp', '@img/colour'])
      cpSync(join(root, 'node_modules', name), join(modules, name), { recursive: true })
  })

  it('answers a picture with a 503 that says what to install, and never blames the picture', async () => {
    const server = await serve(process.execPath, [main, '--port', '0', '--log', 'json', '--clock', 'manual'])
    const post = (path: string, body: object) => fetchJson(server.url + path, 'POST', body, 'sk-emulator')
    const url = `${server.url}/__emulator/samples/landscape.jpg`
    const replies = [
      await post(tasksPath, { model: 'model_a_25', content: [text('a boat'), image(url, 'first_frame')] }),
      await post('/api/v3/images/generations', { model: 'model_image', prompt: 'a boat', image: url }),
    ]
    for (const reply of replies) {
      expect(reply.status).toBe(503)
      expect(JSON.stringify(reply.body)).toContain('npm install --include=optional sharp')
    }
    await server.stop()
  })

  it('doctor says so and ends with 1', async () => {
    const doctor = await run(process.execPath, [main, 'doctor'])
    expect(doctor.stdout).toMatch(/^sharp +not found: .*npm install --include=optional sharp/m)
    expect(doctor.code).toBe(1)
  })
})

describe('the package without its ffmpeg, as after npm install --omit=optional', () => {
  const name = '@ffmpeg-installer/ffmpeg'
  const environment = { NODE_OPTIONS: `--import ${join(folder, 'without.mjs')}`, PATH: '/nowhere' }
  beforeAll(() => {
    const resolver = `export function resolve(name, context, next) {
      if (name.startsWith('@ffmpeg-installer/')) throw new Error('Cannot find package ' + name)
      return next(name, context)
    }`
    const source = `data:text/javascript,${encodeURIComponent(resolver)}`
    writeFileSync(
      join(folder, 'without.mjs'),
      `import { register } from 'node:module'\nregister(${JSON.stringify(source)})\n`,
    )
  })

  it('makes tasks and pictures; the link of a video answers 503 and names the package', async () => {
    const server = await startProcess(['--clock', 'manual'], environment)
    const task = await finishedOn(server)
    expect(task.status).toBe('succeeded')
    const video = await fetch(task.content.video_url)
    expect([video.status, video.headers.get('content-type')]).toEqual([503, 'application/xml'])
    expect(await video.text()).toMatch(
      new RegExp(
        `^<\\?xml .*\\n<Error><Code>ServiceUnavailable</Code><Message>The optional package ${name}, `,
      ),
    )
    const picture = { model: 'model_image', prompt: 'a boat', response_format: 'url' }
    const { status, body: drawn } = await server.call('POST', '/api/v3/images/generations', picture)
    expect([status, (await fetch(drawn.data[0].url)).status]).toEqual([200, 200])
    const { stderr } = await server.end('SIGTERM')
    expect(stderr).toContain(`{"level":"info","message":"The optional package ${name}, `)
  }, 120_000)

  it('doctor says so and ends with 1', async () => {
    const doctor = await runCommand(['doctor'], environment)
    expect(doctor.stdout).toMatch(
      new RegExp(`^ffmpeg +not found: The optional package ${name}, .*npm install --include=optional`, 'm'),
    )
    expect(doctor.code).toBe(1)
  })
})

describe('an ffmpeg that does not answer when it is asked what it can do', () => {
  it('is told at the start and in the reply, and is ended', async () => {
    const { path, runs } = countedProgram(folder, 'exec sleep 600')
    const server = await startProcess(['--clock', 'manual'], { FFMPEG_PATH: path })
    const { content } = await finishedOn(server)
    const reply = await fetch(content.video_url)
    expect(reply.status).toBe(500)
    const reason = `FFMPEG_PATH is ${path}, which does not run: it gives no answer: the work stood still for 5 s`
    expect(await reply.text()).toContain(reason)
    await noneIsLeft(runs())
    expect((await server.end('SIGTERM')).stderr).toContain(`{"level":"info","message":"${reason}`)
  }, 120_000)

  it('ends with the server that has asked it', async () => {
    const { path, runs } = countedProgram(folder, 'exec sleep 600')
    const server = await startProcess(['--clock', 'manual'], { FFMPEG_PATH: path })
    await expect.poll(() => runs().some(isAlive), within).toBe(true)
    expect((await server.end('SIGTERM')).code).toBe(0)
    await noneIsLeft(runs())
  }, 120_000)
})

it('tour names the reason and doctor when the file cannot be made', async () => {
  const { code, stderr } = await runCommand(['tour'], { FFMPEG_PATH: '/nowhere/ffmpeg' })
  expect(code).toBe(1)
  expect(stderr).toMatch(/FFMPEG_PATH is \/nowhere\/ffmpeg, which does not run[\s\S]*gateway-emulator doctor/)
})
