/**
 * Runs the parts of the bench in turn, or those that are named, and prints at the end the tables of docs/figures.md, as they stand there.
 * A part prints its rows by itself: a line that begins with `|` is one. Run with: npm run bench -- [part …]
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'

const heads = {
  Requests: '| What | Emulator | Express + ajv | Bare `node:http` |\n|---|---|---|---|',
  Files:
    '| Video, with nothing cached | Emulator | The same scene by one filter graph | A test picture (`testsrc2`) |\n|---|---|---|---|',
}
const parts: Readonly<Record<string, keyof typeof heads | undefined>> = {
  start: 'Requests',
  http: 'Requests',
  files: 'Requests',
  render: 'Files',
  apart: undefined,
  images: undefined,
  durable: undefined,
  'in-code': undefined,
  explore: undefined,
  clicks: undefined,
}

const { positionals } = parseArgs({ allowPositionals: true })
const unknown = positionals.filter(name => !(name in parts))
if (unknown.length > 0) throw new Error(`no part ${unknown}; there are ${Object.keys(parts).join(', ')}`)

const rows = { Requests: [] as string[], Files: [] as string[] }
for (const [name, table] of Object.entries(parts)) {
  if (positionals.length > 0 && !positionals.includes(name)) continue
  console.log(`\n# ${name}`)
  const child = spawn(process.execPath, ['--import', 'tsx', `build/bench/${name}.ts`], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  for await (const line of createInterface({ input: child.stdout }))
    if (table && line.startsWith('|')) rows[table].push(line)
    else console.log(line)
  const [code] = await ended
  if (code !== 0) process.exitCode = 1
}
for (const [title, list] of Object.entries(rows))
  if (list.length > 0)
    console.log(`\n## ${title}\n\n${heads[title as keyof typeof heads]}\n${list.join('\n')}`)
