import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { controlCaller } from '../client/call.ts'
import { mcpServer } from '../mcp/server.ts'
import { readOnlyFlags } from '../options/flags.ts'
import { readUrl } from '../options/read-value.ts'
import { readAt } from '../options/usage-error.ts'
import { assembleEmulator, listen } from '../server/emulator.ts'
import { onStop } from './stopped.ts'

/**
 * Serves the Model Context Protocol on standard input and output, until the input ends. It uses the emulator at `--base-url`, or
 * starts its own on a free port.
 */
export async function run(args: string[]): Promise<number> {
  const base = readOnlyFlags(args, { 'base-url': 'text' })['base-url']
  const given = base === undefined ? undefined : readAt('--base-url', base, readUrl)
  const started =
    given === undefined
      ? await listen(await assembleEmulator({ port: 0, clock: { mode: 'auto', rate: 1 } }))
      : undefined
  const url = given ?? started?.url
  // Standard output is only for the protocol.
  process.stderr.write(`The emulator is at ${url}\n`)
  const server = mcpServer(controlCaller(`${url}/__emulator`))
  const ended = new Promise<void>(resolve => {
    server.onclose = resolve
    process.stdin.once('end', resolve)
    onStop(resolve)
  })
  await server.connect(new StdioServerTransport())
  await ended
  await started?.close()
  return 0
}
