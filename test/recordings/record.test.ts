import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import http from 'node:http'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, describe, expect, it, onTestFinished } from 'vitest'
import { run } from '../../src/cli/commands/record.ts'
import { UsageError } from '../../src/emulator/options/flags.ts'
import { runCommand } from '../support/emulator-process.ts'
import { text, video as videoItem } from '../support/family-a.ts'
import { fetchJson } from '../support/fetch-json.ts'
import { ownFolder } from '../support/folders.ts'
import { openGateway } from '../support/gateway.ts'
import { harProblems } from '../support/har-schema.ts'
import { serverOfTest } from '../support/input-server.ts'
import { video } from '../support/journey.ts'
import { recordAt } from '../support/recorder.ts'
import { serve } from '../support/run.ts'

const gateway = await openGateway()
const recorder = await recordAt(gateway.url)
afterAll(() => recorder.close())
const tasks = '/api/v3/contents/generations/tasks'
const key = 'sk-test-recorded'
const ask = (url: string, method: string, body?: unknown) => fetchJson(url, method, body, key)

async function recording(upstream: string) {
  const made = await recordAt(upstream)
  onTestFinished(() => made.close())
  return made
}

describe('a job through the recorder (docs/recordings.md)', () => {
  it('is unchanged, except that its links lead through the recorder', async () => {
    const made = await ask(recorder.url + tasks, 'POST', video('hidden words', { model: 'model_a_20' }))
    expect(made.status).toBe(200)
    await gateway.control('POST', '/worlds/recorded/clock/advance', { until: 'idle' })
    const { body: task } = await ask(`${recorder.url}${tasks}/${made.body.id}`, 'GET')
    expect(task.status).toBe('succeeded')
    expect(task.content.video_url.startsWith(`${recorder.url}/files/`)).toBe(true)
    const direct = await gateway.download(task.content.video_url.replace(recorder.url, gateway.url))
    const file = await fetch(task.content.video_url)
    expect(Buffer.from(await file.arrayBuffer()).equals(direct.bytes)).toBe(true)
    expect(file.headers.get('content-length')).toBe(String(direct.bytes.length))
    const part = await fetch(task.content.video_url, { headers: { Range: 'bytes=0-99' } })
    expect(part.status).toBe(206)
    await part.arrayBuffer()
    const entries = await recorder.entries()
    expect(entries.map(entry => entry._gateway?.operation)).toEqual([
      'a.create',
      'a.get',
      'media.download',
      'media.download',
    ])
    const [create, get, download] = entries
    expect(create?.request.url).toBe(`https://gateway.redacted${tasks}`)
    const recorded = JSON.parse(get?.response.content.text ?? '')
    expect(recorded.content.video_url.split('?')[0]).toBe(download?.request.url.split('?')[0])
    expect(download?._gateway?.media).toMatchObject({
      type: 'video/mp4',
      bytes: direct.bytes.length,
      sha256: createHash('sha256').update(direct.bytes).digest('hex'),
      seconds: expect.closeTo(4, 1),
      fps: 24,
      audio: true,
    })
    expect(harProblems(JSON.parse(readFileSync(recorder.path, 'utf8')))).toEqual([])
    const whole = readFileSync(recorder.path, 'utf8')
    for (const secret of ['sk-test', 'hidden words', recorder.url]) expect(whole).not.toContain(secret)
  })

  it('when a client sends a result as an input, the gateway receives its own link', async () => {
    const list = await ask(`${recorder.url}${tasks}`, 'GET')
    const link = list.body.items[0].content.video_url
    const body = { model: 'model_a_25', content: [text('go on'), videoItem(link)] }
    expect(link).toContain(recorder.url)
    expect((await ask(recorder.url + tasks, 'POST', body)).status).toBe(200)
    const { body: seen } = await gateway.control(
      'GET',
      '/worlds/recorded/requests?operation=a.create&limit=1',
    )
    expect(JSON.stringify(seen.items[0].request.body)).toContain(`${gateway.url}/files/`)
  })
})

