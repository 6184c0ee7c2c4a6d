// Builds the parts of `dist` that are older than their sources. npm runs this as `prepare` and `prepack`, so that a package made
// from a clone or from a git address has a program in it. Processes that build at the same time wait for each other. What was built
// from the same sources before is copied.
// Usage: node build-if-stale.mjs [code] [types] [console]      all three when none is named
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('.', import.meta.url))
const lock = join(root, 'node_modules', '.building')
const tools = ['esbuild', 'rollup', 'typescript', '@typescript/typescript6', 'vite'].map(
  name => `node_modules/${name}`,
)
const settings = [
  'esbuild.config.mjs',
  'types.config.mjs',
  'scenario-declarations.mjs',
  'tsconfig.json',
  'tsconfig.build.json',
]
/** All that any part is made from, including the scripts that build it. */
const sources = [
  ...['src', 'scenarios', 'fixtures/report', 'package.json', 'package-lock.json'],
  ...[...settings, 'build-if-stale.mjs', 'built-before.mjs'],
]

// Each part has a script of its name in package.json, which writes the named file last.
const parts = {
  code: { made: 'dist/THIRD-PARTY.txt', from: ['src', 'package-lock.json', ...settings] },
  types: { made: 'dist/virtual-time.d.ts', from: ['src', 'scenarios', 'package-lock.json', ...settings] },
  console: { made: 'dist/console/index.html', from: ['src', 'fixtures/report', 'package-lock.json'] },
}
const asked = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(parts)

// A container image installs the dependencies alone: it has neither sources nor build tools, and builds nothing.
if (['src', ...tools].every(name => existsSync(join(root, name)))) await alone(buildWhatIsStale)

async function buildWhatIsStale() {
  const stale = asked.filter(name => Math.max(...parts[name].from.map(newest)) > changedAt(parts[name].made))
  if (stale.length === 0) return
  const startedAt = new Date()
  // A container image has this file and not that one.
  const { digestOf, keep, restore } = await import('./built-before.mjs')
  const digest = digestOf(root, sources)
  for (const part of stale) {
    const { made } = parts[part]
    if (!restore(root, { part, made, digest })) {
      run(`build:${part}`)
      if (digestOf(root, sources) === digest) keep(root, { part, digest })
    }
    // A source that changed meanwhile is newer.
    utimesSync(join(root, made), startedAt, startedAt)
  }
}

function run(script) {
  execFileSync('npm', ['run', '--silent', script], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: process.platform === 'win32',
  })
}

function newest(name) {
  const path = join(root, name)
  if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) return changedAt(name)
  const files = readdirSync(path, { recursive: true, encoding: 'utf8' })
  return Math.max(...files.map(file => changedAt(join(name, file))))
}

function changedAt(name) {
  return statSync(join(root, name), { throwIfNoEntry: false })?.mtimeMs ?? 0
}

async function alone(build) {
  while (!locked()) await pause(100)
  try {
    await build()
  } finally {
    rmSync(lock, { force: true })
  }
}

function locked() {
  try {
    writeFileSync(lock, String(process.pid), { flag: 'wx' })
    return true
  } catch (error) {
    if (error.code !== 'EEXIST') throw error
    if (!isRunning(ownerOfLock())) rmSync(lock, { force: true })
    return false
  }
}

function ownerOfLock() {
  try {
    return Number(readFileSync(lock, 'utf8'))
  } catch {
    return 0 // The lock was removed a moment ago.
  }
}

/** Zero means that the lock has no number in it yet, or no longer: the next attempt reads it again. */
function isRunning(pid) {
  if (pid === 0) return true
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}
