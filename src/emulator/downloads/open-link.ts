import { readFile } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { basename } from 'node:path'
import {
  InputError,
  isGenuine,
  parseLink,
  type Recipe,
  recipeEnding,
  type SelfLinkFile,
} from '../../media/index.ts'
import { familyOf, outputOf } from '../families/index.ts'
import { linkExpiry } from '../families/result-link.ts'
import { type Fault, FaultError } from '../faults/fault.ts'
import { type Headers, refusalHeaders } from '../http/headers.ts'
import { isOwnUrl } from '../http/origin.ts'
import { fixturePath } from '../package/files.ts'
import type { LinkContext, Reply } from '../pipeline/endpoint.ts'
import type { Exchange } from '../pipeline/exchange.ts'
import { type ComingCall, type ComingRule, comingRules, isCertain } from '../scenarios/coming-rules.ts'
import type { LinkFaultKind } from '../scenarios/effects/media.ts'
import { downloadOperation } from '../scenarios/operations.ts'
import { effectsOfRules, mayHaveRules } from '../scenarios/request-effects.ts'
import { type Effects, noEffects } from '../scenarios/scenario.ts'
import { viewAt } from '../tasks/lifecycle.ts'
import type { MediaFault, MediaFaultKind, Task } from '../worlds/task.ts'
import { nowIn, type World } from '../worlds/world.ts'

/** The target of a request for a result file: its link (undefined when the path is not a link) and, later, the file behind it. */
export interface RequestedLink {
  link: ReturnType<typeof parseLink>
  file: LinkedFile | undefined
  /** The effect of a scenario on the file or its link. */
  media: MediaFault | undefined
}

/** The file behind a link. */
export interface LinkedFile {
  task: Task
  output: string
  recipe: Recipe
}

/** Checks method, double authentication and signature. Throws LinkRefusal. */
export function checkLinkAccess({ request, path, world, target }: Exchange<RequestedLink>): void {
  const { link } = target
  if (!link || world.id !== link.world) throw noSuchKey()
  if (request.method !== 'GET' && request.method !== 'HEAD') throw new LinkRefusal(...wire.method_not_allowed)
  // Spec, "Authentication" 6: links are fetched without the Authorization header.
  if (request.headers.authorization !== undefined) {
    throw new LinkRefusal(
      400,
      'InvalidArgument',
      'Only one auth mechanism is allowed: the link is signed, fetch it without an Authorization header.',
    )
  }
  if (!isGenuine(world, path, link.expires, link.signature)) throw new LinkRefusal(...wire.unauthenticated)
}

/** The file of a succeeded task that a link names. Throws LinkRefusal. */
export function findFile({ world, target: { link } }: Exchange<RequestedLink>): LinkedFile {
  const task = link && world.state.tasks.get(link.task)
  const recipe = task && outputOf(task, link.output)
  if (!task || viewAt(task, nowIn(world)).status !== 'succeeded') throw noSuchKey()
  if (!recipe || recipeEnding(recipe) !== link.ending) throw noSuchKey()
  return { task, output: link.output, recipe }
}

/** Checks expiry and download limit, and the effect of a scenario on them. Throws LinkRefusal. */
export function checkLinkWorks({ request, world, services, target }: Exchange<RequestedLink>): void {
  if (!target.file) throw noSuchKey()
  const { file, media } = target
  const { task } = file
  const family = familyOf(task.family)
  const now = nowIn(world)
  const expiry = linkExpiry(family, { task, view: viewAt(task, now) }, services.options)
  if (now >= expiry) throw expired()
  if (media && isOfLink(media.kind)) throw linkFaults[media.kind](family.links(task).maxDownloads)
  // The bytes of a range are known only when the file is known.
  if (request.headers.range === undefined) checkDownloadsLeft(world, file)
}

/** The effects on a download of the world's scenarios and of a scenario in the request's header. */
export function downloadEffects(world: World, task: Task, { headers }: IncomingMessage): Effects {
  if (!mayHaveRules(world, headers)) return noEffects
  return effectsOfRules(world, { ...downloadFacts(world, task), headers })
}

function downloadFacts(world: World, task: Task): ComingCall {
  return {
    operation: downloadOperation,
    family: task.family,
    model: task.model,
    account: task.account,
    key: '',
    body: undefined,
    taskIds: [task.id],
    now: nowIn(world),
  }
}

/** The rules of the world that can act on coming downloads of a task's files, in the order in which they are tried. */
export function comingDownloads(world: World, task: Task): ComingRule[] {
  return mayHaveRules(world, {}) ? comingRules(world, downloadFacts(world, task)) : []
}

/** The fault that the next download of a task's files is sure to have; undefined when there is none. */
export function nextMediaFault(world: World, task: Task): MediaFault | undefined {
  const next = comingDownloads(world, task).find(
    coming => coming.then.media !== undefined && isCertain(world, coming),
  )
  return next?.rule.then.media ?? task.media
}

/** Spec, "Family A", link rules: 2.5 links allow at most 100 downloads. Throws LinkRefusal when the limit is reached. */
export function checkDownloadsLeft(
  world: World,
  { task, output }: Pick<LinkedFile, 'task' | 'output'>,
): void {
  const limit = familyOf(task.family).links(task).maxDownloads
  const count = world.state.downloads.get(`${task.id}/${output}`) ?? 0
  if (limit !== undefined && count >= limit) throw exhausted(limit)
}

/** The refusal for each fault of links. A scenario can also exhaust a link without a limit. */
const linkFaults: Readonly<Record<LinkFaultKind, (limit: number | undefined) => LinkRefusal>> = {
  link_expired: expired,
  link_exhausted: exhausted,
}

