import { execFileSync, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { cpSync, mkdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import type { Client } from './clients.ts'

/** What an exploration of a client showed. */
export interface Measured {
  /** By npm package, or `commit`. */
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
    runtime: client.command.join(' ').includes('python3')
      ? versionOf('python3')
      : `Node ${versionOf(node).slice(1)}`,
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

function fetched({ packages, repository }: Client, folder: string): Record<string, string> {
  const versions: Record<string, string> = {}
  if (packages) {
    const asked = Object.entries(packages).map(([name, version]) => `${name}@${version}`)
    execFileSync(
      'npm',
      ['install', '--no-fund', '--no-audit', '--loglevel=error', '--prefix', folder, ...asked],
      { stdio: ['ignore', 'ignore', 'inherit'] },
    )
    for (const name of Object.keys(packages)) {
      const manifest = readFileSync(join(folder, 'node_modules', name, 'package.json'), 'utf8')
      versions[name] = (JSON.parse(manifest) as { version: string }).version
    }
  }
  if (repository) {
    const { name, commit, paths } = repository
    const place = join(folder, 'repository')
    const git = (...args: string[]) => execFileSync('git', args, { stdio: ['ignore', 'ignore', 'inherit'] })
    git('clone', '--quiet', '--no-checkout', '--filter=blob:none', `https://github.com/${name}`, place)
    git('-C', place, 'checkout', '--quiet', commit, '--', ...paths)
    versions.commit = commit.slice(0, 7)
  }
  return versions
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

const versionOf = (command: string) => execFileSync(command, ['--version'], { encoding: 'utf8' }).trim()

/** An empty folder for a client. */
export function folderFor(id: string): string {
  const folder = join(tmpdir(), `clients-${process.pid}`, id)
  mkdirSync(folder, { recursive: true })
  return folder
}
