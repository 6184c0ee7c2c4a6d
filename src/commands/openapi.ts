import { controlEndpoints } from '../control/endpoints.ts'
import { controlDocument, publicDocument } from '../control/openapi.ts'
import { UsageError } from '../options/usage-error.ts'

/** Prints the OpenAPI document of the emulated API, or of the control API with `--control`. */
export async function run(args: string[]): Promise<number> {
  const unknown = args.find(arg => arg !== '--control')
  if (unknown !== undefined) throw new UsageError(`Unknown option ${unknown}; did you mean --control?`)
  const document = args.includes('--control') ? controlDocument(controlEndpoints) : publicDocument()
  await new Promise<void>(resolve =>
    process.stdout.write(`${JSON.stringify(document, null, 2)}\n`, () => resolve()),
  )
  return 0
}
