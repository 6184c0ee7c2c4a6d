import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import request from 'supertest'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { assembleInMemory, type Listening, listen } from '../src/emulator/server/emulator.ts'
import { createEmulator } from '../src/index.ts'
import { tasksPath, textBody } from './support/family-a.ts'
import { ownFolder } from './support/folders.ts'
import { freePort } from './support/free-port.ts'
import { oneVideoForAll } from './support/job-answers.ts'
import { type PlainClient, plainClient } from './support/plain-client.ts'

oneVideoForAll()

const example = readFileSync(new URL('../docs/examples/nginx.conf', import.meta.url), 'utf8')
const isInstalled = spawnSync('nginx', ['-v']).status === 0

describe('the nginx example', () => {
  it('has balanced braces, and a semicolon after each statement', () => {
    const lines = example.split('\n').map(line => line.replace(/(^|\s)#.*$/, '').trim())
    let depth = 0
    for (const line of lines) {
      expect(line === '' || /[;{}]$/.test(line), line).toBe(true)
      depth += (line.match(/\{(\s|$|\})/g)?.length ?? 0) - (line.match(/^\}|\{\}$/g)?.length ?? 0)
      expect(depth, line).toBeGreaterThanOrEqual(0)
    }
    expect(depth).toBe(0)
  })

  it('chooses the replica by the world, always the same one, and sends no request twice', () => {
    expect(example).toMatch(/hash \$world consistent;/)
    expect(example).toMatch(/proxy_next_upstream off;/)
    expect(example.match(/^\s+server 127\.0\.0\.1:\d+/gm)).toHaveLength(3)
  })
})

describe('the examples for Kubernetes, of which only this is tried', () => {
  const kubernetes = (name: string) =>
    parseAllDocuments(readFileSync(new URL(`../docs/examples/${name}`, import.meta.url), 'utf8')).map(
      document => document.toJS(),
    )
  const mapsIn = (text: string) => text.match(/map [^}]*\}/g)?.map(map => map.replaceAll(/\s+/g, ' '))

  it('spread worlds by the same maps as the nginx example', () => {
    const documents = kubernetes('kubernetes-replicas.yaml')
    const maps = documents.find(({ kind }) => kind === 'ConfigMap').data['http-snippet']
    expect(mapsIn(maps)).toHaveLength(2)
    expect(mapsIn(maps)).toEqual(mapsIn(example))
    const { annotations } = documents.find(({ kind }) => kind === 'Ingress').metadata
    expect(annotations['nginx.ingress.kubernetes.io/upstream-hash-by']).toBe('$world')
  })

  it.each([
    ['kubernetes.yaml', 'http://gateway:8585'],
    ['kubernetes-replicas.yaml', 'http://gateway-0.gateway-replicas:8585'],
  ])('%s: the probe is answered by an emulator with this public URL', async (name, publicUrl) => {
    const [workload] = kubernetes(name)
    const [container] = workload.spec.template.spec.containers
    const { value } = container.env.find(
      (one: { name: string }) => one.name === 'GATEWAY_EMULATOR_PUBLIC_URL',
    )
    expect(value.replace('$(POD)', 'gateway-0')).toBe(publicUrl)
    const { path, httpHeaders } = container.readinessProbe.httpGet
    const app = createEmulator({ publicUrl })
    const probe = await request(app).get(path).set('Host', httpHeaders[0].value)
    const unnamed = await request(app).get(path).set('Host', '10.1.2.3:8585')
    await app.close()
    expect([probe.status, unnamed.status]).toEqual([200, 403])
  })
})

if (isInstalled) describe('three replicas behind a real nginx', runReplicas)
else it('three replicas (not tried: no nginx was found, apt-get install nginx-light)', () => {})

