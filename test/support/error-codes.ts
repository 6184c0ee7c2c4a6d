import { failuresOf } from '../../src/explore/catalogue.ts'
import { familyOf } from '../../src/families/index.ts'
import type { Fault } from '../../src/faults/fault.ts'
import { FaultError } from '../../src/faults/fault-error.ts'
import { familyIds } from '../../src/scenarios/operations.ts'

const title = `# Error codes

What each refusal of the catalogue looks like, by family: status, code, and Retry-After where the answer has one. Written by
\`node --import tsx test/support/write-error-codes.ts\`; a test checks that it is current.
`

/** The reference of error codes as Markdown, from the catalogue and the families' own dialects. */
export function errorCodes(): string {
  const refusals = failuresOf().filter(({ kind }) => kind === 'refusal')
  const ids = [...new Set(refusals.map(({ id }) => id))]
  const head = ['Failure', ...familyIds.map(id => familyOf(id).title.split(':')[0] ?? id)]
  const rows = ids.map(id => {
    const cells = familyIds.map(family => {
      const found = refusals.find(one => one.id === id && one.operation.startsWith(`${family}.`))
      return found ? cellOf(family, found.then) : ''
    })
    return `| \`${id}\` | ${cells.join(' | ')} |`
  })
  return [title, `| ${head.join(' | ')} |`, `|${head.map(() => '---|').join('')}`, ...rows, ''].join('\n')
}

function cellOf(family: string, then: Record<string, unknown>): string {
  const { fault, retry_after } = then.refuse as { fault: Fault; retry_after?: string }
  const { status, body } = familyOf(family).dialect.error(new FaultError(fault), { requestId: 'id' })
  const { error = {}, code } = body as {
    error?: { code?: string; type?: string; http_code?: string }
    code?: string
  }
  const word = code ?? error.code ?? error.type ?? ''
  return `${status} \`${word}\`${retry_after ? `, Retry-After ${Number.parseInt(retry_after, 10)}` : ''}`
}
