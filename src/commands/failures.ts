import { type FailureFilter, failuresOf } from '../explore/plan/catalogue.ts'
import { readOnlyFlags } from '../options/flags.ts'
import { hint, UsageError } from '../options/usage-error.ts'
import { operations } from '../scenarios/operations.ts'

/** Prints the catalogue of failures: all operations or one. */
export async function run(args: string[]): Promise<number> {
  const { operation, json: isJson } = readOnlyFlags(args, { operation: 'text', json: 'switch' })
  const known: readonly string[] = operations
  if (operation !== undefined && !known.includes(operation))
    throw new UsageError(`--operation: "${operation}" is not an operation${hint(operation, known)}`)
  const filter: FailureFilter = operation === undefined ? {} : { operation }
  const items = failuresOf(filter)
  const text = isJson ? JSON.stringify({ items }, null, 2) : items.map(line).join('\n')
  process.stdout.write(`${text}\n`)
  return 0
}

function line({ operation, id, title, transient }: ReturnType<typeof failuresOf>[number]): string {
  return `${operation.padEnd(19)} ${id.padEnd(21)} ${transient ? 'passes ' : '       '} ${title}`
}
