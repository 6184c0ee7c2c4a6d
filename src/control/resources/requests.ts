import type { Reply } from '../../http/endpoint.ts'
import { readTraceId } from '../../http/trace-parent.ts'
import { emptyRecording } from '../../recordings/har.ts'
import { globPattern } from '../../scenarios/operations.ts'
import { parseMoment } from '../../worlds/clock.ts'
import type { Entry } from '../../worlds/journal.ts'
import type { World } from '../../worlds/world.ts'
import { type ControlCall, type ControlEndpoint, done, listed } from '../control-endpoint.ts'
import { badRequest } from '../control-error.ts'
import { droppedEntries } from '../journal/dropped-entries.ts'
import { traceOf } from '../journal/entry-headers.ts'
import { entryView } from '../journal/entry-view.ts'
import { type VerifyBody, verify } from '../journal/verify.ts'
import { offerUndo, undoQuery } from './undo.ts'

interface RequestQuery {
  operation?: string
  status?: number
  since?: string
  task?: string
  trace?: string
  limit: number
  format: 'json' | 'har'
  prompts: 'redacted' | 'kept'
}

const count = { type: 'integer', minimum: 0 } as const

/** The journal, and whether clients sent the expected requests, with the nearest misses when they did not. */
export const requestEndpoints: readonly ControlEndpoint[] = [
  {
    method: 'GET',
    paths: ['/requests'],
    summary: 'Requests and replies, newest last',
    query: {
      type: 'object',
      properties: {
        operation: { type: 'string' },
        status: { type: 'integer' },
        since: {
          type: 'string',
          description: 'ISO 8601, epoch milliseconds, or the number of an entry: digits below 1,000,000,000.',
        },
        task: { type: 'string', description: 'The id of a task: only requests that concern it.' },
        trace: {
          type: 'string',
          description:
            'A trace id (32 hexadecimal digits) or a whole traceparent: only requests that carried it.',
        },
        limit: { type: 'integer', minimum: 1, maximum: 10_000, default: 1000 },
        format: {
          type: 'string',
          enum: ['json', 'har'],
          default: 'json',
          description: 'har: HAR 1.2 without secrets, as `gateway-emulator record` writes it.',
        },
        prompts: {
          type: 'string',
          enum: ['redacted', 'kept'],
          default: 'redacted',
          description: 'With har: whether prompts are kept.',
        },
      },
    },
    handle(call) {
      const query = call.query as unknown as RequestQuery
      const entries = select(call.world, query)
      return query.format === 'har'
        ? recording(call, entries, query)
        : listed(
            entries.map(entry => entryView(call.world, entry)),
            { incomplete: droppedEntries(call.world) },
          )
    },
  },
  {
    method: 'DELETE',
    paths: ['/requests'],
    summary: 'Empty the journal',
    query: { type: 'object', properties: undoQuery },
    handle(call) {
      const { journal } = call.world
      const undo = offerUndo(call, () => {
        const history = journal.history()
        return () => journal.putBack(history)
      })
      journal.clear()
      return done(undo)
    },
  },
  {
    method: 'POST',
    paths: ['/requests/verify'],
    example: { body: { match: { operation: '*.create' }, count: { at_least: 1 } } },
    summary: 'Check which requests came, how often and in which order',
    body: {
      type: 'object',
      additionalProperties: false,
      properties: {
        match: { type: 'object' },
        count: {
          type: 'object',
          additionalProperties: false,
          minProperties: 1,
          properties: { exactly: count, at_least: count, at_most: count },
        },
        order: { type: 'array', minItems: 1, maxItems: 1000, items: { type: 'object' } },
      },
    },
    handle({ world, body }) {
      const incomplete = droppedEntries(world)
      const verdict = verify(world, body as VerifyBody)
      return done({
        ok: verdict.ok,
        found: verdict.found,
        ...(verdict.message && { message: verdict.message }),
        ...(incomplete && { incomplete }),
        requests: verdict.hits.map(({ id }) => id),
        near_misses: verdict.misses.map(({ entry, reasons }) => ({
          request: entryView(world, entry),
          reasons,
        })),
      })
    },
  },
]

/** Loaded at first use: the start of the emulator does not need redaction. */
async function recording(
  { world, services, baseUrl }: ControlCall,
  entries: readonly Entry[],
  query: RequestQuery,
): Promise<Reply> {
  const { recordedEntries } = await import('../../recordings/journal-har.ts')
  const recorded = await recordedEntries(entries, { world, services, baseUrl }, query.prompts)
  const empty = emptyRecording()
  return done({ log: { ...empty.log, entries: recorded } })
}

/** `operation` is a glob; `since` is a moment or an entry's number; the newest `limit` entries are kept. */
function select(world: World, { operation, status, since, task, trace, limit }: RequestQuery): Entry[] {
  const pattern = operation === undefined ? undefined : globPattern(operation)
  const from = since === undefined ? undefined : startOf(since)
  const traceId = trace === undefined ? undefined : traceIn(trace)
  return world.journal
    .entries()
    .filter(
      entry =>
        (pattern?.test(entry.operation) ?? true) &&
        (status === undefined || entry.status === status) &&
        (task === undefined || (entry.taskIds?.includes(task) ?? false)) &&
        (traceId === undefined || traceOf(entry) === traceId) &&
        (from?.(entry) ?? true),
    )
    .slice(-limit)
}

/** Throws 400. */
function traceIn(trace: string): string {
  const id = readTraceId(trace)
  if (id !== undefined) return id
  throw badRequest(
    `${JSON.stringify(trace)} is neither a trace id of 32 hexadecimal digits nor a traceparent`,
    { path: 'trace' },
  )
}

/** From this number on, a number is epoch milliseconds; a smaller one is the number of an entry. */
const smallestMoment = 1_000_000_000

function startOf(since: string): (entry: Entry) => boolean {
  const number = Number(since)
  // A journal never has this many entries, and as a moment this number is in the first twelve days of 1970.
  if (/^\d+$/.test(since) && number < smallestMoment) return entry => entry.id > number
  const at = parseMoment(/^\d+$/.test(since) ? Number(since) : since)
  if (at === undefined)
    throw badRequest(`${JSON.stringify(since)} is neither a moment nor the id of an entry`, { path: 'since' })
  return entry => entry.at >= at
}
