import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../../test/support/fresh-build.ts'
import { errorCodes } from './error-codes.ts'
import { guideTables, withTables } from './guide-tables.ts'
import { traceSchemaText } from './trace-schema.ts'

writeFileSync(join(root, 'docs/error-codes.md'), errorCodes())
writeFileSync(join(root, 'docs/trace.schema.json'), traceSchemaText())
for (const path of Object.keys(guideTables)) {
  const file = join(root, path)
  writeFileSync(file, withTables(path, readFileSync(file, 'utf8')))
}
