import { X509Certificate } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { extname } from 'node:path'
import type { PeerCertificate, TLSSocket } from 'node:tls'
import { assumptions } from '../../../evidence/spec.ts'
import { mediaType } from '../../../media/index.ts'
import { contentsPath, textOf } from '../../guide/contents.ts'
import { withGuideLinks } from '../../guide/links.ts'
import { fixturePath, packageVersion, readFixture } from '../../package/files.ts'
import type { Services } from '../../pipeline/services.ts'
import { tagExamples } from '../../scenarios/prompt-tags.ts'
import { underWayIn } from '../../worlds/under-way.ts'
import { done, endpoints, listed } from '../control-endpoint.ts'
import { notFound } from '../control-error.ts'
import { exampleRequests } from '../example-requests.ts'
import { publicDocument } from '../openapi.ts'

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
        uptime_ms: Math.round(process.uptime() * 1000),
        worlds: services.worlds.list().length,
        rendering: services.library.underWay(),
        open_requests: underWayIn(world).open,
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
      body: withGuideLinks(textOf(contentsPath), {
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