function runReplicas(): void {
  const folder = ownFolder('replicas')
  const replicas: Listening[] = []
  const worlds = Array.from({ length: 60 }, (_, number) => `team-${number}`)
  let nginx: ChildProcess
  let client: PlainClient
  let url = ''

  beforeAll(async () => {
    let text = example
    for (const port of [8601, 8602, 8603]) {
      const own = await freePort()
      const publicUrl = `http://127.0.0.1:${own}`
      const clock = { mode: 'manual', rate: 1 } as const
      replicas.push(await listen(assembleInMemory({ port: own, publicUrl, clock, strict: true })))
      text = text.replaceAll(String(port), String(own))
    }
    const front = await freePort()
    url = `http://127.0.0.1:${front}`
    writeFileSync(join(folder, 'nginx.conf'), text.replaceAll('8585', String(front)))
    for (const name of ['body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']) mkdirSync(join(folder, name))
    nginx = spawn('nginx', ['-p', folder, '-c', 'nginx.conf', '-g', 'daemon off;'], {
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    client = plainClient(url)
    const isUp = () =>
      client.send({ method: 'GET', path: '/__emulator/health' }).then(
        ({ status }) => status,
        () => 0,
      )
    await vi.waitFor(async () => expect(await isUp()).toBe(200), { timeout: 10_000, interval: 50 })
  })

  afterAll(async () => {
    client.close()
    const over = once(nginx, 'exit')
    nginx.kill('SIGQUIT')
    await over
    await Promise.all(replicas.map(replica => replica.close()))
  })

  const send = (method: string, path: string, key: string, body?: unknown) =>
    client.send({
      method,
      path,
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
  /** Which replicas know a world. */
  const homesOf = (world: string) =>
    replicas.flatMap(({ emulator }, index) => (emulator.services.worlds.find(world) ? [index] : []))

  it('keep each world in one replica, for any account, any family and the control API', async () => {
    for (const world of worlds) {
      const made = await send('POST', tasksPath, `sk-test-${world}`, textBody())
      expect(made.status, made.text).toBe(200)
      const { id } = JSON.parse(made.text)
      expect((await send('GET', `${tasksPath}/${id}`, `sk-test-${world}`)).status).toBe(200)
      expect((await send('GET', tasksPath, `sk-test-${world}.poor`)).status).toBe(200)
      expect((await send('GET', '/tasks?task_ids=x', `sk-test-${world}`)).status).toBe(200)
      const { text } = await client.send({ method: 'GET', path: `/__emulator/worlds/${world}/tasks` })
      expect(JSON.parse(text).items.map((task: { id: string }) => task.id)).toEqual([id])
      expect(homesOf(world)).toHaveLength(1)
    }
    const counts = [0, 1, 2].map(index => worlds.filter(world => homesOf(world)[0] === index).length)
    for (const count of counts) expect(count).toBeGreaterThan(5)
  })

  it('give links that return the file without a key', async () => {
    const [world = ''] = worlds
    const key = `sk-test-${world}`
    const body = textBody({ model: 'model_a_20', resolution: '480p', duration: 4 })
    const { id } = JSON.parse((await send('POST', tasksPath, key, body)).text)
    await client.send({ path: `/__emulator/worlds/${world}/clock/advance`, body: '{"until":"idle"}' })
    const { content } = JSON.parse((await send('GET', `${tasksPath}/${id}`, key)).text)
    expect(content.video_url).toContain(replicas[homesOf(world)[0] ?? 0]?.url)
    const part = await fetch(content.video_url, { headers: { Range: 'bytes=4-7' } })
    expect([part.status, await part.text()]).toEqual([206, 'ftyp'])
  })

  it('send events as they happen', async () => {
    const [world = ''] = worlds
    const stop = new AbortController()
    const reply = await fetch(`${url}/__emulator/worlds/${world}/events`, { signal: stop.signal })
    const reader = reply.body?.pipeThrough(new TextDecoderStream()).getReader()
    let heard = ''
    await send('POST', tasksPath, `sk-test-${world}`, textBody())
    while (!heard.includes('event: request')) heard += (await reader?.read())?.value ?? ''
    stop.abort()
    expect(heard).toContain('a.create')
  })

  it('lose only the worlds of a replica that was stopped', async () => {
    const [gone] = replicas.splice(2, 1)
    const lost = worlds.filter(world => homesOf(world).length === 0)
    await gone?.close()
    expect(lost.length).toBeGreaterThan(5)
    for (const world of worlds) {
      const { status } = await send('POST', tasksPath, `sk-test-${world}`, textBody())
      expect(status, world).toBe(lost.includes(world) ? 502 : 200)
    }
  })
}
