import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { packageVersion } from '../../emulator/ground.ts'
import { type CauseEntry, causesOf, causeText, countText } from '../judge/causes.ts'
import { callerOf, nameOfRow } from '../judge/row.ts'
import {
  type Level,
  levelOf,
  type Verdict,
  type VerdictRow,
  verdictRows,
  verdicts,
} from '../judge/verdicts.ts'
import { type Report, rowsOf, summaryOf } from './report.ts'

const page = 'https://github.com/generation-gateway-emulator/generation-gateway-emulator'
const levelNames = { problem: 'error', warning: 'warning', good: 'note' } as const satisfies Record<
  Level,
  string
>

/**
 * The report in the Static Analysis Results Interchange Format, SARIF 2.1.0: a rule for each verdict that is a problem or a warning, and a
 * result for each cause. A cause of which all cases were accepted is suppressed. Without a line of the user's, the result is at the program that was
 * started: what shows results, such as the security tab of GitHub, leaves out those without a file.
 */
export function sarifReport(report: Report, repository: Repository = repositoryHere()): string {
  const unmet = report.patience?.needs.filter(({ is_met }) => !is_met) ?? []
  const program = report.command === undefined ? undefined : repository.programOf(report.command)
  const needed = unmet.map(({ need, text }) => ({
    ruleId: needRule.id,
    level: 'error',
    message: { text },
    locations: locationsOf(undefined, program),
    partialFingerprints: fingerprints(`need ${need}`, 1),
  }))
  const run = {
    tool: {
      driver: {
        name: 'generation-gateway-emulator',
        version: packageVersion(),
        informationUri: page,
        rules: [...verdicts.flatMap(ruleOf), ...(unmet.length > 0 ? [needRule] : [])],
      },
    },
    invocations: [{ executionSuccessful: !report.interrupted }],
    columnKind: 'utf16CodeUnits',
    results: [...resultsOf(report, { repository, program }), ...needed],
    properties: { summary: summaryOf(report) },
  }
  const document = { $schema: 'https://json.schemastore.org/sarif-2.1.0.json', version: '2.1.0', runs: [run] }
  return `${JSON.stringify(document, null, 2)}\n`
}

/** The rule of a verdict; none for a good one. */
function ruleOf(verdict: Verdict) {
  const row: VerdictRow = verdictRows[verdict]
  if (row.level === 'good') return []
  const { means: text, after, level } = row
  const helpUri = `${page}/blob/main/docs/explore.md#${after === 'restarts' ? 'restarts' : 'what-it-says'}`
  return {
    id: verdict,
    name: verdict
      .split('_')
      .map(word => `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`)
      .join(''),
    shortDescription: { text },
    fullDescription: { text },
    help: {
      text: `${text} ${helpUri}`,
      markdown: `${text} [How the verdict is made, and what to do](${helpUri})`,
    },
    helpUri,
    defaultConfiguration: { level: levelNames[level] },
  }
}

const needRule = {
  id: 'need_not_met',
  name: 'NeedNotMet',
  shortDescription: { text: 'The program survives or waits for less than --need asks.' },
  helpUri: `${page}/blob/main/docs/explore.md#patience`,
}

/** The causes, each with its reason when all its cases were accepted. */
function causesIn(report: Report): { cause: CauseEntry; reason?: string }[] {
  const known = rowsOf(report).filter(({ accepted }) => accepted !== undefined)
  const open = new Set(report.causes.map(identityOf))
  const accepted = causesOf(known.map(({ accepted: _, ...row }) => row)).filter(
    cause => !open.has(identityOf(cause)),
  )
  const reasonOf = (cause: CauseEntry) =>
    known.find(row => nameOfRow(row) === cause.cases[0])?.accepted ?? 'accepted'
  return [
    ...report.causes.map(cause => ({ cause })),
    ...accepted.map(cause => ({ cause, reason: reasonOf(cause) })),
  ]
}

