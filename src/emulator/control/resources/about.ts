import { X509Certificate } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { extname } from 'node:path'
import type { PeerCertificate, TLSSocket } from 'node:tls'
import type { Registry } from 'prom-client'
import { assumptions } from '../../../evidence/spec.ts'
import { type FailureFilter, failuresOf } from '../../../explore/catalogue.ts'
import type { Failure, FailureReply } from '../../../kits/views.ts'
import { mediaType } from '../../../media/index.ts'
import { linkRefusalOf } from '../../downloads/open-link.ts'
import { familyOf } from '../../families/index.ts'
import { type Fault, FaultError } from '../../faults/fault.ts'
import { contentsPath, guideText, withGuideLinks } from '../../guide/contents.ts'
import { fixturePath, packageVersion, readFixture } from '../../package/files.ts'
import type { Services } from '../../pipeline/endpoint.ts'
import { downloadOperation, familyIds, operations } from '../../scenarios/operations.ts'
import { tagExamples } from '../../scenarios/prompt-tags.ts'
import { viewAt } from '../../tasks/lifecycle.ts'
import { realTime } from '../../worlds/clock.ts'
import { jsonIn } from '../../worlds/json-depth.ts'
import { underWayIn } from '../../worlds/under-way.ts'
import { nowIn, type World } from '../../worlds/world.ts'
import { done, endpoints, listed } from '../control-endpoint.ts'
import { ControlError, checkKnown, notFound } from '../control-error.ts'
import { exampleRequests } from '../example-requests.ts'
import { publicDocument } from '../openapi.ts'

const prefix = 'gateway_emulator_'

/** Metrics for Prometheus, counted when they are requested. */
export const metricEndpoints = endpoints({
  'GET /metrics': {
    summary: 'Metrics in the text format of Prometheus, for all worlds or for the one in the path',
    async handle({ world, services, request }) {
      const isOfOne = request.url?.startsWith('/__emulator/worlds/') ?? false
      const registry = await figures(isOfOne ? [world] : services.worlds.list(), services)
      return {
        status: 200,
        headers: { 'Content-Type': registry.contentType },
        body: await registry.metrics(),
      }
    },
  },
})

async function figures(worlds: readonly World[], { library }: Services): Promise<Registry> {
  const { default: prometheus } = await import('prom-client')
  const { Counter, Gauge, Registry } = prometheus
  const registry = new Registry()
  const registers = [registry]
  const requests = new Counter({
    name: `${prefix}requests_total`,
    help: 'Requests of the emulated API, by operation and status',
    labelNames: ['operation', 'status'],
    registers,
  })
  const tasks = new Gauge({
    name: `${prefix}tasks`,
    help: 'Tasks by family and status, removed records included',
    labelNames: ['family', 'status'],
    registers,
  })
  const gauge = (name: string, help: string) => new Gauge({ name: `${prefix}${name}`, help, registers })
  const entries = gauge('journal_entries', 'Entries in the journals')
  const bytes = gauge('journal_bytes', 'Bytes in the journals, roughly')
  const snapshots = gauge('snapshots', 'Snapshots kept')
  gauge('worlds', 'Open worlds').set(worlds.length)
  new Counter({ name: `${prefix}renders_total`, help: 'Media files rendered', registers }).inc(
    library.renders(),
  )
  for (const world of worlds) {
    for (const [key, count] of world.journal.counts) {
      const [operation = '', status = ''] = key.split(' ')
      requests.inc({ operation, status }, count)
    }
    for (const [family, statuses] of tasksOf(world)) {
      for (const [status, count] of statuses) tasks.inc({ family, status }, count)
    }
    entries.inc(world.journal.size)
    bytes.inc(world.journal.bytes)
    snapshots.inc(world.state.snapshots.size)
  }
  return registry
}

