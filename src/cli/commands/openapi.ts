import { readOnlyFlags } from '../../emulator/options.ts'
import { controlDocument, controlEndpoints, publicDocument } from '../../emulator/server.ts'

/** Prints the OpenAPI document of the emulated API, or of the control API with `--control`. */
export async function run(args: string[]): Promise<number> {
  const { control } = readOnlyFlags(args, { control: 'switch' })
  const document = control ? controlDocument(controlEndpoints) : publicDocument()
  process.stdout.write(`${JSON.stringify(document, null, 2)}\n`)
  return 0
}
