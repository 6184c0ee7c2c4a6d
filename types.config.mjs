// Bundles the declarations of the entry points, so that only what a user can name is in the package.
import { execFileSync } from 'node:child_process'
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { rollup } from 'rollup'
import { dts } from 'rollup-plugin-dts'
import { scenarioDeclarations } from './scenario-declarations.mjs'

const emitted = 'node_modules/.cache/types'

await rm(emitted, { recursive: true, force: true })
execFileSync('node', ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json'], { stdio: 'inherit' })

/** Emitted declarations name the sources that they come from. */
const besideIt = {
  name: 'beside-it',
  resolveId: (id, from) =>
    from && /^\..*\.ts$/.test(id) ? resolve(from, '..', id.replace(/(?<!\.d)\.ts$/, '.d.ts')) : null,
}

// What is written out shadows the names of the sources, which nothing that users can name refers to.
const scenarioFile = resolve(emitted, 'scenarios/scenario.d.ts')
const schema = JSON.parse(await readFile('scenarios/scenario.schema.json', 'utf8'))
const written = scenarioDeclarations(scenarioFile, schema)
await rename(scenarioFile, resolve(emitted, 'scenarios/in-the-sources.d.ts'))
await writeFile(scenarioFile, `export * from './in-the-sources.ts'\n\n${written}`)

const bundle = await rollup({
  input: {
    index: `${emitted}/index.d.ts`,
    vitest: `${emitted}/testing/vitest.d.ts`,
    playwright: `${emitted}/testing/playwright.d.ts`,
    testcontainers: `${emitted}/testing/testcontainers.d.ts`,
  },
  external: id => !/^[./]/.test(id) && !id.startsWith(emitted),
  plugins: [besideIt, dts()],
})
await mkdir('dist', { recursive: true })
for (const entry of await readdir('dist')) if (entry.endsWith('.d.ts')) await rm(`dist/${entry}`)
await bundle.write({
  dir: 'dist',
  format: 'es',
  entryFileNames: '[name].d.ts',
  chunkFileNames: 'types-[hash].d.ts',
})
await bundle.close()
// Imported for its effect alone: `node --import`.
await writeFile('dist/virtual-time.d.ts', 'export {}\n')
