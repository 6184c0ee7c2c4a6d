import { type FlagRows, optionFlags } from '../../emulator/options.ts'

/** What each command takes besides its options, and what it does. */
const commands: Readonly<Record<string, readonly [takes: string, does: string]>> = {
  tour: ['', 'create, poll and download a video, and print each step'],
  explore: ['-- COMMAND [ARG...]', 'run your program once with each failure that its calls can meet'],
  run: ['--as HOST -- COMMAND [ARG...]', 'run your program as it is, with the emulator in the place of HOST'],
  failures: ['', 'list the failures of each operation, each as a rule to copy'],
  scenarios: [
    'list | check FILE... | from-recording FILE.har',
    'name the known scenarios; check files; write one from a recording',
  ],
  config: ['from-recording FILE.har', 'write settings from a recording: group, models, limits'],
  trace: ['[FILE]', 'print the run of your clients, or one in a file'],
  requests: ['', 'print the requests to a running emulator'],
  record: ['--upstream URL --out FILE.har', 'forward requests to a gateway, and record them without secrets'],
  compare: ['FILE.har...', 'repeat recorded jobs in an emulator, and list what they confirm and contradict'],
  selfcheck: ['', 'check the rules of the specification on a server, or in a recording'],
  openapi: ['', 'print the OpenAPI document'],
  mcp: ['', 'serve tools for agents (Model Context Protocol) on standard input and output'],
  health: ['', 'check that an emulator answers'],
  doctor: ['', 'print which ffmpeg, sharp and fonts are used, and what they can do'],
}

const exitCodes: Readonly<Record<string, string>> = {
  explore: '0 no problem, 1 problems, 2 wrong usage, 3 the undisturbed run failed, 130 interrupted',
  run: 'that of the program; 128 and the number of a signal that ended it',
  compare:
    '0 equal, 1 a row is contradicted or nothing was compared, 2 wrong usage, 4 differences that belong to no row',
}

/** The names of all commands but `serve`. */
export const commandNames: readonly string[] = Object.keys(commands)

/** The help of a command with these options; without the name of one, all commands and the options of `serve`. */
export function helpText(name = 'serve', rows: FlagRows = {}): string {
  const command = commands[name]
  if (!command) return `${commandList()}\n\n${serveOptions()}\n`
  const codes = exitCodes[name]
  const parts = [
    `gateway-emulator ${name} [options] ${command[0]}`.trim(),
    `  ${command[1]}${codes ? `\n  Exit code: ${codes}` : ''}`,
    optionLines('Options (in brackets: the default)', rows),
    'gateway-emulator --help lists the other commands, and the options of serve.',
  ]
  return `${parts.filter(Boolean).join('\n\n')}\n`
}

function commandList(): string {
  const rows = Object.entries(commands).map(([name, [takes, does]]) => [`${name} ${takes}`, does] as const)
  return `gateway-emulator [serve] [options]    start the emulator
gateway-emulator COMMAND [options]    one of the following; COMMAND --help lists its options

${columns(rows)}`
}

function serveOptions(): string {
  const heading = 'Options of serve (environment: GATEWAY_EMULATOR_ and the name in capitals with _)'
  return optionLines(heading, optionFlags)
}

/** A heading, and options with their defaults; empty for a command without any. */
function optionLines(heading: string, rows: FlagRows): string {
  const lines = Object.entries(rows).map(
    ([name, [value, standard, meaning, times]]) =>
      [`--${name} ${value}`, `${meaning}${times ? `; ${times}` : ''} (${standard})`] as const,
  )
  return lines.length === 0 ? '' : `${heading}\n${columns(lines)}`
}

function columns(rows: readonly (readonly [string, string])[]): string {
  const width = Math.max(...rows.map(([first]) => first.trimEnd().length))
  return rows.map(([first, second]) => `  ${first.trimEnd().padEnd(width)}  ${second}`).join('\n')
}
