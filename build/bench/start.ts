/**
 * From spawn to the first created task, against plain Express 5 with ajv started in the same way and in turn, and
 * the memory of an idle process. Needs a build. Run with: node --import tsx build/bench/start.ts [runs] [path of main.js]
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'esbuild'
import { median } from './child.ts'

const runs = Number(process.argv[2] ?? 15)
const program = process.argv[3] ?? 'dist/main.js'
const path = '/api/v3/contents/generations/tasks'
const body = JSON.stringify({
  model: 'model_a_20',
  content: [{ type: 'text', text: 'a cat on a roof' }],
  duration: 5,
})

interface Start {
  readyMs: number
  firstMs: number
  secondMs: number
  idleMb: number
}

const folder = await mkdtemp(join(process.cwd(), 'node_modules', '.bench-start-'))
// Without a loader for TypeScript, which would be counted too.
const express = join(folder, 'express.mjs')
const bare = join(folder, 'bare.mjs')
for (const [name, outfile] of [['express', express] as const, ['bare', bare] as const]) {
  const entry = `build/bench/servers/${name}.ts`
  await build({
    entryPoints: [entry],
    outfile,
    bundle: true,
    packages: 'external',
    format: 'esm',
    platform: 'node',
  })
}
const programs: readonly (readonly [string, string[]])[] = [
  ['emulator', [program, '--port', '0', '--log', 'json']],
  ['emulator with --data', [program, '--port', '0', '--log', 'json', '--data']],
  ['express and ajv', [express]],
  ['node:http', [bare]],
]
const starts = new Map<string, Start[]>(programs.map(([name]) => [name, []]))
for (let run = 0; run <= runs; run++) {
  for (const [name, args] of programs) {
    const data = args.at(-1) === '--data' ? await mkdtemp(join(tmpdir(), 'bench-start-')) : undefined
    const start = await startOnce(data ? [...args, data] : args)
    // The first run warms the file cache.
    if (run > 0) starts.get(name)?.push(start)
    if (data) await rm(data, { recursive: true })
  }
}
await rm(folder, { recursive: true })
const of = (name: string, key: keyof Start) => median((starts.get(name) ?? []).map(start => start[key]))
console.log(`Medians of ${runs} starts`)
for (const [name] of programs) {
  const ratio = of(name, 'firstMs') / of('express and ajv', 'firstMs')
  console.log(
    `${name.padEnd(22)} ready ${of(name, 'readyMs').toFixed(0)} ms, first create answered ${of(name, 'firstMs').toFixed(0)} ms (${ratio.toFixed(2)}), the second took ${of(name, 'secondMs').toFixed(1)} ms, idle ${of(name, 'idleMb').toFixed(0)} MB`,
  )
}
/** A row of docs/figures.md. The number in brackets is a ratio to plain Express with ajv. */
const row = (what: string, name: string, key: keyof Start, unit: string) => {
  const [ours, express, bare] = [name, 'express and ajv', 'node:http'].map(each => of(each, key)) as [
    number,
    number,
    number,
  ]
  const ratio = (ours / express).toFixed(2)
  return `| ${what} | ${ours.toFixed(0)} ${unit} (${ratio}) | ${express.toFixed(0)} ${unit} | ${bare.toFixed(0)} ${unit} |`
}
console.log(row('spawn to first create answered', 'emulator', 'firstMs', 'ms'))
console.log(row('the same with `--data`', 'emulator with --data', 'firstMs', 'ms'))
console.log(row('idle memory', 'emulator', 'idleMb', 'MB'))

/** All moments are counted from the spawn. */
async function startOnce(args: readonly string[]): Promise<Start> {
  const startedAt = performance.now()
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const url = await new Promise<string>(resolve => {
    let text = ''
    child.stdout.on('data', chunk => {
      text += chunk
      const line = /\{"event":"ready".*\}/.exec(text)?.[0]
      if (line) resolve(JSON.parse(line).url)
    })
  })
  const readyMs = performance.now() - startedAt
  await create(url)
  const firstMs = performance.now() - startedAt
  const before = performance.now()
  await create(url)
  const secondMs = performance.now() - before
  const status = await readFile(`/proc/${child.pid}/status`, 'utf8')
  const idleMb = Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024
  const over = once(child, 'exit')
  child.kill('SIGTERM')
  await over
  return { readyMs, firstMs, secondMs, idleMb }
}

function create(url: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const headers = {
      Authorization: 'Bearer sk-emulator',
      'Content-Type': 'application/json',
      'Content-Length': Buffer.byteLength(body),
    }
    const sent = request(url + path, { method: 'POST', headers, agent: false }, response => {
      response.resume()
      response.on('end', () =>
        response.statusCode === 200 ? resolve() : reject(new Error(`${response.statusCode}`)),
      )
    })
    sent.on('error', reject)
    sent.end(body)
  })
}
