// biome-ignore-all lint/suspicious/noThenProperty: the word of the scenario language, never awaited.

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { guidePages, guideText } from '../src/emulator/guide/contents.ts'
import { startEmulator } from '../src/index.ts'
import { tasksPath, textBody } from './support/family-a.ts'
import { fetchJson } from './support/fetch-json.ts'
import { ownFolder } from './support/folders.ts'
import { isAlive, within } from './support/left-processes.ts'
import { plainLister } from './support/plain-lister.ts'

const emulator = await startEmulator({ clock: 'manual', seed: 5 })
afterAll(() => emulator.close())

const names = [
  'create_world',
  'advance_clock',
  'list_tasks',
  'get_story',
  'get_trace',
  'use_scenario',
  'inject_failure',
  'verify_requests',
  'list_failures',
  'get_findings',
  'drop_world',
  'get_openapi',
]

async function overHttp(): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' })
  const transport = new StreamableHTTPClientTransport(new URL(`${emulator.url}/__emulator/mcp`))
  await client.connect(transport as Parameters<typeof client.connect>[0])
  return client
}

const overStdio = async (): Promise<Client> => {
  const client = new Client({ name: 'test', version: '1' })
  const args = ['dist/main.js', 'mcp', '--base-url', emulator.url]
  await client.connect(new StdioClientTransport({ command: process.execPath, args, stderr: 'ignore' }))
  return client
}

