import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { errorCodes } from './error-codes.ts'
import { root } from './fresh-build.ts'
import { guideTables, withTables } from './guide-tables.ts'

writeFileSync(join(root, 'fixtures/docs/error-codes.md'), errorCodes())
for (const path of Object.keys(guideTables)) {
  const file = join(root, path)
  writeFileSync(file, withTables(path, readFileSync(file, 'utf8')))
}
