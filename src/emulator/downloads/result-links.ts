import type { IncomingMessage } from 'node:http'
import { parse } from 'node:path'
import { mediaType, openTransfer, recipeEnding } from '../../media/index.ts'
import { outputsOf } from '../families/index.ts'
import { headersOf, httpDate } from '../http/headers.ts'
import { planTransfer, type Transfer } from '../http/transfer.ts'
import { checkPresent } from '../pipeline/endpoint.ts'
import { type Exchange, type FileReply, plainSteps, type Surface } from '../pipeline/exchange.ts'
import { discard } from '../pipeline/writer.ts'
import { viewAt } from '../tasks/lifecycle.ts'
import type { Task } from '../worlds/task.ts'
import { nowIn, put, requestRandom, type World } from '../worlds/world.ts'
import {
  checkDownloadsLeft,
  checkLinkAccess,
  checkLinkWorks,
  downloadEffects,
  findFile,
  linkRefusalOf,
  linkReplyOf,
  type RequestedLink,
} from './open-link.ts'

/**
 * Temporary links to result files: GET or HEAD with Range and ETag, refusals in the XML of object stores. The signature gives access.
 * The order of checks is that of object stores: method, double authentication, signature, existence, expiry, limit.
 */
export const resultLinks: Surface<RequestedLink> = {
  ...plainSteps,
  identify(exchange) {
    const { services, target, trace } = exchange
    const { link } = target
    const world = link && services.worlds.find(link.world)
    if (world) exchange.world = world
    exchange.generation = exchange.world.generation
    exchange.requestId = requestRandom(exchange.world).hex(32)
    const asked = link && world?.state.tasks.get(link.task)
    if (!asked) return
    exchange.account = asked.account
    trace.taskIds = [asked.id]
  },
  access: checkLinkAccess,
  scenario(exchange) {
    const { world, target, request } = exchange
    target.file = findFile(exchange)
    const { task } = target.file
    const effects = downloadEffects(world, task, request)
    target.media = effects.media ?? task.media
    return effects
  },
  check: checkLinkWorks,
  handle: serveFile,
  isCommitted: () => true,
  headers: ({ world, requestId, request, trace, services }, now) =>
    headersOf({
      requestId,
      world: world.id,
      now,
      rule: trace.rule,
      origin: request.headers.origin,
      options: services.options,
    }),
  isJournaled: () => true,
  refuse(exchange, thrown) {
    const refusal = linkRefusalOf(thrown)
    return refusal && linkReplyOf(refusal, exchange.requestId)
  },
}

/** A browser that opens the link in its address bar shows the file; all other clients are told to save it (A-downloads). */
function disposition({ headers }: Pick<IncomingMessage, 'headers'>): 'inline' | 'attachment' {
  return headers['sec-fetch-dest'] === 'document' ? 'inline' : 'attachment'
}

/** A download counts when the request asks for the first byte; HEAD and ranges that start later do not count (A-downloads). */
async function serveFile(exchange: Exchange<RequestedLink>): Promise<FileReply> {
  const { request, world, services, target } = exchange
  const { task, output, recipe } = target.file ?? findFile(exchange)
  const file = await services.library.file(recipe)
  const ending = recipeEnding(recipe)
  const fileId = `${task.id}/${output}`
  const transfer = planTransfer(request, {
    file,
    size: await services.library.files.sizeOf(file),
    // In the library, the key of the recipe is the name of the file.
    etag: `"${parse(file).name}"`,
    headers: {
      'Content-Type': mediaType(ending),
      'Content-Disposition': `${disposition(request)}; filename="${fileName(task, output)}.${ending}"`,
      'Last-Modified': httpDate(viewAt(task, nowIn(world)).since),
    },
    // A file that a scenario changes is not the one that the client has.
    mayBeKnown: target.media === undefined && isTold(world, fileId),
  })
  const payload = await openTransfer(transfer, services.library.files)
  // Rendering may have taken time: limits and expiry are read again now, after the last wait.
  try {
    checkPresent(world, exchange.generation)
    checkLinkWorks(exchange)
    if (!continuesDownload(request, transfer)) checkDownloadsLeft(world, { task, output })
  } catch (refusal) {
    discard({ payload })
    throw refusal
  }
  tell(world, fileId)
  if (transfer.startsAtFirstByte) countDownload(world, task, fileId)
  const { status, headers, start, size } = transfer
  return { kind: 'file', status, headers, payload, place: { start, size }, media: target.media }
}

/** A range that starts after the first byte continues a download that was already counted, so the limit does not refuse it (A-downloads). */
function continuesDownload({ method }: IncomingMessage, { status, start }: Transfer): boolean {
  return method === 'GET' && (status === 416 || (status === 206 && start > 0))
}

/** By world, the files whose ETag and date were told, also by HEAD or a part; with the world's generation. */
const told = new WeakMap<World, Set<string>>()

function tell(world: World, fileId: string): void {
  const known = told.get(world) ?? new Set()
  told.set(world, known.add(`${world.generation}/${fileId}`))
}

/**
 * Whether a client can know a file from this world. One that kept the file of an earlier run, with the same seed and moments, speaks of
 * another file: the real gateway would have made a new one (A-downloads).
 */
function isTold(world: World, fileId: string): boolean {
  return world.state.downloads.has(fileId) || told.get(world)?.has(`${world.generation}/${fileId}`) === true
}

function countDownload(world: World, task: Task, fileId: string): void {
  put(world, 'downloads', fileId, (world.state.downloads.get(fileId) ?? 0) + 1)
  world.journal.events.announce({ kind: 'download', at: nowIn(world), taskId: task.id })
}

/** The file name for a download: the task's id, as upstream does. All files except the first add their own name, so that no file overwrites another. */
function fileName(task: Task, output: string): string {
  const [first] = Object.keys(outputsOf(task))
  return (output === first ? task.id : `${task.id}-${output}`).replace(/[^\w.-]/g, '_')
}