describe('other gateways', () => {
  it('a link to another host passes through the recorder too, and no other host can be reached', async () => {
    const store = await serverOfTest((request, response) => {
      response.writeHead(200, { 'Content-Type': 'image/png' }).end(`bytes of ${request.url}`)
    })
    const upstream = await serverOfTest((_, response) => {
      const go = JSON.stringify({
        content: { video_url: `${store}/b/v.png?a=1&Signature=abcdefabcdef` },
        prompt: `${store}/x`,
      })
      response
        .writeHead(200, { 'Content-Type': 'application/json' })
        .end(go.replaceAll('&', '\\u0026').replaceAll('/', '\\/'))
    })
    const { url, entries } = await recording(`${upstream}/base/`)
    const { body } = await ask(`${url}/api/v1/tasks/1`, 'GET')
    expect(body.prompt).toBe(`${store}/x`)
    expect(body.content.video_url.startsWith(`${url}/`)).toBe(true)
    expect(await (await fetch(body.content.video_url)).text()).toBe(
      'bytes of /b/v.png?a=1&Signature=abcdefabcdef',
    )
    const foreign = Buffer.from('http://127.0.0.1:1').toString('base64url')
    expect((await fetch(`${url}/__recorded/${foreign}/x`)).status).toBe(404)
    const [first, second] = await entries()
    expect(first?.request.url).toBe('https://gateway.redacted/text:4/api/v1/tasks/text:1')
    expect(second?._gateway).toMatchObject({ operation: 'media.download', media: { bytes: 44 } })
  })

  it('a compressed reply is read, and so is a plain reply that is announced as compressed', async () => {
    const upstream = await serverOfTest((request, response) => {
      const text = Buffer.from('{"id":"cgt-1"}')
      response
        .writeHead(200, { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' })
        .end(request.url?.includes('packed') ? gzipSync(text) : text)
    })
    const { url, entries } = await recording(upstream)
    for (const path of ['/packed', '/plain'])
      expect((await ask(url + path, 'GET')).body).toEqual({ id: 'cgt-1' })
    expect((await entries()).map(({ response }) => response.content.text)).toEqual([
      '{"id":"text:5"}',
      '{"id":"text:5"}',
    ])
  })

  it('large bodies arrive unchanged in both directions, and the recording has their sizes instead of them', async () => {
    const megabytes = 16
    const upstream = await serverOfTest((request, response) => {
      const hash = createHash('sha256')
      request
        .on('data', chunk => hash.update(chunk))
        .on('end', () => {
          response.writeHead(200, { 'Content-Type': 'video/mp4', 'X-Seen': hash.digest('hex') })
          let left = megabytes
          const more = (): void => {
            while (left > 0) {
              left--
              if (!response.write(Buffer.alloc(1024 * 1024, left))) return void response.once('drain', more)
            }
            response.end()
          }
          more()
        })
    })
    const { url, entries } = await recording(upstream)
    const sent = Buffer.alloc(megabytes * 1024 * 1024, 'x')
    const reply = await fetch(`${url}/up`, {
      method: 'POST',
      body: sent,
      headers: { 'Content-Type': 'text/plain' },
    })
    expect(reply.headers.get('x-seen')).toBe(createHash('sha256').update(sent).digest('hex'))
    const parts = Array.from({ length: megabytes }, (_, i) => Buffer.alloc(1024 * 1024, megabytes - 1 - i))
    expect(Buffer.from(await reply.arrayBuffer()).equals(Buffer.concat(parts))).toBe(true)
    const [entry] = await entries()
    expect(entry).toMatchObject({ request: { bodySize: sent.length }, response: { bodySize: sent.length } })
    expect(JSON.stringify(entry).length).toBeLessThan(4000)
  })

  it('when the upstream cannot be reached, the reply is a 502 in JSON with the reason, and it is recorded', async () => {
    const { url, entries } = await recording('http://127.0.0.1:9')
    const { status, body } = await ask(url + tasks, 'POST', { model: 'x' })
    expect(status).toBe(502)
    expect(body.error).toMatchObject({
      code: 'upstream_unreachable',
      message: expect.stringContaining('127.0.0.1:9'),
    })
    expect(await entries()).toMatchObject([
      { response: { status: 502 }, _gateway: { problem: 'upstream_unreachable' } },
    ])
  })

  it('a reply that breaks off is recorded with this problem, and breaks off for the client too', async () => {
    const upstream = await serverOfTest((_, response) => {
      response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': 100 })
      response.write('{"id":')
      setImmediate(() => response.destroy())
    })
    const { url, entries } = await recording(upstream)
    await expect(ask(`${url}/x`, 'GET')).rejects.toThrow()
    await expect.poll(async () => (await entries()).length).toBe(1)
    expect(await entries()).toMatchObject([{ _gateway: { problem: 'upstream_broke_off' } }])
  })

  it('when a client leaves, the exchange is recorded with this problem and the request to the gateway ends', async () => {
    let left = false
    const upstream = await serverOfTest(request => request.on('close', () => (left = true)))
    const { url, entries } = await recording(upstream)
    const call = http.get(`${url}/x`).on('error', () => undefined)
    call.on('socket', socket => socket.on('connect', () => setImmediate(() => call.destroy())))
    await expect.poll(async () => (await entries())[0]?._gateway?.problem).toBe('client_left')
    await expect.poll(() => left).toBe(true)
  })

  it('a reply that the end of the recorder cuts is recorded as cut by it, not as a client that left', async () => {
    let asked = 0
    const upstream = await serverOfTest((_, response) => {
      asked++
      response.writeHead(200, { 'Content-Type': 'application/json' })
      response.write('{"id":')
    })
    const recorder = await recordAt(upstream)
    const cut = expect(ask(`${recorder.url}/x`, 'GET')).rejects.toThrow()
    await expect.poll(() => asked).toBe(1)
    await recorder.close()
    await cut
    expect(await recorder.entries()).toMatchObject([{ _gateway: { problem: 'recorder_ended' } }])
  })
})

describe('gateway-emulator record', () => {
  const folder = ownFolder('record')
  const main = new URL('../../dist/main.js', import.meta.url).pathname
  const at = (out: string, port: string) => [
    'record',
    '--upstream',
    gateway.url,
    '--out',
    out,
    '--port',
    port,
  ]

  it('prints a line of JSON when it is ready, and leaves a valid file when it ends (docs/recordings.md)', async () => {
    const out = join(folder, 'one.har')
    const more = ['--log', 'json', '--keep', 'page_num', '--keep', 'note']
    const { url, stop } = await serve(process.execPath, [main, ...at(out, '0'), ...more])
    expect((await ask(`${url}${tasks}/none-such-customer?page_num=kept&note=kept-too`, 'GET')).status).toBe(
      404,
    )
    // Also before it ends: when a recorder is killed, the file has every reply that a client received completely.
    const early = JSON.parse(readFileSync(out, 'utf8'))
    expect(early.log.entries.length).toBe(1)
    await stop()
    const whole = JSON.parse(readFileSync(out, 'utf8'))
    expect(harProblems(whole)).toEqual([])
    expect(whole.log.entries.length).toBe(1)
    expect(JSON.stringify(whole)).not.toContain('none-such-customer')
    expect(whole.log.entries[0].request.url).toContain('page_num=kept&note=kept-too')
    const again = await runCommand(['record', '--upstream', gateway.url, '--out', out])
    expect([again.code, again.stderr]).toEqual([2, expect.stringContaining('holds')])
  })

  it.each(
    // biome-ignore format: a table, one row a line
    [
    [[], '--upstream'],
    [['--upstream', 'ftp://x', '--out', 'y.har'], 'ftp://x'],
    [['--upstream', 'http://x'], '--out'],
    [['--upstrem', 'http://x'], '--upstream'],
    [['--upstream', 'http://x', '--out', 'y.har', '--port', '70000'], '70000'],
    [['--upstream', 'http://x', '--out', 'y.har', '--keep', ''], '--keep: "" is not a path of names such as error.code'],
    [['--upstream', 'http://x', '--out', 'y.har', '--keep', 'content[0].note'], '"content[0].note" is not a path'],
  ],
  )('%j is wrong usage and says %s', async (args, said) => {
    const ended = run(args)
    await expect(ended).rejects.toThrow(UsageError)
    await expect(ended).rejects.toThrow(said)
    expect(existsSync('y.har')).toBe(false)
  })

  it('exits with 1 when the port is in use', async () => {
    const taken = new URL(gateway.url).port
    const out = join(folder, 'taken.har')
    const { code, stderr } = await runCommand(at(out, taken))
    expect([code, stderr]).toEqual([1, expect.stringContaining(taken)])
  })
})
