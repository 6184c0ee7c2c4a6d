import { execFileSync, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { cpSync, mkdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import type { Client, Repository } from './clients.ts'

/** What an exploration of a client showed. */
export interface Measured {
  /** By npm or Debian package, `commit` and `version` of the client's repository, and the commit by name of each other one. */
  versions: Record<string, string>
  /** Such as `Node 22.23.3`. */
  runtime: string
  /** The day, as YYYY-MM-DD. */
  on: string
  /** The verdict of each case, by `operation#n failure`. */
  cases: Record<string, string>
  bill: Bill
}

export interface Bill {
  lost: { credits: number; cases: number }
  twice: { credits: number; cases: number }
}

interface Report {
  cases: Row[]
  totals: { bill: Bill }
  /** How many cases there are; those that the budget left out are not among `cases`. */
  planned: number
}

interface Row {
  operation: string
  nth: number
  id: string
  verdict: string
}

const here = fileURLToPath(new URL('.', import.meta.url))
const program = join(here, '../../dist/main.js')

/** Fetches a client into an empty folder, explores it there, and gives what was shown. Throws when it cannot be fetched or explored. */
export async function measure(client: Client, folder: string): Promise<Measured> {
  const versions = fetched(client, folder)
  if (client.harness) cpSync(join(here, client.harness), join(folder, basename(client.harness)))
  const isNodeAsked = client.packages?.node !== undefined
  const node = isNodeAsked ? join(folder, 'node_modules/node/bin/node') : process.execPath
  const report = await explored(client, { folder, node })
  return {
    versions,
    runtime: runtimeOf(client, node),
    on: new Date().toISOString().slice(0, 10),
    cases: Object.fromEntries(
      report.cases.map(row => [`${row.operation}#${row.nth} ${row.id}`, row.verdict]),
    ),
    bill: report.totals.bill,
  }
}

/** A short name of all verdicts: the same for two measurements that showed the same. */
export function digestOf({ cases }: Pick<Measured, 'cases'>): string {
  return createHash('sha256')
    .update(JSON.stringify(Object.entries(cases).sort()))
    .digest('hex')
    .slice(0, 8)
}

function fetched(client: Client, folder: string): Record<string, string> {
  const { packages = {}, debian = [], repositories = [] } = client
  return {
    ...fromNpm(packages, folder),
    ...Object.fromEntries(debian.map(name => [name, installed(name)])),
    ...Object.assign({}, ...repositories.map((one, nth) => fromGitHub(one, { nth, folder }))),
  }
}

function fromNpm(packages: Readonly<Record<string, string>>, folder: string): Record<string, string> {
  const names = Object.keys(packages)
  if (names.length === 0) return {}
  const asked = names.map(name => `${name}@${packages[name]}`)
  execFileSync(
    'npm',
    ['install', '--no-fund', '--no-audit', '--loglevel=error', '--prefix', folder, ...asked],
    { stdio: ['ignore', 'ignore', 'inherit'] },
  )
  return Object.fromEntries(
    names.map(name => {
      const manifest = readFileSync(join(folder, 'node_modules', name, 'package.json'), 'utf8')
      return [name, (JSON.parse(manifest) as { version: string }).version]
    }),
  )
}

/** The version of a Debian package, without what Debian adds to it. Throws when it is not installed. */
function installed(name: string): string {
  try {
    // It prints the name, a tab and the version.
    const told = execFileSync('dpkg-query', ['-W', name], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    return told.trim().replace(/^.*\t(?:\d+:)?|(?:\+dfsg[^-]*)?-[^-]*$/g, '')
  } catch {
    throw new Error(`it needs ${name}: apt-get install ${name}`)
  }
}

function fromGitHub(
  { name, commit, paths, manifest }: Repository,
  { nth, folder }: { nth: number; folder: string },
): Record<string, string> {
  const cloned = join(folder, `clone-${nth}`)
  const git = (...args: string[]) =>
    execFileSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] })
  git('clone', '--quiet', '--no-checkout', '--filter=blob:none', `https://github.com/${name}`, cloned)
  const place = join(folder, 'repository')
  mkdirSync(place, { recursive: true })
  git('-C', cloned, `--work-tree=${place}`, 'checkout', '--quiet', commit, '--', ...paths)
  const short = commit.slice(0, 7)
  if (nth > 0) return { [name]: short }
  const version =
    manifest && /version_*\W+(\d[\w.]*)/i.exec(git('-C', cloned, 'show', `${commit}:${manifest}`))?.[1]
  return { commit: short, ...(version && { version }) }
}

async function explored(
  { flags, command }: Client,
  { folder, node }: { folder: string; node: string },
): Promise<Report> {
  const own = command.map(part => part.replaceAll('{node}', node))
  const args = ['explore', ...flags, '--budget', '1h', '--reporter', 'json', '--', ...own]
  const child = spawn(process.execPath, [program, ...args], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [output, told] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  if (child.exitCode !== 0 && child.exitCode !== 1)
    throw new Error(`explore ended with ${child.exitCode}: ${told.trim().split('\n').slice(-5).join('\n')}`)
  const report = JSON.parse(output) as Report
  const { length } = report.cases
  if (length < report.planned) throw new Error(`only ${length} of ${report.planned} cases were played`)
  return report
}

function runtimeOf({ command }: Client, node: string): string {
  const python = /\S*python3/.exec(command.join(' '))?.[0]
  return python ? versionOf(python) : `Node ${versionOf(node).slice(1)}`
}

const versionOf = (command: string) => execFileSync(command, ['--version'], { encoding: 'utf8' }).trim()

/** An empty folder for a client. */
export function folderFor(id: string): string {
  const folder = join(tmpdir(), `clients-${process.pid}`, id)
  mkdirSync(folder, { recursive: true })
  return folder
}
