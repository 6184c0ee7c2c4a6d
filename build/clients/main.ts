// Explores public clients of the gateway's APIs, and writes the table of them in docs/explore.md.
// Usage: npm run clients -- [ID...] [--table]
// Packages come by name, repositories by commit, into a temporary folder. Without an ID: all. --table only writes the table anew.
// A verdict that changed since the last measurement is told. Ends with 1 when a client could not be measured.
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { root } from '../../test/support/fresh-build.ts'
import { clients } from './clients.ts'
import { digestOf, folderFor, type Measured, measure } from './measure.ts'
import { changesOf, clientTable } from './table.ts'

const facts = join(root, 'build/clients/measured.json')
const page = join(root, 'docs/explore.md')
const place = /(<!-- clients -->\n)[\s\S]*?(<!-- \/clients -->)/

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { table: { type: 'boolean', default: false } },
})
const unknown = positionals.filter(id => !clients.some(client => client.id === id))
if (unknown.length > 0) {
  console.error(
    `clients: no client ${unknown.join(', ')}; there are ${clients.map(({ id }) => id).join(', ')}`,
  )
  process.exit(2)
}
const measured = JSON.parse(readFileSync(facts, 'utf8')) as Record<string, Measured>
for (const client of values.table ? [] : clients) {
  if (positionals.length > 0 && !positionals.includes(client.id)) continue
  const folder = folderFor(client.id)
  try {
    const shown = await measure(client, folder)
    const before = measured[client.id]
    const changes = before ? changesOf(before, shown) : ['measured for the first time']
    const isRead = client.readFor === digestOf(shown)
    console.log(`${client.id}: ${Object.keys(shown.cases).length} cases, verdicts ${digestOf(shown)}`)
    for (const change of changes) console.log(`  ${change}`)
    if (!isRead)
      console.log(`  its texts were written for the verdicts ${client.readFor || 'of none'}: read them again`)
    measured[client.id] = shown
    writeFileSync(facts, `${JSON.stringify(measured, undefined, 2)}\n`)
  } catch (error) {
    console.error(`${client.id}: ${(error as Error).message}`)
    process.exitCode = 1
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
const before = readFileSync(page, 'utf8')
if (!place.test(before)) throw new Error(`${page} has no place for the table of clients`)
writeFileSync(
  page,
  before.replace(
    place,
    (_, start: string, end: string) => `${start}\n${clientTable(clients, measured)}\n\n${end}`,
  ),
)
