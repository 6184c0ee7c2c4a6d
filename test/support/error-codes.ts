import { failuresOf } from '../../src/explore/catalogue.ts'
import { familyOf } from '../../src/families/index.ts'
import { type Fault, faults } from '../../src/faults/fault.ts'
import { FaultError } from '../../src/faults/fault-error.ts'
import { familyIds } from '../../src/scenarios/operations.ts'

const title = `# Error codes

What each refusal looks like, by family: status, code, and Retry-After where the answer has one. The first rows are the failures that
[explore](explore.md) tries; the others are further faults of the scenario language, such as \`[[refuse:too_large]]\`.
`

/** The reference of error codes as Markdown, from the catalogue and the families' own dialects. */
export function errorCodes(): string {
  const refusals = failuresOf().filter(({ kind }) => kind === 'refusal')
  const ids = [...new Set(refusals.map(({ id }) => id))]
  const head = ['Failure', ...familyIds.map(id => familyOf(id).title.split(':')[0] ?? id)]
  const others = faults.filter(fault => !ids.includes(fault))
  const rows = [...ids, ...others].map(id => {
    const cells = familyIds.map(family => {
      const found = refusals.find(one => one.id === id && one.operation.startsWith(`${family}.`))
      if (!ids.includes(id)) return refusalIn(family, { fault: id as Fault })
      return found ? refusalIn(family, found.then.refuse as Told) : ''
    })
    return `| \`${id}\` | ${cells.join(' | ')} |`
  })
  return [title, `| ${head.join(' | ')} |`, `|${head.map(() => '---|').join('')}`, ...rows, ''].join('\n')
}

/** A refusal as the words of a scenario say it. */
interface Told {
  fault: Fault
  retry_after?: string
}

/** Status and code of a refusal in a family, as Markdown. */
export function refusalIn(family: (typeof familyIds)[number], { fault, retry_after }: Told): string {
  const { status, body } = familyOf(family).dialect.error(new FaultError(fault), { requestId: 'id' })
  const { error = {}, code } = body as {
    error?: { code?: string; type?: string; http_code?: string }
    code?: string
  }
  const word = code ?? error.code ?? error.type ?? ''
  return `${status} \`${word}\`${retry_after ? `, Retry-After ${Number.parseInt(retry_after, 10)}` : ''}`
}
