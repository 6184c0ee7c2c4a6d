/** An option of a command for its help: its value, its default, and what it does. */
type Row = readonly [option: string, standard: string, meaning: string]

const running = 'http://127.0.0.1:8585'

/** The options of each command that has some of its own; those of `serve` and `explore` are tables of theirs. `--url` is `--base-url`. */
export const commandOptions: Readonly<Record<string, readonly Row[]>> = {
  openapi: [['--control', 'off', 'the control API instead of the emulated one']],
  tour: [
    ['--base-url URL', 'its own emulator', 'the emulator or gateway to ask'],
    ['--key KEY', 'sk-emulator', 'the key to send'],
    ['--out FILE', 'a new folder for temporary files', 'where the video is saved'],
  ],
  mcp: [['--base-url URL', 'its own emulator, clock auto', 'the emulator that the tools use']],
  doctor: [],
  health: [
    ['--wait TIME', '0s', 'wait so long for an answer'],
    ['--base-url URL', 'from the next three', 'the emulator to ask'],
    ['--port N', '8585', 'its port'],
    ['--host ADDRESS', '127.0.0.1', 'its address'],
    ['--tls MODE', 'http, then https', 'as for serve'],
    ['--config FILE', 'none', 'the file that has these options'],
  ],
  selfcheck: [
    ['--base-url URL', 'its own emulator', 'the server to check'],
    ['--key KEY', 'sk-emulator', 'its key; a real gateway needs one'],
    ['--other-key KEY', 'none', 'the key of another account, for rules about those'],
    ['--models A=NAME,…', 'the published names', 'how this server calls the models'],
    ['--only PREFIX', 'all', 'only rules whose id begins so'],
    ['--yes', 'off', 'create what costs money without asking'],
    ['--record FILE.har', 'none', 'record requests and replies too'],
    ['--recording FILE.har', 'none', 'check this recording instead of a server'],
  ],
  record: [
    ['--upstream URL', 'needed', 'the gateway to which requests go on'],
    ['--out FILE.har', 'needed', 'where requests and replies are written'],
    ['--port N', '8586', 'the port to listen at'],
    ['--host ADDRESS', '127.0.0.1', 'the address to listen at'],
    ['--redact FILE', 'none', 'words to take out, one a line'],
    ['--keep-prompts', 'off', 'keep prompts as they are'],
    ['--log FORM', 'pretty on a terminal, else json', 'pretty, json, silent'],
  ],
  compare: [
    ['--base-url URL', 'its own emulator', 'the emulator in which jobs are repeated'],
    ['--reporter FORM', 'pretty', 'pretty, json, markdown, junit; --report is the same'],
    ['--fail-on WHAT', 'unknown', 'changed or unknown: what ends the command with another code than 0'],
    ['--ignore FILE', 'none', 'rows that are not looked at'],
    ['--confirm FILE', 'none', 'write the rows that the recording confirms'],
  ],
  requests: [
    ['--base-url URL', `GATEWAY_EMULATOR_URL, else ${running}`, 'the emulator to ask'],
    ['--world NAME', 'default', 'the world whose requests are printed'],
    ['--operation GLOB', 'all', 'only these, such as a.* or media.download'],
    ['--status N', 'all', 'only replies with this status'],
    ['--since TIME', 'all', 'only requests from this moment on'],
    ['--task ID', 'all', 'only requests about this task'],
    ['--trace ID', 'all', 'only requests of this trace'],
    ['--limit N', '10000', 'the newest of them at most'],
    ['--har', 'off', 'as HAR 1.2 without secrets'],
    ['--keep-prompts', 'off', 'with --har: keep prompts as they are'],
    ['--out FILE', 'standard output', 'where they are written'],
  ],
  scenarios: [['--dry-run', 'off', 'with check: also print what each call would meet']],
  failures: [
    ['--operation ID', 'all', 'only the failures of this operation'],
    ['--json', 'off', 'as JSON'],
  ],
}

/** The lines that list options with their defaults, in columns; empty for a command without any. */
export function optionLines(rows: readonly Row[]): string {
  if (rows.length === 0) return ''
  const width = Math.max(...rows.map(([option]) => option.length))
  const lines = rows.map(
    ([option, standard, meaning]) => `  ${option.padEnd(width)}  ${meaning} (${standard})`,
  )
  return `Options (in brackets: the default)\n${lines.join('\n')}\n`
}
