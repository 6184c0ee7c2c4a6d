import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import SwaggerParser from '@apidevtools/swagger-parser'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { Validator } from '@seriousme/openapi-schema-validator'
import { generateApi } from 'swagger-typescript-api'
import { beforeAll, describe, expect, it } from 'vitest'
import { controlSchemas } from '../build/control-schemas.mjs'
import { rows } from './support/contract.ts'
import { misfitOfControl } from './support/control-replies.ts'
import { ownFolder } from './support/folders.ts'
import { openGateway } from './support/gateway.ts'

const gateway = await openGateway()
const documents = ['/openapi.json', '/openapi.control.json'] as const
const read = async (path: string) => (await gateway.control('GET', path)).body

describe.each(documents)('%s', path => {
  it('is valid OpenAPI 3.1 for three validators that know nothing of each other', async () => {
    const document = await read(path)
    const validator = new Validator()
    expect(await validator.validate(structuredClone(document))).toMatchObject({ valid: true })
    expect(validator.version).toBe('3.1')
    await SwaggerParser.validate(structuredClone(document))
    const config = await createConfig({ extends: ['recommended'] })
    const absoluteRef = '/openapi.json'
    const found = await lintFromString({ source: JSON.stringify(document), absoluteRef, config })
    // Advice that is not about the document being right: a licence, and a status of 4XX beside `default`.
    const advice = ['info-license', 'operation-4xx-response', 'no-unused-components']
    const faults = found.filter(({ ruleId }) => !advice.includes(ruleId))
    expect(faults.map(({ ruleId, message }) => `${ruleId}: ${message}`)).toEqual([])
  })

  it('names every operation once, and says of each what it replies and refuses', async () => {
    const found = Object.values<Record<string, { operationId: string; responses: object }>>(
      (await read(path)).paths,
    ).flatMap(item => Object.values(item))
    expect(found.length).toBeGreaterThan(30)
    expect(new Set(found.map(({ operationId }) => operationId)).size).toBe(found.length)
    for (const { operationId, responses } of found) {
      expect(operationId).toBeTruthy()
      expect(Object.keys(responses)).toEqual(expect.arrayContaining(['default']))
    }
  })
})

describe('the emulated API', () => {
  const statuses = {
    'a.create': '200 400 401 403 429',
    'a.get': '200 401 404',
    'b.create': '200 400 401 403 429',
    'b.get': '200 401 404',
    'c.create': '200 400 401 403 429',
    'c.get': '200 401',
    'c.list': '200 401',
    'c.delete': '200 401',
    'c.enhance': '200 400 401 403',
    'special.create': '200 400 401 403 404 429',
    'special.get': '200 401 403 404',
    'special.list': '200 401 403 404',
    'special.enhance': '200 400 401 403 404 429',
    'special.regenerate': '200 400 401 403 404 429',
    'special.delete': '200 401 403 404 501',
    'k.create': '200 4XX',
    'k.tasks.get': '200 4XX',
    'image.generate': '200 400 401 403 413 429 5XX',
  }
  it.each(Object.entries(statuses))('%s declares %s (Spec, "Endpoints", "Errors")', async (id, declared) => {
    const operations = Object.values<object>((await read('/openapi.json')).paths).flatMap(item =>
      Object.values<{ operationId: string; responses: object }>({ ...item }),
    )
    const found = operations.find(({ operationId }) => operationId === id)
    expect(Object.keys(found?.responses ?? {}).filter(status => status !== 'default')).toEqual(
      declared.split(' '),
    )
  })

  it('every refusal of every operation has the shape that the document gives for it', async () => {
    const { paths } = await read('/openapi.json')
    for (const { endpoint } of rows) {
      const path = endpoint.paths[0].replace(/:([a-z_]+)/g, '{$1}')
      const { responses } = paths[path][endpoint.method.toLowerCase()]
      const shape = JSON.stringify(responses.default.content)
      for (const [status, { content }] of Object.entries<{ content: object }>(responses))
        if (status !== '200') expect(JSON.stringify(content), `${path} ${status}`).toBe(shape)
    }
  })

  it('a special DELETE only deletes, and the model in a path of K is one of the known names', async () => {
    const { paths } = await read('/openapi.json')
    const reply = paths['/special/v2/video_generation/{task_id}'].delete.responses['200']
    expect(reply.content['application/json'].schema.properties.action.enum).toEqual(['deleted'])
    const [model] = paths['/image-to-video/{model}'].post.parameters
    expect(model.schema.enum).toEqual(expect.arrayContaining(['model_k_30', 'model_k_30_turbo']))
    for (const name of model.schema.enum) {
      const body = { prompt: 'a kite', contents: [{ type: 'first_frame', url: 'https://example.org/1.jpg' }] }
      expect((await gateway.post(`/image-to-video/${name}`, body)).status, name).toBe(200)
    }
  })
})