describe.each([
  ['over HTTP, at /__emulator/mcp', overHttp, names],
  ['over standard input and output', overStdio, [...names, 'explore']],
])('agents reach the emulator %s', (_, connect, offered) => {
  let client: Client
  beforeAll(async () => {
    client = await connect()
  })
  afterAll(() => client.close())

  const call = async (name: string, args: Record<string, unknown> = {}) => {
    const { content, isError } = await client.callTool({ name, arguments: args })
    const [{ text }] = content as [{ text: string }]
    return { text, isError: isError === true, value: isError ? undefined : JSON.parse(text) }
  }

  it('with each of its tools, all with a description, schemas and hints', async () => {
    // From here on the client checks each answer against the schema of its tool.
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toEqual(offered)
    for (const { description, inputSchema, outputSchema } of tools) {
      expect(description?.length).toBeGreaterThan(40)
      expect([inputSchema.type, outputSchema?.type]).toEqual(['object', 'object'])
    }
    const having = (hint: 'readOnlyHint' | 'destructiveHint') =>
      tools.filter(({ annotations }) => annotations?.[hint]).map(({ name }) => name)
    const ofPrograms = offered.filter(name => name === 'explore')
    expect(having('destructiveHint')).toEqual(['use_scenario', 'drop_world', ...ofPrograms])
    expect(having('readOnlyHint')).not.toContain('create_world')
  })

  it('with the guide as resources', async () => {
    const { resources } = await client.listResources()
    expect(resources.map(({ name }) => name)).toEqual(guidePages().map(({ name }) => name))
    const { contents } = await client.readResource({ uri: 'gateway-emulator://guide/explore' })
    expect(contents).toEqual([
      expect.objectContaining({ mimeType: 'text/markdown', text: guideText('docs/explore.md') }),
    ])
    await expect(client.readResource({ uri: 'gateway-emulator://guide/exlore' })).rejects.toThrow(
      'guide/explore?',
    )
  })

  it('with a prompt that asks for a test of a client, and names what exists', async () => {
    const { prompts } = await client.listPrompts()
    expect(prompts.map(({ name }) => name)).toEqual(['write_a_test'])
    const { messages } = await client.getPrompt({
      name: 'write_a_test',
      arguments: { client: 'src/video.ts' },
    })
    const { text } = (messages[0] as { content: { text: string } }).content
    expect(text).toContain('src/video.ts')
    const tools = [...text.matchAll(/\b((?:create|drop|get|list)_[a-z]+)\b/g)].map(([name]) => name)
    expect(tools).toContain('create_world')
    expect(names).toEqual(expect.arrayContaining(tools))
    const uris = (await client.listResources()).resources.map(({ uri }) => uri)
    const named = [...text.matchAll(/gateway-emulator:[\w/-]+/g)].map(([uri]) => uri)
    expect(named.length).toBeGreaterThan(0)
    expect(uris).toEqual(expect.arrayContaining(named))
    await expect(client.getPrompt({ name: 'write_a_test' })).rejects.toThrow('needs client')
  })

  it('and can drop a world', async () => {
    const { value: world } = await call('create_world')
    expect((await call('drop_world', { world: world.id })).value).toEqual({ dropped: world.id })
    const again = await call('list_tasks', { world: world.id })
    expect(again).toMatchObject({ isError: true, text: expect.stringContaining(world.id) })
  })

  it('and can drive a task from its world to its story', async () => {
    const { value: world } = await call('create_world', {
      clock: 'manual',
      seed: 3,
      now: '2026-03-01T08:00:00Z',
    })
    expect(world).toMatchObject({ seed: 3, opened_at: '2026-03-01T08:00:00.000Z' })
    const inWorld = async (name: string, args: object = {}) =>
      (await call(name, { world: world.id, ...args })).value
    const { id } = (await fetchJson(world.base_url + tasksPath, 'POST', textBody(), world.api_key)).body
    const verified = await inWorld('verify_requests', { match: { operation: 'a.create' } })
    expect(verified).toMatchObject({ ok: true, found: 1 })
    const { events } = await inWorld('advance_clock', { until: { task: id, status: 'succeeded' } })
    expect(events.map((event: { to: string }) => event.to)).toEqual(['running', 'succeeded'])
    const { items } = await inWorld('list_tasks')
    expect(items.map((task: { id: string }) => task.id)).toEqual([id])
    expect((await inWorld('get_story', { task: id })).text).toContain('succeeded')
    const { text } = await inWorld('get_trace', { task: id })
    expect(text).toMatch(/a\.create {2}POST \S+ -> 200[\s\S]* succeeded/)
    expect((await inWorld('get_trace', { since: '1' })).text).not.toContain('a.create')
    expect(await inWorld('get_findings')).toHaveProperty('items')
  })

  it('and can activate scenarios and list the known ones', async () => {
    const { value: world } = await call('create_world')
    const { value } = await call('use_scenario', { world: world.id, names: ['outage'] })
    expect(value.active).toEqual(['outage'])
    const listed = await call('use_scenario', { world: world.id })
    expect(listed.value.available.map((one: { name: string }) => one.name)).toContain('chaos')
  })

  it('and can read the API description in parts', async () => {
    expect((await call('get_openapi')).value.operations).toContainEqual(
      expect.stringMatching(/^POST \/api\/v3\/images\/generations: /),
    )
    const { value } = await call('get_openapi', { path: 'images' })
    expect(Object.keys(value.paths)).toEqual(['/api/v3/images/generations'])
  })

  it.each([
    ['get_story', {}, 'task'],
    ['get_story', { task: 'nothing' }, 'nothing'],
    ['get_trace', { task: 'nothing' }, 'nothing'],
    ['get_storey', {}, 'did you mean get_story?'],
    ['advance_clock', { by: 'soon' }, 'soon'],
    ['list_tasks', { limit: 0 }, 'limit'],
    ['list_tasks', { world: 'a b' }, 'must be a string (1 to 64 letters'],
    ['create_world', { id: 'a b' }, 'must be a string (1 to 64 letters'],
    ['inject_failure', { operation: 'a.crate', then: { refuse: { fault: 'unavailable' } } }, 'a.create'],
    ['drop_world', { world: 'no-such-world' }, 'no-such-world'],
    ['use_scenario', { names: ['outrage'] }, 'outage'],
  ])('and get for %s with %j an error with the reason', async (name, args, said) => {
    const { text, isError } = await call(name, args)
    expect(isError).toBe(true)
    expect(text).toContain(said)
  })

  it('and get an error for an argument that is nested too deeply', async () => {
    const text = `${'{"a":'.repeat(100)}1${'}'.repeat(100)}`
    const refused = await call('verify_requests', { match: JSON.parse(text) })
    expect(refused).toMatchObject({ isError: true, text: expect.stringContaining('nested deeper than') })
  })

  it('and may send null for an argument that is not set', async () => {
    expect((await call('list_tasks', { world: null, family: null })).isError).toBe(false)
  })
})

