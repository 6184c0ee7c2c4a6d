import { choice, type FlagRows, readAt, readOnlyFlags } from '../../emulator/options.ts'
import { operations } from '../../emulator/words.ts'
import { failuresOf } from '../../explore/catalogue.ts'

export const flagRows = {
  operation: ['ID', 'all', 'only the failures of this operation'],
  json: ['', 'off', 'as JSON'],
} as const satisfies FlagRows

/** Prints the catalogue of failures: all operations or one. */
export async function run(args: string[]): Promise<number> {
  const { operation, json: isJson } = readOnlyFlags(args, flagRows)
  const items = failuresOf(
    operation === undefined ? {} : { operation: readAt('--operation', operation, choice(...operations)) },
  )
  const text = isJson ? JSON.stringify({ items }, null, 2) : items.map(line).join('\n')
  process.stdout.write(`${text}\n`)
  return 0
}

function line({ operation, id, title, transient }: ReturnType<typeof failuresOf>[number]): string {
  return `${operation.padEnd(19)} ${id.padEnd(21)} ${transient ? 'passes ' : '       '} ${title}`
}
