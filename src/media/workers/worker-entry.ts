import { createRequire } from 'node:module'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { fixturePath } from '../../package/files.ts'

/** A file to run in a process of its own, with the arguments that Node needs for it. */
export interface WorkerEntry {
  path: string
  execArgv: string[]
}

/** A worker's heap is small. Threads that clear it would take the cores from drawing and encoding: a tenth of a video's processor time. */
export const collection = '--single-threaded-gc'

/** The compiled worker is beside the compiled file. Run from the sources, as in tests, the worker needs tsx to read TypeScript. */
export function workerEntry(): WorkerEntry {
  if (!import.meta.url.endsWith('.ts'))
    return { path: fileURLToPath(new URL('./render-worker.js', import.meta.url)), execArgv: [collection] }
  const loader = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href
  return {
    path: fileURLToPath(new URL('./render-worker.ts', import.meta.url)),
    execArgv: [collection, '--import', loader],
  }
}

/** Options by which a package manager finds packages (Yarn's Plug'n'Play). */
const resolution = /\.pnp\.(?:c?js|loader\.mjs)/

/**
 * The environment of a worker. Of the host program's NODE_OPTIONS only those that find packages are kept: `--inspect` would ask for
 * a port that is taken, `--import` and `--require` would run the host's set-up again, and coverage or profiles would be written.
 * Certificates are left out, since a worker opens no connection and Node needs some 40 ms to read those of a system.
 * The fonts and the settings for drawing type are our own, so that each machine draws the same bytes.
 */
export function workerEnvironment(environment: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  const { NODE_OPTIONS: options = '', ...others } = environment
  for (const name of [
    'NODE_EXTRA_CA_CERTS',
    'NODE_V8_COVERAGE',
    'NODE_UNIQUE_ID',
    'NODE_CHANNEL_FD',
    'FONTCONFIG_PATH',
    'FONTCONFIG_SYSROOT',
  ])
    delete others[name]
  const kept = options.match(/--(?:require|import|loader|experimental-loader)[= ]\S+/g) ?? []
  const needed = kept.filter(option => resolution.test(option))
  const drawing = { FONTCONFIG_FILE: fixturePath('font/fonts.conf') }
  return { ...others, ...drawing, ...(needed.length > 0 && { NODE_OPTIONS: needed.join(' ') }) }
}
