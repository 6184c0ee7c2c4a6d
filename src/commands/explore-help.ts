import { defaults } from '../explore/options.ts'
import { reporters } from '../explore/report/reports.ts'
import { optionLines } from './command-options.ts'
import type { ExploreFlag } from './explore-flags.ts'

/** Each option of `explore`: its value, its default, and what it does. */
const rows: Readonly<Record<ExploreFlag, readonly [value: string, standard: string, meaning: string]>> = {
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
  seed: ['N', '1', 'the seed of every world'],
  now: ['TIME', 'the wall clock', 'virtual time at which every world opens'],
  clock: ['MODE', 'by --time', 'the clock of every world: realtime, manual, auto, or a rate such as 60x'],
  scenario: ['NAME|FILE', 'none', 'active in every world; repeatable'],
  config: ['FILE', 'none', 'options of the emulator as JSON or YAML'],
}

/** The help of `explore`: each option with its default. */
export function exploreHelp(): string {
  const written = Object.entries(rows).map(
    ([name, [value, standard, meaning]]) => [`--${name}${value && ` ${value}`}`, standard, meaning] as const,
  )
  return `gateway-emulator explore [options] -- COMMAND [ARG...]

Runs your program undisturbed, then once with each failure that each of its calls can meet, and reports how it reacted and what it cost.
Exit codes: 0 no problem, 1 problems, 2 wrong usage, 3 the undisturbed run failed, 130 interrupted.

${optionLines(written)}`
}
