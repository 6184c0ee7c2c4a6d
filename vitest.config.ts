import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { setFlagsFromString } from 'node:v8'
import { configDefaults, defineConfig } from 'vitest/config'
import { MixedFiles } from './test/support/file-order.ts'
import { slowestFiles } from './test/support/slowest-files.ts'

const here = (name: string) => fileURLToPath(new URL(name, import.meta.url))

/** Files that look at what their whole process holds, or that replace a module: they get a process of their own. */
const alone = [
  'test/api/files-made.test.ts',
  'test/hard/security.test.ts',
  'test/unit/inputs-memory.test.ts',
  'test/unit/video-script.test.ts',
  'test/unit/worker-pool.test.ts',
]

/** Where `.ci/run` reads the results from. */
const results = process.env.TEST_RESULTS
  ? [['json', { outputFile: process.env.TEST_RESULTS }] as [string, Record<string, unknown>]]
  : []

/**
 * Translated sources of all projects and of earlier runs. Vitest names them by their content and by this file; how TypeScript is
 * translated depends on `tsconfig.json` too.
 */
const translated = `node_modules/.cache/vitest-${createHash('sha256')
  .update(readFileSync(here('tsconfig.json')))
  .digest('hex')
  .slice(0, 8)}`

/**
 * Most code of tests runs a few times. Compiling it to fast machine code later, and collecting garbage without helper threads,
 * takes a tenth less processor time. Only the V8 of Node 20 has this option; later ones refuse to start with it.
 */
const lateCompiling = process.version.startsWith('v20.') ? ['--interrupt-budget=250000'] : []
setFlagsFromString(lateCompiling.join(''))

export default defineConfig({
  test: {
    // Only a test that hangs takes so long, also on a machine that is busy with other work.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 30_000 } },
    reporters: ['default', slowestFiles, ...results],
    // Files that start programs and browsers wait half of their time, so two more workers than cores keep all cores busy.
    maxWorkers: availableParallelism() + 2,
    sequence: { sequencer: MixedFiles },
    execArgv: ['--single-threaded-gc', ...lateCompiling],
    experimental: { fsModuleCache: true, fsModuleCachePath: here(translated) },
    globalSetup: ['test/support/program-setup.ts'],
    alias: [
      // It needs a container engine, and is the user's.
      { find: /^testcontainers$/, replacement: here('test/support/fake-testcontainers.ts') },
    ],
    projects: [
      {
        extends: true,
        test: {
          name: 'service',
          include: ['test/**/*.test.ts'],
          exclude: [...configDefaults.exclude, 'test/browser/**', ...alone],
          // Files share nothing but render workers, so a process reads the sources once for all files that it runs.
          isolate: false,
          provide: { pool: 'shared' },
        },
      },
      { extends: true, test: { name: 'alone', include: alone, provide: { pool: 'own' } } },
      {
        extends: true,
        test: {
          name: 'browser',
          include: ['test/browser/*.test.ts'],
          isolate: false,
          provide: { pool: 'shared' },
          globalSetup: ['test/support/browser-setup.ts'],
        },
      },
    ],
  },
})
