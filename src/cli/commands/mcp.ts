import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { type FlagRows, namedUrl, readOnlyFlags } from '../../emulator/options.ts'
import { mcpServer } from '../../emulator/server.ts'
import { processCaller } from '../../kits/client.ts'
import { emulatorAt } from './asked-world.ts'
import { onStop } from './output.ts'

export const flagRows = {
  'base-url': [
    'URL',
    'GATEWAY_EMULATOR_URL, else its own emulator, clock auto',
    'the emulator that the tools use',
  ],
} as const satisfies FlagRows

/**
 * Serves the Model Context Protocol on standard input and output, until the input ends. It uses the emulator at `--base-url`
 * or GATEWAY_EMULATOR_URL, or starts its own on a free port.
 */
export async function run(args: string[]): Promise<number> {
  const base = namedUrl(readOnlyFlags(args, flagRows)['base-url'])
  const { url, close } = await emulatorAt(base, { clock: { mode: 'auto', rate: 1 } })
  // Standard output is only for the protocol.
  process.stderr.write(`The emulator is at ${url}\n`)
  const server = mcpServer(processCaller(`${url}/__emulator`))
  const ended = new Promise<void>(resolve => {
    server.onclose = resolve
    process.stdin.once('end', resolve)
    onStop(resolve)
  })
  await server.connect(new StdioServerTransport())
  await ended
  await close()
  return 0
}
