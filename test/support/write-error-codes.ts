import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { errorCodes } from './error-codes.ts'

writeFileSync(fileURLToPath(new URL('../../fixtures/docs/error-codes.md', import.meta.url)), errorCodes())
