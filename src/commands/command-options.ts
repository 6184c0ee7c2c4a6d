import { defaults } from '../explore/options.ts'
import { reporters } from '../explore/report/reports.ts'
import type { ExploreFlag } from './explore-flags.ts'

/** An option of a command for its help: its name and value, its default, and what it does. */
export type OptionRow = readonly [option: string, standard: string, meaning: string]

const running = 'http://127.0.0.1:8585'

/** Each option of `explore`: its value, its default, and what it does. `run` has some of them. */
const exploreRows: Readonly<
  Record<ExploreFlag, readonly [value: string, standard: string, meaning: string]>
> = {
  env: [
    'NAME=TEMPLATE',
    'none',
    'give the program a variable; {url}, {key}, {world} and {state} are filled in; repeatable',
  ],
  as: [
    'HOST',
    'none',
    'the emulator takes the place of this host: the program calls it with its own address and key; HOST/PREFIX also takes a path off; repeatable',
  ],
  allow: [
    'HOST',
    'none',
    'with --as: a host that the program reaches as always; all others are refused; repeatable',
  ],
  'model-alias': [
    'NAME=MODEL',
    'none',
    "with the name of a model of the program, this model of the emulator is meant; '*=MODEL': with each unknown name; repeatable",
  ],
  only: [
    'PATTERN',
    'all cases',
    "only these cases: a.create, 'file_*', 'a.create#1 task_expired'; repeatable",
  ],
  skip: ['PATTERN', 'none', 'leave these cases out; repeatable'],
  pairs: ['', 'off', 'also two failures in one run'],
  restarts: [
    '',
    'off',
    'instead of failures: kill the program at each of its calls, and start it again with the same state',
  ],
  state: [
    'DIR',
    'an empty folder for each case',
    'the folder that the program always uses; it is put back before each case and at the end',
  ],
  'put-back': ['', 'off', 'only put --state DIR back, after an explore that was killed'],
  patience: [
    '',
    'off',
    'measure how long the program survives outages and waits for queues and answers, and its lowest rate, in the place of the cases',
  ],
  need: [
    'FIGURE=VALUE',
    'none',
    'a lower figure is a problem; without --patience only these are measured: outage=2m, outage.polls, outage.downloads, queue=30m, answer=20s, rate=30; repeatable',
  ],
  jobs: ['N', String(defaults.jobs), 'how many runs at a time; one with --state'],
  limit: ['TIME', defaults.limit, 'wall time of one run; an undisturbed run may take three times as long'],
  budget: ['TIME', defaults.budget, 'no run starts after it; what was left out is listed'],
  time: [
    'virtual|real|auto',
    'auto',
    'virtual: sleeps of the program move the clock of its world and return at once',
  ],
  'virtual-time': ['', 'off', 'the old name of --time virtual'],
  accept: ['FILE', 'none', 'known problems, as YAML or JSON'],
  update: ['', 'off', 'write the file of --accept: the known problems as they are now'],
  'fail-on': ['problems|warnings', defaults.failOn, 'what ends the command with 1'],
  out: [
    'DIR',
    'none',
    'write report.json, report.html, junit.xml, and scenario, log and trace of each problem',
  ],
  reporter: [`${reporters.join('|')}`, 'pretty', 'the form of the report on standard output'],
  seed: ['N', '1', 'the seed of worlds'],
  now: ['TIME', 'the wall clock', 'virtual time at which worlds open'],
  clock: ['MODE', 'by --time', 'the clock of every world: realtime, manual, auto, or a rate such as 60x'],
  scenario: ['NAME|FILE', 'none', 'active in each world; repeatable'],
  config: ['FILE', 'none', 'options of the emulator as JSON or YAML'],
}

const ownOfRun: Readonly<Partial<Record<ExploreFlag, OptionRow>>> = {
  env: [
    '--env NAME=TEMPLATE',
    'none',
    'give the program a variable; {url}, {key} and {world} are filled in; repeatable',
  ],
  clock: ['--clock MODE', 'auto', 'realtime, manual, auto, or a rate such as 60x'],
}
const sharedWithRun: readonly ExploreFlag[] = [
  'as',
  'allow',
  'model-alias',
  'env',
  'seed',
  'now',
  'clock',
  'scenario',
  'config',
]

/** The options of each command that has some of its own; those of `serve` are a table of their own. `--url` is `--base-url`. */
export const commandOptions: Readonly<Record<string, readonly OptionRow[]>> = {
  openapi: [['--control', 'off', 'the control API instead of the emulated one']],
  tour: [
    ['--base-url URL', 'its own emulator', 'the emulator or gateway to ask'],
    ['--key KEY', 'sk-emulator', 'the key to send'],
    ['--out FILE', 'a new folder for temporary files', 'where the video is saved'],
  ],
  mcp: [['--base-url URL', 'its own emulator, clock auto', 'the emulator that the tools use']],
  doctor: [],
  explore: (Object.keys(exploreRows) as ExploreFlag[]).map(exploreRow),
  run: sharedWithRun.map(name => ownOfRun[name] ?? exploreRow(name)),
  trace: [
    ['--base-url URL', `GATEWAY_EMULATOR_URL, else ${running}`, 'the emulator to ask'],
    ['--world NAME', 'default', 'the world whose run is printed'],
    ['--task ID', 'all', 'only what is about this task'],
    ['--since MOMENT', 'all', 'only what happened from this moment of virtual time on'],
    ['--trace-id ID', 'all', 'only requests of this traceparent'],
    [
      '--out FILE',
      'none: lines on standard output',
      'write a page that needs no network; as JSON when it ends in .json',
    ],
    ['--json', 'off', 'as JSON'],
  ],
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
    [
      '--fail-on WHAT',
      'unknown',
      'changed: contradicted rows end it with 1; unknown: differences of no row end it with 4, too',
    ],
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

function exploreRow(name: ExploreFlag): OptionRow {
  const [value, standard, meaning] = exploreRows[name]
  return [`--${name}${value && ` ${value}`}`, standard, meaning]
}