function resultsOf(
  report: Report,
  { repository, program }: { repository: Repository; program: string | undefined },
) {
  const all = causesIn(report)
  const rows = new Map(rowsOf(report).map(row => [nameOfRow(row), row]))
  const alike = (cause: CauseEntry) =>
    all
      .map(one => one.cause)
      .filter(other => identityOf(other) === identityOf(cause))
      .toSorted((one, other) => (one.line ?? 0) - (other.line ?? 0))
  return all.map(({ cause, reason }) => {
    const [first = '', ...others] = cause.cases
    const file = cause.file === null ? undefined : repository.pathOf(cause.file)
    const row = rows.get(first)
    const lines = [
      `${causeText(cause)}, ${countText(cause, 'case')}.`,
      `${first}${row ? callerOf(row) : ''}: ${row?.evidence ?? ''}`,
      ...(others.length > 0 ? [`Also: ${others.join(', ')}`] : []),
    ]
    return {
      ruleId: cause.verdict,
      ruleIndex: verdicts.filter(verdict => levelOf(verdict) !== 'good').indexOf(cause.verdict),
      level: levelNames[cause.level],
      message: { text: lines.join('\n') },
      locations: locationsOf(file === undefined ? undefined : { file, line: cause.line ?? 1 }, program),
      partialFingerprints: fingerprints(identityOf(cause), alike(cause).indexOf(cause) + 1),
      ...(reason !== undefined && {
        suppressions: [{ kind: 'external', status: 'accepted', justification: reason }],
      }),
      properties: { cases: cause.cases, verdicts: cause.verdicts },
    }
  })
}

function locationsOf(place: { file: string; line: number } | undefined, program: string | undefined) {
  const file = place?.file ?? program
  if (file === undefined) return []
  const uri = file.split('/').map(encodeURIComponent).join('/')
  return [
    {
      physicalLocation: {
        artifactLocation: { uri, uriBaseId: '%SRCROOT%' },
        ...(place && { region: { startLine: place.line } }),
      },
    },
  ]
}

/** What stays the same when a line moves: title, file and function. */
function identityOf({ title, where, line }: CauseEntry): string {
  return `${where?.replace(`:${line}`, '') ?? ''} ${title}`
}

/** The same under the name that GitHub looks for. `nth` tells causes with the same title and function apart. */
function fingerprints(identity: string, nth: number) {
  const hash = `${createHash('sha256').update(identity).digest('hex').slice(0, 32)}:${nth}`
  return { 'generationGatewayEmulatorCause/v1': hash, primaryLocationLineHash: hash }
}

/** Where the user's files lie in their repository, as annotations and SARIF name them. */
export interface Repository {
  /** The path of a file of a cause from the root of the repository, with `/`; undefined when it lies outside. */
  pathOf(file: string): string | undefined
  /** The path of the program that a command starts; undefined when the command names no file of the repository. */
  programOf(command: string): string | undefined
}

/** The repository of the working folder: the nearest folder above with `.git`, else the working folder itself. */
export function repositoryHere(folder: string = process.cwd()): Repository {
  const root = rootOf(folder) ?? folder
  const pathOf = (file: string) => {
    const path = relative(root, resolve(folder, file))
    if (path === '' || path.startsWith('..') || isAbsolute(path)) return undefined
    return existsSync(join(root, path)) ? path.split(sep).join('/') : undefined
  }
  return {
    pathOf,
    programOf: command =>
      (command.match(/'[^']*'|"[^"]*"|\S+/g) ?? [])
        .map(word => word.replace(/^['"]|['"]$/g, ''))
        .filter(word => /\.\w+$/.test(word))
        .map(pathOf)
        .find(path => path !== undefined),
  }
}

function rootOf(folder: string): string | undefined {
  if (existsSync(join(folder, '.git'))) return folder
  const parent = dirname(folder)
  return parent === folder ? undefined : rootOf(parent)
}
