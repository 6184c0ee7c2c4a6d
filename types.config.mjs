// Bundles the declarations of the three entry points, so that only what a user can name is in the package.
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { rollup } from 'rollup'
import { dts } from 'rollup-plugin-dts'

const emitted = 'node_modules/.cache/types'

await rm(emitted, { recursive: true, force: true })
execFileSync('node', ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json'], { stdio: 'inherit' })

/** Emitted declarations name the sources that they come from. */
const besideIt = {
  name: 'beside-it',
  resolveId: (id, from) =>
    from && /^\..*\.ts$/.test(id) ? resolve(from, '..', id.replace(/(?<!\.d)\.ts$/, '.d.ts')) : null,
}

/** Declarations that are bundled although they are not ours: the package does not depend on what turns a schema into a type. */
const typesOfSchemas = {
  name: 'types-of-schemas',
  resolveId(id, from) {
    const roots = {
      'json-schema-to-ts': 'node_modules/json-schema-to-ts/lib/types/index.d.ts',
      'ts-algebra': 'node_modules/ts-algebra/lib/index.d.ts',
    }
    if (id in roots) return resolve(roots[id])
    if (!from || !id.startsWith('.') || !/json-schema-to-ts|ts-algebra/.test(from)) return null
    const path = resolve(from, '..', id)
    return [`${path}.d.ts`, `${path}/index.d.ts`].find(existsSync) ?? null
  },
}

const bundle = await rollup({
  input: {
    index: `${emitted}/index.d.ts`,
    vitest: `${emitted}/testing/vitest.d.ts`,
    playwright: `${emitted}/testing/playwright.d.ts`,
  },
  external: id => !/^([./]|json-schema-to-ts|ts-algebra)/.test(id) && !id.startsWith(emitted),
  plugins: [besideIt, typesOfSchemas, dts({ includeExternal: ['json-schema-to-ts', 'ts-algebra'] })],
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
