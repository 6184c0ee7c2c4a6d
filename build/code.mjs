// Bundles the sources into a few files: reading some two hundred small modules would take half of the start-up time.
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join, relative, resolve, sep } from 'node:path'
import { build, transform } from 'esbuild'

/**
 * Sources that are imported when they are needed, by programs that have loaded the emulator before, and commands that people call by
 * hand. The bundler puts what some entries share and others do not into files of their own, and the program began by reading 47 small
 * files. An import of what starts an emulator tells the bundler that these have all of it. `package.json` lists both files under
 * `sideEffects`: else the import would be left out. Workers must not load any of these. `health` and `help` are none: probes and people
 * wait for them.
 */
const afterEmulator = [
  'cli/commands/compare',
  'cli/commands/config',
  'cli/commands/doctor',
  'cli/commands/failures',
  'cli/commands/openapi',
  'cli/commands/record',
  'cli/commands/requests',
  'cli/commands/scenarios',
  'cli/commands/selfcheck',
  'cli/commands/tour',
  'cli/commands/trace',
  'emulator/control/state/record-fault',
  'emulator/control/surface',
  'emulator/mcp/server',
  'emulator/server/pages',
  'emulator/server/tls',
  'evidence/recordings',
  'explore/as',
  'explore/play/explore-function',
  'explore/report/html',
  'explore/run/covered',
  'kits/client/trace-file',
].map(name => resolve('src', `${name}.ts`))
const starts = ['options/config', 'server/emulator'].map(name => resolve('src/emulator', `${name}.ts`))
const seen = new Set()

/** The names that each door offers, with the files that have them. A door is a file that lies directly in the folder of a building. */
const doors = new Map()
for (const entry of await readdir('src', { recursive: true, withFileTypes: true })) {
  const folder = entry.parentPath ?? entry.path
  if (!entry.name.endsWith('.ts') || folder.split(sep).length !== 2) continue
  const text = await readFile(join(folder, entry.name), 'utf8')
  const names = [...text.matchAll(/^export (?:type )?\{([^}]*)\} from '([^']+)'/gm)].flatMap(
    ([, list, file]) => listed(list).map(name => [name.replace(/^type /, ''), resolve(folder, file)]),
  )
  doors.set(resolve(folder, entry.name), new Map(names))
}

function listed(names) {
  return names.split(',').flatMap(name => name.trim() || [])
}

/**
 * Leads imports through a door to the files behind it. The bundler splits by whole files: who took one name of a door would load all that
 * stands behind it.
 */
function throughDoors(text, path) {
  return text.replace(
    /^import (type )?\{([^}]*)\} from '(\.[^']+)'/gm,
    (statement, type = '', list, file) => {
      const behind = doors.get(resolve(path, '..', file))
      if (!behind) return statement
      const lines = listed(list).map(name => {
        const target = behind.get(name.replace(/^type /, '').split(' as ')[0])
        return `import ${type}{ ${name} } from ${JSON.stringify(target)}`
      })
      return lines.join('; ')
    },
  )
}

/**
 * Takes Node's own modules by `require`, not by `import`: an import asks a module for everything that it offers, also for what
 * Node loads only then. With Node 22, `node:http` so loads all of `fetch` before the first line runs.
 */
function byRequire(text) {
  return text.replace(
    /^import (?!type )(?:(\w+)(?:, )?)?(\{[^}]*\})? ?from '(node:[^']+)'/gm,
    (_, whole, list, name) => {
      const names = listed((list ?? '{}').slice(1, -1)).filter(each => !each.startsWith('type '))
      const parts = [whole ?? [], names.length > 0 ? `{ ${names.join(', ').replaceAll(' as ', ': ')} }` : []]
      return parts
        .flat()
        .map(part => `const ${part} = requireOfNode('${name}')`)
        .join('; ')
    },
  )
}

const asBuilt = {
  name: 'as-built',
  setup({ onLoad, onEnd }) {
    onLoad({ filter: /[\\/]src[\\/].*\.ts$/ }, async ({ path }) => {
      const contents = byRequire(throughDoors(await readFile(path, 'utf8'), path))
      if (!afterEmulator.includes(path)) return { contents, loader: 'ts' }
      seen.add(path)
      const imports = starts.map(file => `import ${JSON.stringify(file)}`)
      return { contents: [contents, ...imports].join('\n'), loader: 'ts' }
    })
    // Names of ours stay, so that stacks can be read without a map; those of packages only take room.
    onLoad({ filter: /[\\/]node_modules[\\/].*\.[cm]?js$/ }, async ({ path }) => ({
      contents: (await transform(await readFile(path, 'utf8'), { minifyIdentifiers: true })).code,
    }))
    onEnd(() => {
      const unknown = afterEmulator.filter(path => !seen.has(path))
      if (unknown.length > 0)
        return { errors: [{ text: `afterEmulator lists ${unknown}, and no source imports it` }] }
    })
  },
}

