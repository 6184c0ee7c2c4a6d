import { controlEndpoints } from '../control/endpoints.ts'
import { controlDocument, publicDocument } from '../control/openapi.ts'
import { readOnlyFlags } from '../options/flags.ts'

/** Prints the OpenAPI document of the emulated API, or of the control API with `--control`. */
export async function run(args: string[]): Promise<number> {
  const { control } = readOnlyFlags(args, { control: 'switch' })
  const document = control ? controlDocument(controlEndpoints) : publicDocument()
  await new Promise<void>(resolve =>
    process.stdout.write(`${JSON.stringify(document, null, 2)}\n`, () => resolve()),
  )
  return 0
}
