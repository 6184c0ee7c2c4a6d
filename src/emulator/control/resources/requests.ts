import { readFile } from 'node:fs/promises'
import { emptyRecording } from '../../../evidence/recordings.ts'
import { tracePage } from '../../../kits/client.ts'
import type { RequestFilter, TraceFilter } from '../../../kits/views.ts'
import { packagePath } from '../../package/files.ts'
import type { Reply } from '../../pipeline/endpoint.ts'
import { globPattern, knownGlobs, operations } from '../../scenarios/operations.ts'
import { realTime } from '../../worlds/clock.ts'
import type { Entry } from '../../worlds/journal.ts'
import { release } from '../../worlds/under-way.ts'
import type { World } from '../../worlds/world.ts'
import { type ControlCall, closed, done, endpoints, listed } from '../control-endpoint.ts'
import { checkKnown } from '../control-error.ts'
import { findingsIn } from '../findings/findings.ts'
import { findingViews } from '../findings/found.ts'
import { entryView, folded, masksOf, requestLine, traceOf } from '../journal/entry-view.ts'
import { droppedEntries, kinds, searchOf, startOf, traceIn } from '../journal/select-entries.ts'
import { type VerifyBody, verify } from '../journal/verify.ts'
import { traceDocument } from '../trace/trace.ts'
import { offerUndo, undoQuery } from './undo.ts'

/** One run of clients, seen whole. */
export const traceEndpoints = endpoints({
  'GET /trace': {
    summary: 'One run of clients: attempts, tasks, events, findings and open requests',
    query: {
      since: {
        type: 'string',
        description: 'ISO 8601, epoch milliseconds, or the number of an entry: only later calls.',
      },
      task: {
        type: 'string',
        description: 'The id of a task: only what belongs to it, with the refused creates before it.',
      },
      trace_id: {
        type: 'string',
        description: 'A trace id (32 hexadecimal digits) or a whole traceparent: only calls that carried it.',
      },
      format: {
        type: 'string',
        enum: ['json', 'html'],
        default: 'json',
        description: 'html: a page with the document inside, which needs no network.',
      },
    },
    async handle({ world, services, query }) {
      const { format, ...filter } = query as TraceFilter & { format?: string }
      const trace = traceDocument(world, filter, { services, wallMs: realTime.elapsedMs() })
      if (format !== 'html') return done(trace)
      return {
        status: 200,
        body: await tracePage(trace),
        headers: { 'Content-Type': 'text/html; charset=utf-8' },
      }
    },
  },
  'GET /trace.schema.json': {
    summary: 'The JSON Schema of a trace',
    handle: async () => done(JSON.parse(await readFile(packagePath('docs/trace.schema.json'), 'utf8'))),
  },
})

/** Findings: what the clients of a world do that works here and will fail or cost money with the real service. */
export const findingEndpoints = endpoints({
  'GET /findings': {
    summary: 'What clients do that works here and will fail or cost money with the real service',
    handle: ({ world, services }) =>
      listed(findingViews(findingsIn(world, services)), {
        incomplete: droppedEntries(world),
      }),
  },
})

interface RequestQuery extends Omit<RequestFilter, 'since'> {
  since?: string
  limit: number
  detail: 'whole' | 'line'
  polls: 'all' | 'folded'
  format: 'json' | 'har'
  prompts: 'redacted' | 'kept'
}

const count = { type: 'integer', minimum: 0 } as const

