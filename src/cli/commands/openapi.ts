import { type FlagRows, readOnlyFlags } from '../../emulator/options.ts'
import { controlDocument, controlEndpoints, publicDocument } from '../../emulator/server.ts'

export const flagRows = {
  control: ['', 'off', 'the control API instead of the emulated one'],
} as const satisfies FlagRows

/** Prints the OpenAPI document of the emulated API, or of the control API with `--control`. */
export async function run(args: string[]): Promise<number> {
  const { control } = readOnlyFlags(args, flagRows)
  const document = control ? controlDocument(controlEndpoints) : publicDocument()
  process.stdout.write(`${JSON.stringify(document, null, 2)}\n`)
  return 0
}
