import { readFile } from 'node:fs/promises'
import { tracePage } from '../../../kits/client.ts'
import type { TraceFilter } from '../../../kits/views.ts'
import { packagePath } from '../../package/files.ts'
import { realTime } from '../../worlds/real-time.ts'
import { done, endpoints } from '../control-endpoint.ts'
import { traceDocument } from '../trace/trace.ts'

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