const options = {
  outdir: 'dist',
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  // ES modules first: what nobody calls can be left out of them.
  mainFields: ['module', 'main'],
  // Native, large, or seldom needed: left where npm put them, and loaded when first used.
  external: [
    '@faker-js/faker',
    '@ffmpeg-installer/*',
    '@playwright/test',
    'ajv',
    'ajv-formats',
    'express',
    'image-size',
    'ioredis',
    'mime-types',
    're2js',
    'sharp',
    'testcontainers',
    'tsx',
    'vitest',
    'yaml',
  ],
  // Bundled CommonJS modules ask for node's own ones by `require`.
  banner: {
    js: "import { createRequire as makeRequire } from 'node:module'; const requireOfNode = makeRequire(import.meta.url); if (!globalThis.require) globalThis.require = requireOfNode;",
  },
  // Where fluent-ffmpeg would look for presets, of which none is used.
  define: { __dirname: '""' },
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: 'none',
  plugins: [asBuilt],
  metafile: true,
  write: false,
  logLevel: 'warning',
}

const builds = [
  await build({
    entryPoints: {
      main: 'src/main.ts',
      index: 'src/index.ts',
      vitest: 'src/kits/testing/vitest.ts',
      playwright: 'src/kits/testing/playwright.ts',
      testcontainers: 'src/kits/testing/testcontainers.ts',
    },
    ...options,
  }),
  // What threads run, and what other programs load first. They share little with the emulator, and would divide it into more files.
  await build({
    entryPoints: {
      'virtual-time': 'src/explore/time/index.ts',
      'as-host': 'src/explore/as/preload.ts',
      'loaded-files': 'src/explore/run/loaded-preload.ts',
      'track-worker': 'src/media/inputs/track-worker.ts',
      'render-worker': 'src/media/workers/render-worker.ts',
    },
    ...options,
  }),
]

// Only now: a build that fails leaves the last one as it was. The console and the types are built by themselves.
const licences = 'dist/THIRD-PARTY.txt'
const forRequire = 'dist/index.cjs'
await mkdir('dist', { recursive: true })
const outputFiles = builds.flatMap(one => one.outputFiles)
const inputs = builds.flatMap(({ metafile }) => Object.keys(metafile.inputs))
const made = new Set([licences, forRequire, ...outputFiles.map(({ path }) => relative('.', path))])
for (const entry of await readdir('dist'))
  if (entry !== 'console' && !/\.d\.c?ts$/.test(entry) && !made.has(join('dist', entry)))
    await rm(`dist/${entry}`, { recursive: true })
for (const { path, contents } of outputFiles)
  await write(path, contents, path.endsWith('main.js') ? 0o755 : 0o644)
await write(forRequire, Buffer.from(requiredSource()), 0o644)
await write(licences, Buffer.from(await licencesOf(inputs)), 0o644)

/** What `require` gives: the ES modules, loaded by Node itself. The `Module` of Jest, which cannot load them, extends Node's. */
function requiredSource() {
  return `'use strict'
let Module = require('node:module')
for (let base = Module; base?.createRequire; base = Object.getPrototypeOf(base)) Module = base
module.exports = Module.createRequire(__filename)('./index.js')
`
}

/** Leaves a file that is the same: a program that runs from `dist` may be about to read it. */
async function write(path, contents, mode) {
  const present = await readFile(path).catch(() => undefined)
  if (!present?.equals(contents)) await writeFile(path, contents, { mode })
}

/** The licences of the packages that were bundled: their texts must go where the code goes. Similar texts stand together, and pack well. */
async function licencesOf(inputs) {
  const folders = new Set(
    inputs.flatMap(input => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input)?.[0] ?? []),
  )
  const packages = new Map()
  for (const folder of [...folders].sort()) {
    const { head, text } = await licenceOf(folder)
    packages.set(text, [...(packages.get(text) ?? []), head])
  }
  return [...packages]
    .sort(([one], [other]) => one.length - other.length)
    .map(([text, heads]) => `${heads.join('\n')}\n\n${text}`)
    .join(`\n${'-'.repeat(80)}\n\n`)
}

async function licenceOf(folder) {
  const { name, version, license, repository } = JSON.parse(await readFile(`${folder}/package.json`, 'utf8'))
  const file = (await readdir(folder)).find(entry => /^licen[cs]e/i.test(entry))
  const text = file ? await readFile(`${folder}/${file}`, 'utf8') : 'The package brings no text along.\n'
  const source = repository?.url ?? repository
  return { head: `${name} ${version} (${license})${source ? `, source: ${source}` : ''}`, text }
}
