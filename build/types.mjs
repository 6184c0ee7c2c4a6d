// Bundles the declarations of the entry points, so that only what a user can name is in the package.
import { execFileSync } from 'node:child_process'
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { rollup } from 'rollup'
import { dts } from 'rollup-plugin-dts'
import { scenarioDeclarations } from './scenario-declarations.mjs'

// Below the project, so that the names of packages in them resolve. A clone may share its packages with another one that is built too.
const emitted = `node_modules/.cache/types-${process.pid}`
const compiler = ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json', '--outDir', emitted]
execFileSync('node', compiler, { stdio: 'inherit' })

/** Emitted declarations name the sources that they come from. */
const besideIt = {
  name: 'beside-it',
  resolveId: (id, from) =>
    from && /^\..*\.ts$/.test(id) ? resolve(from, '..', id.replace(/(?<!\.d)\.ts$/, '.d.ts')) : null,
}

// What is written out shadows the names of the sources, which nothing that users can name refers to.
const scenarioFile = resolve(emitted, 'emulator/scenarios/scenario.d.ts')
const schema = JSON.parse(await readFile('scenarios/scenario.schema.json', 'utf8'))
const written = scenarioDeclarations(scenarioFile, schema)
await rename(scenarioFile, resolve(emitted, 'emulator/scenarios/in-the-sources.d.ts'))
await writeFile(scenarioFile, `export * from './in-the-sources.ts'\n\n${written}`)

const external = id => !/^[./]/.test(id) && !id.startsWith(emitted)
const bundle = await rollup({
  input: {
    index: `${emitted}/index.d.ts`,
    vitest: `${emitted}/kits/testing/vitest.d.ts`,
    playwright: `${emitted}/kits/testing/playwright.d.ts`,
    testcontainers: `${emitted}/kits/testing/testcontainers.d.ts`,
  },
  external,
  plugins: [besideIt, dts()],
})
await mkdir('dist', { recursive: true })
for (const entry of await readdir('dist')) if (/\.d\.c?ts$/.test(entry)) await rm(`dist/${entry}`)
// The declarations stand once, in files for `require`: an ES module may name these, but they may not name an ES module.
await bundle.write({
  dir: 'dist',
  format: 'es',
  entryFileNames: ({ name }) => (name === 'index' ? 'index.d.cts' : `${name}.d.ts`),
  chunkFileNames: 'types-[hash].d.cts',
})
await bundle.close()
await writeFile('dist/index.d.ts', "export * from './index.cjs'\n")
await rm(emitted, { recursive: true })
// Imported for its effect alone: `node --import`.
await writeFile('dist/virtual-time.d.ts', 'export {}\n')