function tasksOf(world: World): Map<string, Map<string, number>> {
  const now = nowIn(world)
  const families = new Map<string, Map<string, number>>()
  for (const task of world.state.tasks.values()) {
    const statuses = families.get(task.family) ?? new Map<string, number>()
    families.set(task.family, statuses)
    const { status } = viewAt(task, now)
    statuses.set(status, (statuses.get(status) ?? 0) + 1)
  }
  return families
}

/** The catalogue of failures: what can go wrong with each operation, as scenario rules. */
export const failureEndpoints = endpoints({
  'GET /failures': {
    summary: 'What can go wrong with each operation, as rules of a scenario',
    query: {
      operation: { type: 'string', description: 'An operation id such as a.create.' },
      family: { type: 'string', description: 'A family id such as a.' },
      replies: {
        type: 'string',
        enum: ['true', 'false'],
        description: 'With the status and the code that clients get, where the failure has them.',
      },
    },
    handle({ query }) {
      const { replies, ...filter } = query as FailureFilter & { replies?: 'true' | 'false' }
      const { operation, family } = filter
      if (operation !== undefined) checkKnown(operation, operations, { path: 'operation' })
      if (family !== undefined) checkKnown(family, familyIds, { path: 'family' })
      const items = failuresOf(filter)
      return listed(replies === 'true' ? items.map(one => ({ ...one, ...replyTo(one) })) : items)
    },
  },
})

/** The parts of a rule's effect that decide status and code. */
interface Then {
  refuse?: { fault?: Fault; proxy_page?: number }
  task?: { outcome?: string; error?: { code: string } }
}

/** The status and the code that a failure shows to clients, in the words of the operation's family. */
function replyTo({ operation, then }: Failure): FailureReply {
  const { refuse, task } = then as Then
  const family = operation.split('.')[0] ?? ''
  if (refuse?.proxy_page !== undefined) return { status: refuse.proxy_page }
  if (refuse?.fault !== undefined) {
    const error = new FaultError(refuse.fault)
    if (operation === downloadOperation) {
      const { status, code } = linkRefusalOf(error) ?? {}
      return { ...(status && { status }), ...(code && { code }) }
    }
    const { status, body } = familyOf(family).dialect.error(error, { requestId: '' })
    const code = codeIn(body)
    return { status, ...(code !== undefined && { code }) }
  }
  return task?.outcome === 'failed' ? { code: familyOf(family).failure(task.error ?? {}).code } : {}
}

/** The code in an error body: each family has it in another place. */
function codeIn(body: unknown): string | undefined {
  const { code, type, error } = body as { code?: unknown; type?: string; error?: object }
  if (error) return codeIn(error)
  return code === undefined ? type : String(code)
}

/** Agents over HTTP: one message of the Model Context Protocol per request, without sessions. Access is checked as for the control API. */
export const mcpEndpoints = endpoints({
  'POST /mcp': {
    example: { body: { jsonrpc: '2.0', id: 1, method: 'tools/list' } },
    summary:
      'The Model Context Protocol (streamable HTTP, without sessions): the tools of `gateway-emulator mcp`',
    body: { type: 'object' },
    async handle({ request, body }) {
      const { answerMessage } = await import('../../mcp/server.ts')
      const { status, text } = await answerMessage(request, body)
      if (status < 400) return done(text === '' ? undefined : JSON.parse(text), status)
      throw new ControlError(status, 'bad_request', messageIn(text))
    },
  },
})

/** The protocol's own refusals are JSON-RPC errors. */
function messageIn(text: string): string {
  const { error } = Object(jsonIn(text)) as { error?: { message?: unknown } }
  return typeof error?.message === 'string' ? error.message : text
}

const version = packageVersion()
/** A different word for each start of an emulator, so that a page notices a restart. */
const instances = new WeakMap<Services, string>()
let started = 0

function instanceOf(services: Services): string {
  const known = instances.get(services) ?? `${process.pid}-${Math.round(performance.timeOrigin)}-${++started}`
  instances.set(services, known)
  return known
}

