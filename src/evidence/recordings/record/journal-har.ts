import { readFile } from 'node:fs/promises'
import { outputOf, type Services } from '../../../emulator/gateway.ts'
import type { Entry, World } from '../../../emulator/ground.ts'
import { downloadOperation } from '../../../emulator/words.ts'
import { parseLink, recipeKey } from '../../../media/index.ts'
import { describeMedia, type MediaDescription } from '../describe-media.ts'
import { type Body, type GatewayEntry, pairsOf, type RecordedExchange } from '../har.ts'
import { operationOf } from '../operation.ts'
import { createRedactor } from '../redact/redactor.ts'
import { entryOf } from './entry.ts'

export interface JournalSource {
  world: World
  services: Pick<Services, 'library'>
  baseUrl: string
}

/** The entries of a world's journal in the form of a recording, also redacted. Offsets are virtual time. */
export async function recordedEntries(
  entries: readonly Entry[],
  source: JournalSource,
  prompts: 'kept' | 'redacted',
): Promise<GatewayEntry[]> {
  const redactor = createRedactor({ prompts })
  const files = new Map<string, MediaDescription>()
  const recorded: GatewayEntry[] = []
  for (const entry of entries) recorded.push(await entryOf(await exchangeOf(entry, source, files), redactor))
  return recorded
}

async function exchangeOf(
  entry: Entry,
  source: JournalSource,
  files: Map<string, MediaDescription>,
): Promise<RecordedExchange> {
  const path = entry.url.split('?', 1)[0] ?? ''
  const { family } = operationOf(entry.method, path)
  const isDownload = entry.operation === downloadOperation
  const media = isDownload && entry.method === 'GET' ? await fileOf(entry, source, files) : undefined
  return {
    startedAt: entry.at,
    clockMs: entry.at,
    durationMs: Math.max(0, entry.durationMs),
    waitMs: Math.max(0, entry.durationMs),
    operation: entry.operation,
    family: family ?? source.world.state.tasks.get(entry.taskIds?.[0] ?? '')?.family,
    method: entry.method,
    url: source.baseUrl + entry.url,
    requestHeaders: pairsOf(entry.requestHeaders),
    requestBody: textBody(entry.requestBody),
    status: entry.status,
    statusText: '',
    responseHeaders: Object.entries(entry.responseHeaders).map(([name, value]) => [name, String(value)]),
    responseBody: media ? { kind: 'file', media, bytes: media.bytes } : textBody(entry.responseBody),
  }
}

function textBody(text: string | undefined): Body {
  return text === undefined || text === ''
    ? { kind: 'none' }
    : { kind: 'text', text, bytes: Buffer.byteLength(text) }
}

/** Describes the file of a complete download. Undefined for a part of a file and for a refusal. */
async function fileOf(
  { status, url, responseHeaders }: Entry,
  { world, services }: JournalSource,
  files: Map<string, MediaDescription>,
): Promise<MediaDescription | undefined> {
  const link = parseLink(url.split('?', 1)[0] ?? '', new URLSearchParams())
  const task = link && world.state.tasks.get(link.task)
  const recipe = task && outputOf(task, link.output)
  if (status !== 200 || !recipe) return undefined
  const known = files.get(recipeKey(recipe))
  if (known) return known
  const bytes = await readFile(await services.library.file(recipe))
  const media = await describeMedia(bytes, String(responseHeaders['Content-Type'] ?? ''))
  files.set(recipeKey(recipe), media)
  return media
}
