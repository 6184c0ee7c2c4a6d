import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { build } from 'esbuild'
import { root } from './fresh-build.ts'

/**
 * Bundles a program of `test/support` into one file and gives its path. A program that starts many times takes a fifth of the
 * processor time when its TypeScript is translated once. Its packages and the fixtures are found as from the sources.
 */
export async function bundled(name: `${string}.ts`): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [join(root, 'test/support', name)],
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    packages: 'external',
    write: false,
    logLevel: 'warning',
  })
  const [{ contents } = { contents: new Uint8Array() }] = outputFiles
  const folder = join(root, 'node_modules/.cache/bundled')
  const digest = createHash('sha256').update(contents).digest('hex').slice(0, 16)
  const path = join(folder, `${basename(name, '.ts')}-${digest}.mjs`)
  mkdirSync(folder, { recursive: true })
  if (!existsSync(path)) {
    // Two files of tests may do this at the same time.
    writeFileSync(`${path}.${process.pid}`, contents)
    renameSync(`${path}.${process.pid}`, path)
  }
  return path
}
