import { type FailureFilter, failuresOf } from '../../../explore/catalogue.ts'
import type { Failure, FailureReply } from '../../../kits/views.ts'
import { refusalOf } from '../../downloads/link-refusal.ts'
import { familyOf } from '../../families/index.ts'
import type { Fault } from '../../faults/fault.ts'
import { FaultError } from '../../faults/fault-error.ts'
import { downloadOperation, familyIds, operations } from '../../scenarios/operations.ts'
import { endpoints, listed } from '../control-endpoint.ts'
import { checkKnown } from '../control-error.ts'

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
      const { status, code } = refusalOf(error) ?? {}
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
