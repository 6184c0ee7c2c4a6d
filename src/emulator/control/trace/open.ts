import type { TraceOpen } from '../../../kits/views.ts'
import { masksFor } from '../../http/masked.ts'
import { downloadOperation } from '../../scenarios/operations.ts'
import { iso } from '../../worlds/clock.ts'
import { fileBytesSent, type OpenRequest, underWayIn } from '../../worlds/under-way.ts'
import type { World } from '../../worlds/world.ts'
import { rounded } from './calls.ts'

/** The requests of a world that have no complete reply, oldest first. `wallMs`: this process's monotonic clock. */
export function openIn(world: World, wallMs: number): TraceOpen[] {
  return [...underWayIn(world).requests].map(open => openView(open, wallMs))
}

function openView(open: OpenRequest, wallMs: number): TraceOpen {
  const { request, requestId, operation, cameAt, startedMs, trace } = open
  const [task, ...more] = trace.taskIds ?? []
  const bytes = fileBytesSent(open)
  const state = open.response.headersSent ? 'sent' : open.entry ? 'held_back' : 'handled'
  return {
    request_id: requestId,
    operation,
    method: request.method ?? '',
    path: masksFor(request.headers.authorization).path(request.url ?? ''),
    ...(task !== undefined && more.length === 0 && { task_id: task }),
    at: iso(cameAt),
    wall_ms: rounded(startedMs),
    for_ms: rounded(wallMs - startedMs),
    state,
    text: textOf(state, operation, bytes),
    ...(bytes !== undefined && { bytes_sent: bytes }),
  }
}

function textOf(state: TraceOpen['state'], operation: string, bytes: number | undefined): string {
  switch (state) {
    case 'sent':
      return bytes === undefined ? 'its reply is sent' : `its file is sent: ${bytes} bytes so far`
    case 'held_back':
      return 'a scenario holds its reply back'
    case 'handled':
      return operation === downloadOperation ? 'its file renders, or is opened' : 'it is handled'
  }
}
