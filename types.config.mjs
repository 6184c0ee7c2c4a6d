// Bundles the declarations of the three entry points, so that only what a user can name is in the package.
import { execFileSync } from 'node:child_process'
import { mkdir, readdir, rm } from 'node:fs/promises'
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

const bundle = await rollup({
  input: {
    index: `${emitted}/index.d.ts`,
    vitest: `${emitted}/testing/vitest.d.ts`,
    playwright: `${emitted}/testing/playwright.d.ts`,
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
