import { execFile } from 'node:child_process'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { type FlagRows, namedUrl, readOnlyFlags } from '../../emulator/options.ts'
import { mcpServer, type Tool } from '../../emulator/server.ts'
import { processCaller } from '../../kits/client.ts'
import { EmulatorError } from '../../kits/views.ts'
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
  const server = mcpServer(processCaller(`${url}/__emulator`), [exploreTool])
  const ended = new Promise<void>(resolve => {
    server.onclose = resolve
    process.stdin.once('end', resolve)
    onStop(resolve)
  })
  await server.connect(new StdioServerTransport())
  await ended
  // Ends the programs that calls have started.
  await server.close()
  await close()
  return 0
}

const words = { type: 'array', items: { type: 'string' } } as const

/** Runs a program of the user's, so it is offered on standard input and output only, where the agent runs programs anyway. */
const exploreTool: Tool = {
  name: 'explore',
  title: 'Explore a program',
  description:
    'Runs a program once for each failure that its calls can meet, on emulators of its own, and gives the causes of its problems and warnings with file and line. ' +
    'It reads GATEWAY_EMULATOR_URL and GATEWAY_EMULATOR_KEY, or what env names, and ends by itself. Begin with only.',
  effect: 'runs',
  inputSchema: {
    type: 'object',
    properties: {
      command: { ...words, minItems: 1, description: 'The program and its arguments: ["node", "app.mjs"].' },
      env: { ...words, description: 'NAME=TEMPLATE with {url} and {key}: "ARK_BASE_URL={url}/api/v3".' },
      only: { ...words, description: 'Only these cases: "a.create", "file_*", "a.create#1 reply_lost".' },
      skip: { ...words, description: 'Not these cases.' },
      limit: { type: 'string', description: 'Wall time of one run, such as "20s".' },
      budget: { type: 'string', description: 'No run starts after it, such as "2m".' },
    },
    required: ['command'],
    additionalProperties: false,
  },
  outputSchema: {
    type: 'object',
    properties: {
      causes: { type: 'array', items: { type: 'object' } },
      totals: { type: 'object' },
      not_tried: { type: 'array', items: { type: 'object' } },
    },
    required: ['causes', 'totals', 'not_tried'],
  },
  async call(_, { command, ...options }, signal) {
    const flags = Object.entries(options).flatMap(([name, value]) =>
      [value].flat().flatMap(text => [`--${name}`, String(text)]),
    )
    return asked(['explore', '--reporter', 'json', ...flags, '--', ...(command as string[])], signal)
  },
}

/** The causes of a report; `signal` ends explore, which ends its programs. Rejects with EmulatorError when there is none. */
function asked(args: readonly string[], signal: AbortSignal): Promise<unknown> {
  const [node, main = ''] = process.argv
  return new Promise((resolve, reject) => {
    const done = (_: unknown, stdout: string, stderr: string) => {
      if (stdout.trim() === '')
        return reject(new EmulatorError(0, { code: 'explore', message: stderr.trim() || 'no report' }))
      const { causes, totals, not_tried } = JSON.parse(stdout)
      return resolve({ causes, totals, not_tried })
    }
    const options = { maxBuffer: 2 ** 28, signal }
    execFile(node ?? process.execPath, [...process.execArgv, main, ...args], options, done)
  })
}
