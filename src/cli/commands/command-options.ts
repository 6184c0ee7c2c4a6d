import { defaults, reporters } from '../../explore/explore.ts'
import { asForms } from './as-flags.ts'
import { type ExploreFlag, ofServe } from './explore-flags.ts'

/** An option of a command for its help: its name and value, its default, and what it does. */
export type OptionRow = readonly [option: string, standard: string, meaning: string]

const running = 'http://127.0.0.1:8585'

/** An option of `explore`; `run` has some of them. */
type ExploreRow = readonly [value: string, standard: string, meaning: string]

const exploreRows: Readonly<Record<ExploreFlag, ExploreRow>> = {
  env: [
    'NAME=TEMPLATE',
    'none',
    'a variable for it, with {url}, {key}, {world} (explore: {state}); repeatable',
  ],
  as: ['HOST', 'none', 'the emulator takes the place of this host; HOST/PREFIX takes a path off; repeatable'],
  allow: ['HOST', 'none', 'with --as: a host that the program reaches as always; repeatable'],
  'model-alias': [
    'NAME=MODEL',
    'none',
    "NAME means this model of the emulator; '*': each unknown name; repeatable",
  ],
  only: ['PATTERN', 'all cases', "only these: a.create, 'file_*', 'a.create#1 task_expired'; repeatable"],
  skip: ['PATTERN', 'none', 'leave these cases out; repeatable'],
  pairs: ['', 'off', 'also two failures in one run'],
  restarts: ['', 'off', 'instead of failures: kill the program at each of its calls, and start it again'],
  state: [
    'DIR',
    'an empty folder for each case',
    'where the program remembers; it is put back after each case',
  ],
  'put-back': ['', 'off', 'only put --state DIR back, after an explore that was killed'],
  'without-result': [
    '',
    'off',
    'explore a program that makes tasks and receives no result: it only cancels or lists',
  ],
  patience: ['', 'off', 'instead of failures: measure which outages, queues and late answers it survives'],
  need: [
    'FIGURE=VALUE',
    'none',
    'a lower figure of --patience is a problem: outage=2m, queue=30m; repeatable',
  ],
  jobs: [
    'N',
    String(defaults.jobs),
    'how many runs at a time; up to 8 of a program that sleeps in real time; one with --state',
  ],
  limit: ['TIME', defaults.limit, 'wall time of one run; an undisturbed run may take three times as long'],
  budget: ['TIME', defaults.budget, 'no run starts after it; what was left out is listed'],
  time: ['virtual|real|auto', 'auto', 'virtual: sleeps of the program move the clock of its world at once'],
  'virtual-time': ['', 'off', 'the old name of --time virtual'],
  accept: ['FILE', 'none', 'known problems, as YAML or JSON'],
  update: ['', 'off', 'write the file of --accept: the known problems as they are now'],
  'fail-on': ['problems|warnings', defaults.failOn, 'what ends the command with 1'],
  out: [
    'DIR',
    'none',
    'write the report as HTML, JUnit, JSON and SARIF, and scenario, log and trace of each problem',
  ],
  reporter: [`${reporters.join('|')}`, 'pretty', 'the form of the report on standard output'],
  seed: ['N', '1', 'the seed of worlds'],
  now: ['TIME', 'the wall clock', 'virtual time at which worlds open'],
  clock: ['MODE', 'explore: by --time; run: auto', 'realtime, manual, auto, or a rate such as 60x'],
  scenario: ['NAME|FILE', 'none', 'active in each world; repeatable'],
  config: ['FILE', 'none', 'options of the emulator as JSON or YAML'],
}

/** The options of each command that has some of its own; those of `serve` are a table of their own. `--url` is `--base-url`. */
export const commandOptions: Readonly<Record<string, readonly OptionRow[]>> = {
  openapi: [['--control', 'off', 'the control API instead of the emulated one']],
  tour: [
    ['--base-url URL', 'GATEWAY_EMULATOR_URL, else its own emulator', 'the emulator or gateway to ask'],
    ['--key KEY', 'sk-emulator', 'the key to send'],
    ['--out FILE', 'a new folder for temporary files', 'where the video is saved'],
  ],
  mcp: [
    [
      '--base-url URL',
      'GATEWAY_EMULATOR_URL, else its own emulator, clock auto',
      'the emulator that the tools use',
    ],
  ],
  doctor: [],
  explore: (Object.keys(exploreRows) as ExploreFlag[]).map(exploreRow),
  run: (['env', ...Object.keys({ ...asForms, ...ofServe })] as ExploreFlag[]).map(exploreRow),
  trace: [
    ['--base-url URL', `GATEWAY_EMULATOR_URL, else ${running}`, 'the emulator to ask'],
    ['--world NAME', 'default', 'the world whose run is printed'],
    ['--task ID', 'all', 'only what is about this task'],
    ['--since MOMENT', 'all', 'only what happened from this moment of virtual time on'],
    ['--trace-id ID', 'all', 'only requests of this traceparent'],
    [
      '--out FILE',
      'none: lines',
      'write a page that needs no network, or JSON for a name that ends in .json',
    ],
    ['--json', 'off', 'as JSON'],
  ],
  health: [
    ['--wait TIME', '0s', 'wait so long for an answer'],
    ['--base-url URL', 'from the next four, else GATEWAY_EMULATOR_URL', 'the emulator to ask'],
    ['--port N', '8585', 'its port'],
    ['--host ADDRESS', '127.0.0.1', 'its address'],
    ['--tls MODE', 'http, then https', 'as for serve'],
    ['--config FILE', 'none', 'the file that has these options'],
  ],
  selfcheck: [
    ['--base-url URL', 'its own emulator', 'the server to check'],
    ['--key KEY', 'sk-emulator', 'its key; a real gateway needs one'],
    ['--other-key KEY', 'none', 'the key of another account, for rules about those'],
    [
      '--models MODEL=NAME,…',
      'the published names',
      'how this server calls the models, such as model_a_25=NAME',
    ],
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
    [
      '--keep PATH',
      'none',
      'keep the value at this place of bodies and queries, such as error.code; may be repeated',
    ],
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