function isOfLink(kind: MediaFaultKind): kind is LinkFaultKind {
  return Object.hasOwn(linkFaults, kind)
}

function expired(): LinkRefusal {
  return new LinkRefusal(403, 'AccessDenied', 'Request has expired.')
}

function exhausted(limit: number | undefined): LinkRefusal {
  const message = `The link has reached its limit of ${limit === undefined ? '' : `${limit} `}downloads.`
  return new LinkRefusal(403, 'AccessDenied', message)
}

function noSuchKey(): LinkRefusal {
  return new LinkRefusal(...wire.not_found)
}

/** The refusal of a link in the form of object stores: XML with a code. */
class LinkRefusal extends Error {
  readonly status: number
  readonly code: string
  readonly headers: Headers

  constructor(status: number, code: string, message: string, headers: Headers = {}) {
    super(message)
    this.status = status
    this.code = code
    this.headers = headers
  }
}

type Wire = readonly [status: number, code: string, message: string]

/** The status, code and message of an object store for each fault. */
const wire: Readonly<Record<Fault, Wire>> = {
  invalid_parameter: [400, 'InvalidArgument', 'Invalid argument.'],
  missing_parameter: [400, 'InvalidArgument', 'A required argument is missing.'],
  invalid_json: [400, 'InvalidRequest', 'The request is not valid.'],
  invalid_content_type: [400, 'InvalidRequest', 'The request is not valid.'],
  unknown_model: [400, 'InvalidArgument', 'Invalid argument.'],
  unauthenticated: [403, 'SignatureDoesNotMatch', 'The signature does not match the link.'],
  forbidden_model: [403, 'AccessDenied', 'Access denied.'],
  moderated: [403, 'AccessDenied', 'Access denied.'],
  insufficient_balance: [403, 'UserDisable', 'The account is overdue.'],
  not_found: [404, 'NoSuchKey', 'The specified key does not exist.'],
  method_not_allowed: [405, 'MethodNotAllowed', 'The specified method is not allowed against this resource.'],
  not_operable: [409, 'FileAlreadyExists', 'The object cannot be read in its present state.'],
  not_implemented: [
    501,
    'NotImplemented',
    'A header or query you provided implies functionality that is not implemented.',
  ],
  too_large: [413, 'EntityTooLarge', 'The request is too large.'],
  rate_limited: [429, 'TooManyRequests', 'Too many requests, please reduce your request rate.'],
  unavailable: [503, 'ServiceUnavailable', 'Please reduce your request rate.'],
  internal: [500, 'InternalError', 'We encountered an internal error. Please try again.'],
}

/** A thrown error as a link's refusal; undefined when it is a fault of the emulator. */
export function linkRefusalOf(thrown: unknown): LinkRefusal | undefined {
  if (thrown instanceof LinkRefusal) return thrown
  if (!(thrown instanceof FaultError)) return undefined
  const [status, code, standard] = wire[thrown.fault]
  const { message, reason = standard, retryAfterMs } = thrown.detail
  const headers = refusalHeaders(retryAfterMs === undefined ? {} : { retryAfterMs })
  return new LinkRefusal(status, code, message ?? reason, headers)
}

/** A refusal as a reply. */
export function linkReplyOf({ status, code, message, headers }: LinkRefusal, requestId: string): Reply {
  const elements = `<Code>${code}</Code><Message>${escaped(message)}</Message><RequestId>${requestId}</RequestId>`
  const xml = `<?xml version="1.0" encoding="UTF-8"?>\n<Error>${elements}</Error>\n`
  return { status, body: xml, headers: { 'Content-Type': 'application/xml', ...headers } }
}

function escaped(text: string): string {
  return text.replace(/[&<>]/g, sign => ({ '&': '&amp;', '<': '&lt;' })[sign] ?? '&gt;')
}

const samplesPath = '/__emulator/samples/'

/**
 * The file behind a link of this emulator (a sample, or the result of a task of any of its worlds), read without HTTP, so that
 * one task's result can be another task's input, however long it takes to render. Undefined for any other address.
 */
export function selfLinkIn(call: LinkContext, url: URL): SelfLinkFile | undefined {
  if (!isOwnUrl(url, call.baseUrl, call.services.options)) return undefined
  if (url.pathname.startsWith(samplesPath)) return sample(url.pathname.slice(samplesPath.length))
  const link = parseLink(url.pathname, url.searchParams)
  return link && { name: `${link.task}.${link.ending}`, read: () => readResult(call, url) }
}

function sample(name: string): SelfLinkFile {
  return {
    name,
    async read() {
      try {
        return await readFile(fixturePath(`media/samples/${basename(name)}`))
      } catch {
        throw new InputError('unreachable', `there is no sample named ${name}`)
      }
    },
  }
}

/** A result is read by the rules of its link, but it does not count as a download, since no bytes are sent to a client. */
async function readResult({ services }: LinkContext, url: URL): Promise<Buffer> {
  const link = parseLink(url.pathname, url.searchParams)
  const world = link && services.worlds.find(link.world)
  if (!link || !world) throw noResult()
  const task = world.state.tasks.get(link.task)
  const view = task && viewAt(task, nowIn(world))
  const family = task && familyOf(task.family)
  const recipe = task && outputOf(task, link.output)
  const isOurs = isGenuine(world, url.pathname, link.expires, link.signature)
  if (!isOurs || !family || !recipe || view?.status !== 'succeeded') throw noResult()
  if (nowIn(world) >= linkExpiry(family, { task, view }, services.options))
    throw new InputError('unreachable', 'the link has expired')
  return services.library.read(recipe)
}

function noResult(): InputError {
  return new InputError('unreachable', 'the link does not lead to a result of this gateway')
}
