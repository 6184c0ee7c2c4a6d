import { parse } from 'node:path'
import { outputsOf } from '../families/index.ts'
import { corsHeaders, type Headers, httpDate, proxyHeaders, send } from '../http/respond.ts'
import { planTransfer } from '../http/transfer.ts'
import { parseLink } from '../media/links.ts'
import { mediaType, recipeEnding } from '../media/recipe.ts'
import { sendTransfer } from '../media/send-file.ts'
import { sizeOf } from '../media/warm-files.ts'
import { disturbanceOf, mediaWords } from '../scenarios/disturbance.ts'
import { downloadOperation } from '../scenarios/operations.ts'
import type { Effects } from '../scenarios/scenario.ts'
import { viewAt } from '../tasks/lifecycle.ts'
import type { MediaFault, Task } from '../tasks/task.ts'
import { nowIn, put, requestRandom, type World } from '../worlds/world.ts'
import { LinkRefusal, refusalBody, refusalOf } from './link-refusal.ts'
import { checkDownloadsLeft, type Download, type Opened, openLink } from './open-link.ts'

/**
 * Serves a temporary link: signature, expiry and download limit, then GET or HEAD with Range and ETag.
 * A download counts when its first byte is asked for; HEAD and ranges that start later do not (A-downloads).
 */
export function serveDownload(download: Download): void {
  const startedMs = performance.now()
  const world = worldOf(download)
  const { request, response } = download
  const context = { download, world, startedMs, requestId: requestRandom(world).hex(32) }
  if (request.method === 'OPTIONS') {
    response
      .writeHead(204, {
        ...corsHeaders,
        'Access-Control-Allow-Headers': 'Range',
        'Access-Control-Allow-Methods': 'GET, HEAD',
      })
      .end()
    return
  }
  serve(context)
    .catch(error => {
      // Shutting down stops renders; whoever waited for one has been cut off already.
      if (response.headersSent || error?.name === 'AbortError') response.destroy()
      else refuse(context, error)
    })
    .catch(fault => {
      download.services.log.error({ err: fault }, 'a file could not be refused')
      response.destroy()
    })
}

interface Context {
  download: Download
  world: World
  startedMs: number
  requestId: string
}

async function serve(context: Context): Promise<void> {
  const { download, world } = context
  const { request, response, services } = download
  const opened = openLink(download, world)
  const { task, recipe, effects } = opened
  const file = await services.library.file(recipe)
  const transfer = planTransfer(request, {
    file,
    size: await sizeOf(file),
    // The library names a file by its recipe's key.
    etag: `"${parse(file).name}"`,
    headers: fileHeaders(context, opened),
  })
  if (transfer.startsAtFirstByte) {
    // Others may have been counted while the file was rendered.
    checkDownloadsLeft(world, opened)
    countDownload(world, `${task.id}/${opened.output}`)
    world.journal.announce({ kind: 'download', at: nowIn(world), taskId: task.id })
    await services.database.commit()
  }
  const media = effects.media ?? task.media
  record(context, { ...transfer, task, effects, media })
  await sendTransfer(response, transfer, {
    ...(media && { media }),
    ...(effects.connection && { connection: effects.connection }),
  })
}

function fileHeaders(context: Context, { task, output, recipe, effects }: Opened): Headers {
  const ending = recipeEnding(recipe)
  return {
    ...commonHeaders(context),
    ...(effects.rule && { 'X-Emulator-Rule': effects.rule }),
    'Content-Type': mediaType(ending),
    'Content-Disposition': `attachment; filename="${fileName(task, output)}.${ending}"`,
    'Last-Modified': httpDate(viewAt(task, nowIn(context.world)).since),
  }
}

/** The task's id, as upstream names its files; with the file's own name behind it for all but the first, so that none lands on another. */
function fileName(task: Task, output: string): string {
  const [first] = Object.keys(outputsOf(task))
  return (output === first ? task.id : `${task.id}-${output}`).replace(/[^\w.-]/g, '_')
}

function commonHeaders({ world, requestId, download }: Context): Headers {
  return {
    Date: httpDate(nowIn(world)),
    'X-Request-Id': requestId,
    'X-Emulator-World': world.id,
    ...(download.request.headers.origin !== undefined && corsHeaders),
  }
}

function countDownload(world: World, key: string): void {
  put(world, 'downloads', key, (world.state.downloads.get(key) ?? 0) + 1)
}

function refuse(context: Context, error: unknown): void {
  const { download, requestId } = context
  const known = refusalOf(error)
  if (!known) download.services.log.error({ err: error }, 'a file could not be served')
  const refusal = known ?? new LinkRefusal(500, 'InternalError', 'The file could not be made.')
  const { effects, headers: own } = refusal.detail
  const { type, text } = refusalBody(refusal, requestId)
  const envelope = { now: nowIn(context.world), world: context.world.id, rule: effects?.rule }
  const usual = {
    ...commonHeaders(context),
    ...(effects?.rule && { 'X-Emulator-Rule': effects.rule }),
    'Content-Type': type,
  }
  const headers = { ...(refusal.detail.isFromProxy ? proxyHeaders(envelope) : usual), ...own }
  const { request, response } = download
  send(response, refusal.status, headers, request.method === 'HEAD' ? undefined : text, effects?.connection)
  record(context, { status: refusal.status, headers, effects, text })
}

interface Outcome {
  status: number
  headers: Headers
  task?: Task | undefined
  effects?: Effects | undefined
  media?: MediaFault | undefined
  text?: string
}

function record(context: Context, { status, headers, task, effects, media, text }: Outcome): void {
  const { download, world, startedMs, requestId } = context
  const { request } = download
  const taskId = task?.id ?? parseLink(download.path, new URLSearchParams())?.task
  const asked = taskId === undefined ? undefined : world.state.tasks.get(taskId)
  world.journal.add({
    at: nowIn(world),
    account: asked?.account,
    operation: downloadOperation,
    method: request.method ?? '',
    url: request.url ?? '',
    status,
    requestId,
    durationMs: performance.now() - startedMs,
    startedMs,
    requestHeaders: request.rawHeaders,
    requestBody: undefined,
    responseHeaders: headers,
    responseBody: text,
    taskIds: asked && [asked.id],
    rule: effects?.rule,
    connection: effects?.connection && disturbanceOf(effects.connection),
    media: media && media.kind !== 'missing_url' ? mediaWords(media) : undefined,
  })
}

function worldOf({ path, services }: Download): World {
  const link = parseLink(path, new URLSearchParams())
  return (link && services.worlds.find(link.world)) ?? services.worlds.open('default')
}