describe('the control API', () => {
  it('has the world as a variable of its server, and both servers answer', async () => {
    const { servers } = await read('/openapi.control.json')
    expect(servers.map(({ url }: { url: string }) => url)).toEqual([
      '/__emulator',
      '/__emulator/worlds/{world}',
    ])
    expect(servers[1].variables.world.default).toBe('default')
    const clock = await gateway.control('GET', `/worlds/${servers[1].variables.world.default}/clock`)
    expect(clock.body).toEqual((await gateway.control('GET', '/clock')).body)
  })

  it('the schemas of its replies are those of the client’s types', async () => {
    expect(await readFile('fixtures/control-replies.json', 'utf8')).toBe(controlSchemas())
  })

  it('a reply with another status, or without a property, does not fit its document', () => {
    const clock = { mode: 'manual', rate: 1, now: '2026-03-01T08:00:00.000Z', now_ms: 0 }
    const fits = (status: number, body: unknown) =>
      misfitOfControl('GET', '/__emulator/worlds/x/clock?a=1', { status, body }) === undefined
    expect(fits(200, clock)).toBe(true)
    expect(fits(200, { ...clock, now: undefined })).toBe(false)
    expect(fits(200, { ...clock, mode: 'slow' })).toBe(false)
    expect(fits(201, clock)).toBe(false)
    expect(fits(404, { error: { code: 'not_found', message: 'gone' } })).toBe(true)
    expect(fits(404, { error: 'gone' })).toBe(false)
  })
})

describe('clients that are generated from the documents', () => {
  const folder = ownFolder('openapi-clients', 'node_modules/.cache')
  beforeAll(async () => {
    for (const [index, path] of documents.entries()) {
      const spec = await read(path)
      const { files } = await generateApi({ spec, output: false, silent: true, httpClientType: 'fetch' })
      const name = ['emulated.ts', 'control.ts'][index] ?? ''
      // The generator switches the checks of its own file off.
      const code = files[0]?.fileContent ?? ''
      await writeFile(join(folder, name), code.replaceAll('// @ts-nocheck', ''))
    }
    await writeFile(join(folder, 'use.ts'), program)
  }, 60_000)

  it('compile without an error, and make, follow and cancel a task', async () => {
    const options =
      '--strict --target es2022 --module nodenext --lib es2022,dom,dom.iterable --allowImportingTsExtensions'
    const tsc = ['node_modules/typescript/bin/tsc', '--noEmit', '--ignoreConfig', ...options.split(' ')]
    const compiled = promisify(execFile)(process.execPath, [...tsc, join(folder, 'use.ts')])
    await expect(
      compiled.then(
        () => '',
        ({ stdout }) => stdout,
      ),
    ).resolves.toBe('')
    const { use } = await import(join(process.cwd(), folder, 'use.ts'))
    expect(await use(gateway.url)).toEqual(['running', 'a', 'InvalidParameter'])
  })
})

const program = `
import { Api as Control } from './control.ts'
import { Api as Emulated } from './emulated.ts'

export async function use(url: string): Promise<string[]> {
  const emulated = new Emulated({ baseUrl: url, securityWorker: () => ({ headers: { Authorization: 'Bearer sk-emulator' } }) })
  const control = new Control({ baseUrl: url + '/__emulator' })
  const { data: { id } } = await emulated.api.aCreate({ model: 'model_a_20', content: [{ type: 'text', text: 'a kite' }] })
  const { data: advanced } = await control.clock.postClockAdvance({ by: '5s' })
  const moved: string | undefined = advanced.events.at(-1)?.to
  const { data: task } = await control.tasks.getTasksById(id)
  const family: string = task.family
  const refused = await emulated.api.aCreate({ model: 'model_a_20', content: [{ type: 'text', text: 'a kite' }], duration: 99 }).catch(reply => reply)
  const code: string = refused.error.error.code
  return [moved ?? '', family, code]
}
`