it('a page of a foreign origin cannot drive the tools', async () => {
  const reply = await fetch(`${emulator.url}/__emulator/mcp`, {
    method: 'POST',
    headers: { origin: 'https://elsewhere.example', 'content-type': 'application/json' },
    body: '{}',
  })
  expect(reply.status).toBe(403)
})

it('a body that is not an MCP message is a 400, and GET is a 405', async () => {
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
  const reply = await fetch(`${emulator.url}/__emulator/mcp`, { method: 'POST', headers, body: '{"a":1}' })
  expect(reply.status).toBe(400)
  expect((await fetch(`${emulator.url}/__emulator/mcp`)).status).toBe(405)
})

it('the tool explore gives causes with file and line, and says what is wrong with a command (docs/see-what-happened.md, "From an agent")', async () => {
  const client = await overStdio()
  onTestFinished(() => client.close())
  const folder = ownFolder('mcp')
  const explored = (command: string[]) =>
    client.callTool({ name: 'explore', arguments: { command, only: ['internal'] } })
  const { structuredContent } = await explored(plainLister(folder))
  expect(structuredContent).toMatchObject({
    causes: [
      {
        verdict: 'crashed',
        file: expect.stringMatching(/lister\.mjs$/),
        line: 10,
        cases: ['a.list#1 internal'],
      },
    ],
  })
  const { content, isError } = await explored(['no-such-program-here'])
  expect([isError, JSON.stringify(content)]).toEqual([true, expect.stringContaining('does not exist')])
})

it.each<[string, (client: Client, given: AbortController) => unknown]>([
  ['a cancelled call', (_, given) => given.abort()],
  ['a client that is gone', client => client.close()],
])('%s ends the program that the tool explore runs', async (_, leave) => {
  const client = await overStdio()
  onTestFinished(() => client.close())
  const folder = ownFolder('mcp')
  const [file, given] = [join(folder, 'pid'), new AbortController()]
  const endless = `fs.writeFileSync('${file}', String(process.pid)); require('net').createServer().listen(0)`
  const command = [process.execPath, '-e', endless]
  const { signal } = given
  const left = client.callTool({ name: 'explore', arguments: { command } }, undefined, { signal })
  const rejected = expect(left).rejects.toThrow()
  await expect.poll(() => existsSync(file) && readFileSync(file, 'utf8'), within).toMatch(/^\d+$/)
  const pid = Number(readFileSync(file, 'utf8'))
  expect(isAlive(pid)).toBe(true)
  await leave(client, given)
  await rejected
  await expect.poll(() => isAlive(pid), within).toBe(false)
})

it('SKILL.md is in the package, in sixty lines, and names tools, options and pages that exist', () => {
  const text = guideText('SKILL.md')
  expect(JSON.parse(guideText('package.json')).files).toContain('SKILL.md')
  expect(text.split('\n').length).toBeLessThanOrEqual(61)
  for (const [, page = ''] of text.matchAll(/`(docs\/[\w./-]+)`/g)) expect(guideText(page), page).not.toBe('')
  const help = guideText('docs/command-line.md') + guideText('docs/explore.md')
  for (const [option] of text.matchAll(/--(?!no-install)[a-z]+/g)) expect(help).toContain(option)
  const tools = [...text.matchAll(/`([a-z]+_[a-z_]+)`/g)].map(([, name]) => name)
  const verdicts = ['paid_twice', 'paid_for_nothing', 'false_success', 'base_url', 'api_key']
  expect(tools.filter(name => !verdicts.includes(name ?? '') && !names.includes(name ?? ''))).toEqual([])
})