/** The journal, and whether clients sent the expected requests, with the nearest misses when they did not. */
export const requestEndpoints = endpoints({
  'GET /requests': {
    summary: 'Requests and replies, newest last',
    query: {
      operation: {
        type: 'string',
        description: 'An operation id, a glob such as a.* or *.create, or unknown.',
      },
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
      search: {
        type: 'string',
        maxLength: 1000,
        description:
          'Words that must all be in the entry: a request id or its start, the path, a header, the client, a body, a name of the model. A status alone, status:4xx, op:a.create, account:shop, task:…, after:08:01 and before:08:02:30 ask for one fact; words in "quotes" ask for that text.',
      },
      kind: {
        type: 'string',
        enum: Object.keys(kinds),
        description:
          'refused: the status is 400 or more. broken: the reply was cut, reset, stalled, emptied or garbled. rule: a rule acted. unread: fields are ignored.',
      },
      before: {
        type: 'integer',
        minimum: 1,
        description: 'The number of an entry: only older ones.',
      },
      detail: {
        type: 'string',
        enum: ['whole', 'line'],
        default: 'whole',
        description:
          'line: a tenth of the size, without headers and bodies; `total` beside is the number of all that match, `lines` that of their lines.',
      },
      polls: {
        type: 'string',
        enum: ['all', 'folded'],
        default: 'all',
        description:
          'With line. folded: three or more equal polls of a task in a row are one line, with the numbers of all.',
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
    handle(call) {
      const query = call.query as unknown as RequestQuery
      const matching = select(call.world, query)
      if (query.detail === 'line') return lines(call.world, matching, query)
      const entries = matching.slice(-query.limit)
      return query.format === 'har'
        ? recording(call, entries, query)
        : listed(
            entries.map(entry => entryView(call.world, entry)),
            { incomplete: droppedEntries(call.world) },
          )
    },
  },
  'DELETE /requests': {
    summary: 'Empty the journal',
    query: undoQuery,
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
  'POST /requests/release': {
    summary: 'Let the open requests go on that `hang` or `stall_after` holds',
    handle({ world }) {
      release(world)
      return done()
    },
  },
  'POST /requests/verify': {
    example: { body: { match: { operation: '*.create' }, count: { at_least: 1 } } },
    summary: 'Check which requests came, how often and in which order',
    body: closed({
      match: { type: 'object' },
      count: {
        type: 'object',
        additionalProperties: false,
        minProperties: 1,
        properties: { exactly: count, at_least: count, at_most: count },
      },
      order: { type: 'array', minItems: 1, maxItems: 1000, items: { type: 'object' } },
    }),
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
          reasons: reasons.map(masksOf(entry).text),
        })),
      })
    },
  },
})

function lines(world: World, matching: readonly Entry[], { polls, limit }: RequestQuery): Reply {
  const newestFirst = matching.toReversed()
  const folds = polls === 'folded' ? folded(world, newestFirst) : newestFirst.map((one): [Entry] => [one])
  const items = folds.slice(0, limit).map(fold => requestLine(world, fold))
  return listed(items.reverse(), {
    total: matching.length,
    lines: folds.length,
    incomplete: droppedEntries(world),
  })
}

/** Loaded at first use: the start of the emulator does not need redaction. */
async function recording(
  { world, services, baseUrl }: ControlCall,
  entries: readonly Entry[],
  query: RequestQuery,
): Promise<Reply> {
  const { recordedEntries } = await import('../../../evidence/recordings.ts')
  const recorded = await recordedEntries(entries, { world, services, baseUrl }, query.prompts)
  const empty = emptyRecording()
  return done({ log: { ...empty.log, entries: recorded } })
}

/** The operation of requests whose path is nothing's. */
const noOperation = 'unknown'

/** Which entries' operations match a glob. Throws 400 for one that no operation matches. */
function operationsOf(glob: string): ReadonlySet<string> {
  const found = [...operations, noOperation].filter(operation => globPattern(glob).test(operation))
  if (found.length === 0) checkKnown(glob, [...knownGlobs(), noOperation], { path: 'operation' })
  return new Set(found)
}

/** `operation` is a glob; `since` is a moment or an entry's number, `before` a number. */
function select(world: World, query: RequestQuery): Entry[] {
  const { operation, status, since, before, task, trace, search, kind } = query
  const wanted = operation === undefined ? undefined : operationsOf(operation)
  const from = since === undefined ? undefined : startOf(since)
  const traceId = trace === undefined ? undefined : traceIn(trace, 'trace')
  const hasWords = search === undefined ? undefined : searchOf(search, world)
  return world.journal
    .entries()
    .filter(
      entry =>
        (wanted?.has(entry.operation) ?? true) &&
        (status === undefined || entry.status === status) &&
        (task === undefined || (entry.taskIds?.includes(task) ?? false)) &&
        (traceId === undefined || traceOf(entry) === traceId) &&
        (from?.(entry) ?? true) &&
        (before === undefined || entry.id < before) &&
        (kind === undefined || kinds[kind](entry)) &&
        (hasWords?.(entry) ?? true),
    )
}
