import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { helpOf } from '../../src/cli/commands/command-line.ts'
import { commandNames } from '../../src/cli/commands/help.ts'
import { startEmulator } from '../../src/index.ts'
import { root } from './fresh-build.ts'
import { type Block, blocksOf, fileNameOf, guideFiles } from './guide-files.ts'
import { run } from './run.ts'

const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

/** A reader's project that has the package, and an emulator that the snippets ask. */
export type Snippets = Awaited<ReturnType<typeof openSnippets>>

/** A project in a new folder; the function that the guide tests is in it. */
export async function openSnippets() {
  const folder = mkdtempSync(join(tmpdir(), 'gateway-guide-'))
  mkdirSync(join(folder, 'node_modules'))
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  for (const name of ['vitest', '@playwright'])
    symlinkSync(join(root, 'node_modules', name), join(folder, 'node_modules', name), 'dir')
  symlinkSync(root, join(folder, 'node_modules/generation-gateway-emulator'), 'dir')
  writeFileSync(join(folder, 'make-video.mjs'), makeVideo())
  const emulator = await startEmulator({ clock: 'manual', seed: 7 })
  return {
    folder,
    emulator,
    async close() {
      await emulator.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** The text of the function that the guide's tests are about. */
function makeVideo(): string {
  const block = guideFiles.flatMap(blocksOf).find(one => fileNameOf(one) === 'make-video.mjs')
  if (!block) throw new Error('The guide has no make-video.mjs')
  return block.text
}

/** Runs commands, each followed by the answer as a comment, in which `…` stands for anything. Ids are passed to the next command. */
export async function runTranscript({ text }: Block, { emulator }: Snippets): Promise<void> {
  const steps = [...text.replaceAll('\\\n', ' ').matchAll(/^(curl [^\n]*)\n((?:#[^\n]*\n?)*)/gm)]
  expect(steps.length).toBe(text.match(/^curl /gm)?.length)
  await emulator.world.reset()
  await emulator.world.clock.set({ mode: 'manual' })
  let id = ''
  for (const [, command = '', comment = ''] of steps) {
    const line = command.replaceAll('http://127.0.0.1:8585', emulator.url).replaceAll('cgt-…', id)
    const { stdout, code } = await run('sh', ['-c', line])
    const wanted = comment
      .replace(/^# ?/gm, '')
      .trim()
      .split('…')
      .map(part => part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&').replaceAll(', ', ',\\s*'))
    expect(code, line).toBe(0)
    expect(wanted.join('').length, `${line} needs its answer in a comment`).toBeGreaterThan(1)
    expect(stdout).toMatch(new RegExp(`^${wanted.join('[\\s\\S]*?')}$`))
    id = /cgt-[\w-]+/.exec(stdout)?.[0] ?? id
  }
}

/** Subcommands that end by themselves and need no other program; they are run. */
const runnable = /^(scenarios list|failures|doctor|openapi)\b/

/**
 * Commands of a shell. Commands that end by themselves are run. For commands that install, build or start
 * something, the script, the package, the file, the subcommand and the flags must exist; other tests run them.
 */
export async function checkCommands({ text }: Block, { folder }: Snippets): Promise<void> {
  const lines = text
    .replaceAll('\\\n', ' ')
    .trim()
    .split('\n')
    .filter(line => !line.startsWith('#'))
  expect(lines.length).toBeGreaterThan(0)
  for (const line of lines) {
    const words = line.replace(/^(\w+=\S+ )+/, '').split(/\s+/)
    const check = checks[words[0] ?? '']
    expect(check, `nothing is known of the command: ${line}`).toBeDefined()
    await check?.(words.slice(1), folder)
  }
}

const checks: Readonly<Record<string, (words: string[], folder: string) => Promise<void> | void>> = {
  npm([command = '', ...rest]) {
    const { name, version, repository, scripts } = manifest
    const sources = [`./${name}-${version}.tgz`, repository.url]
    if (command === 'install') expect(sources).toContain(rest.at(-1))
    else if (command !== 'ci') expect(Object.keys(scripts)).toContain(command)
  },
  async npx([option, program = '', ...rest], folder) {
    // Without it, npx would download any package of that name.
    expect(option).toBe('--no-install')
    if (program === 'jest') return expect(rest).toEqual([])
    expect(Object.keys(manifest.bin)).toContain(program)
    await checkSubcommand(rest, folder)
  },
  'gateway-emulator': (words, folder) => checkSubcommand(words, folder),
  docker: words => expect(flagsIn(words.join(' ')).filter(flag => !/^(rm|clock)$/.test(flag))).toEqual([]),
  node: words => expect(words).toEqual(['--test']),
  pip([command, path = '']) {
    expect(command).toBe('install')
    const inPackage = path.replace('./node_modules/generation-gateway-emulator/', '')
    expect(readFileSync(join(root, inPackage, 'pyproject.toml'), 'utf8')).toContain('[project]')
    expect(manifest.files).toContain(inPackage)
  },
}

async function checkSubcommand(words: string[], folder: string): Promise<void> {
  const [command = ''] = words
  if (/^[a-z]/.test(command)) expect(['serve', ...commandNames]).toContain(command)
  const help = await helpOf(/^[a-z]/.test(command) ? command : 'serve')
  for (const flag of flagsIn(words.join(' '))) expect(help).toContain(`--${flag}`)
  if (!runnable.test(words.join(' '))) return
  const { code, stderr } = await run('node', [join(root, 'dist/main.js'), ...words], { cwd: folder })
  expect(code, stderr).toBe(0)
}

function flagsIn(text: string): string[] {
  return [...text.matchAll(/(?<![\w-])--([a-z][a-z-]*)/g)].map(([, flag = '']) => flag)
}