/** Endpoints about the emulator itself, and the content of the console's playground. */
export const aboutEndpoints = endpoints({
  'GET /health': {
    summary: 'Whether the emulator is running',
    handle: ({ services, world }) =>
      done({
        status: 'ok',
        version,
        instance: instanceOf(services),
        pid: process.pid,
        machine: hostname(),
        uptime_ms: Math.round(realTime.elapsedMs()),
        worlds: services.worlds.list().length,
        rendering: services.library.underWay(),
        open_requests: underWayIn(world).requests.length,
        delayed_replies: underWayIn(world).delayed,
        held_replies: underWayIn(world).held,
      }),
  },
  'GET /certificate.pem': {
    summary: 'With --tls self: the certificate that was made at start, for clients that check certificates',
    handle({ services, request }) {
      const { socket } = request
      if (services.options.tls !== 'self' || !('getCertificate' in socket))
        throw notFound('The certificate of --tls self', {
          hint: 'the emulator was started without --tls self',
        })
      const { raw } = (socket as TLSSocket).getCertificate() as PeerCertificate
      const body = new X509Certificate(raw).toString()
      return { status: 200, headers: { 'Content-Type': 'application/x-pem-file' }, body }
    },
  },
  'GET /openapi.json': {
    summary: 'The emulated API as OpenAPI 3.1',
    handle: ({ baseUrl }) => done(publicDocument(baseUrl)),
  },
  'GET /llms.txt': {
    summary: 'The pages of the guide, for agents (llmstxt.org)',
    handle: ({ baseUrl }) => ({
      status: 200,
      headers: { 'Content-Type': 'text/markdown; charset=utf-8' },
      body: withGuideLinks(guideText(contentsPath), {
        from: contentsPath,
        prefix: `${baseUrl}/__emulator/guide/`,
        suffix: '.md',
      }),
    }),
  },
  'GET /assumptions': {
    summary: 'Questions that the specification leaves open, and the assumed answers',
    handle: () => listed(assumptions()),
  },
  'GET /examples': {
    summary: 'Example requests of each create, with sample media filled in',
    handle: ({ baseUrl }) => listed(exampleRequests(baseUrl)),
  },
  'GET /models': {
    summary: 'Models by neutral id, with their published names',
    handle({ services }) {
      const known = Object.entries(readFixture<Record<string, string[]>>('models.json'))
      const added = (id: string) =>
        Object.entries(services.options.models)
          .filter(([, model]) => model === id)
          .map(([alias]) => alias)
      return listed(known.map(([id, names]) => ({ id, names: [...names, ...added(id)] })))
    },
  },
  'GET /prompt-tags': {
    summary: 'Tags for prompts, with the effect of each',
    handle: ({ services }) => listed(services.options.promptTags === 'on' ? tagExamples() : []),
  },
  'GET /samples': {
    summary: 'The names of the sample media',
    handle: ({ baseUrl }) => {
      const samples = readFixture<{ file: string }[]>('media/samples/index.json')
      return listed(
        samples.map(({ file, ...rest }) => ({
          name: file,
          ...rest,
          url: `${baseUrl}/__emulator/samples/${file}`,
        })),
      )
    },
  },
  'GET /samples/:name': {
    example: { params: { name: 'landscape.jpg' } },
    summary: 'A small real media file to use as an input',
    async handle({ params }) {
      const sample = sampleFile(params.name ?? '')
      if (!sample) throw notFound(`The sample ${params.name}`)
      return { status: 200, headers: { 'Content-Type': sample.type }, body: await readFile(sample.path) }
    },
  },
})

/** A sample's path and type by its plain name; undefined for any other name. */
function sampleFile(name: string): { path: string; type: string } | undefined {
  if (!/^[\w-]+\.[a-z0-9]+$/.test(name) || name === 'index.json') return undefined
  // By its exact name, also on file systems that ignore case.
  if (!readdirSync(fixturePath('media/samples')).includes(name)) return undefined
  return { path: fixturePath(`media/samples/${name}`), type: mediaType(extname(name).slice(1)) }
}
