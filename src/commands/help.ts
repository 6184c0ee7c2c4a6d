import { optionRows } from '../options/table.ts'
import { commandOptions, optionLines } from './command-options.ts'
import { exploreHelp } from './explore-help.ts'

const commandLines = `gateway-emulator [serve] [options]
gateway-emulator openapi [--control]          print the OpenAPI document
gateway-emulator tour [--base-url URL]        create, poll and download a video, and print each step
gateway-emulator mcp [--base-url URL]         serve tools for agents (Model Context Protocol) on standard input and output
gateway-emulator doctor                       print which ffmpeg and fonts are used, and what they can do
gateway-emulator health [--wait 10s] [--base-url URL]         check that an emulator answers at --port, --host and --tls
gateway-emulator selfcheck [--base-url URL --key KEY] [--other-key KEY] [--models model_a_25=NAME,...] [--only a] [--yes] [--record FILE.har]
                                              check the rules of the specification against a running server
gateway-emulator selfcheck --recording FILE.har               the same with a recording, offline
gateway-emulator record --upstream URL --out FILE.har [--port 8586] [--host ADDRESS] [--redact FILE] [--keep-prompts]
                                              forward all requests to a gateway, and record requests and replies without secrets
gateway-emulator compare FILE.har... [--base-url URL] [--reporter pretty|json|markdown|junit] [--fail-on changed|unknown] [--ignore FILE] [--confirm FILE]
                                              repeat recorded jobs in an emulator, and list the rows that they confirm and contradict
gateway-emulator requests [--har [--keep-prompts]] [--url URL] [--world NAME] [--operation GLOB] [--status N] [--task ID] [--trace ID] [--out FILE]
                                              print the requests to a running emulator; --har: as HAR 1.2 without secrets
gateway-emulator trace [FILE] [--url URL] [--world NAME] [--task ID] [--since MOMENT] [--trace-id ID] [--out run.html] [--json]
                                              print the run of your clients, or one in a file; --out writes a page that needs no network
gateway-emulator scenarios list | check [--dry-run] FILE... | from-recording FILE.har
gateway-emulator config from-recording FILE.har               print settings from a recording: group, models, limits
gateway-emulator explore [options] -- COMMAND [ARG...]        run your program once with each failure that it can meet;
                                              explore --help lists the options
gateway-emulator run --as HOST [--allow HOST] [--model-alias NAME=MODEL] [--env NAME=TEMPLATE] [--seed N --now TIME --clock MODE --scenario NAME --config FILE] -- COMMAND [ARG...]
                                              run your program as it is, with the emulator in the place of HOST
gateway-emulator failures [--operation ID] [--json]   list the failures of each operation`

/** Prints commands and options; with a command's name, the arguments of that command. */
export async function run([name]: string[] = []): Promise<number> {
  const own =
    name === 'explore' ? exploreHelp() : name === undefined || name === 'serve' ? undefined : linesOf(name)
  process.stdout.write(own ?? helpText())
  return 0
}

/** Every command and every option of `serve`. */
export function helpText(): string {
  return `${commandLines}\n\n${options()}`
}

/** The lines of one command; undefined when no command has this name. */
function linesOf(name: string): string | undefined {
  const lines = commandLines.split('\n')
  const start = lines.findIndex(line => line.startsWith(`gateway-emulator ${name} `))
  if (start < 0) return undefined
  const rest = lines.slice(start + 1)
  const end = rest.findIndex(line => !line.startsWith(' '))
  const own = [lines[start], ...rest.slice(0, end < 0 ? rest.length : end)]
  const options = optionLines(commandOptions[name] ?? [])
  return `${own.join('\n')}\n\n${options}${options && '\n'}gateway-emulator --help lists the other commands, and the options of serve.\n`
}

function options(): string {
  const rows = optionRows.map(({ flag, value, standard, meaning }) => [
    `--${flag}${value ? ` ${value}` : ''}`,
    `${meaning} (${standard})`,
  ])
  rows.push(['--config FILE', 'the same options as JSON or YAML, plus models and prices'])
  const width = Math.max(...rows.map(([name = '']) => name.length))
  return `Options (environment: GATEWAY_EMULATOR_ and the name in capitals with _)
${rows.map(([name = '', text]) => `  ${name.padEnd(width)}  ${text}`).join('\n')}
`
}
