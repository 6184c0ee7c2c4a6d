import { accessSync, constants, existsSync } from 'node:fs'
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { chromium } from 'playwright-core'
import { root } from './fresh-build.ts'

/** A Chromium that is there, and what its process needs around it. */
export interface BrowserPlace {
  path: string
  environment: Record<string, string>
}

/**
 * The browser that the tests drive: the one that `CHROME_PATH` or `CHROMIUM_PATH` names, Playwright's, the system's, or the one
 * that comes inside a package of the registry. There is always one, so nothing is ever skipped.
 */
export async function findBrowser(): Promise<BrowserPlace> {
  const named = process.env.CHROME_PATH ?? process.env.CHROMIUM_PATH
  if (named) return at(checked(named))
  const own = chromium.executablePath()
  if (existsSync(own)) return at(own)
  const system = onPath(['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'])
  return system ? at(system) : await unpacked()
}

function at(path: string): BrowserPlace {
  return { path, environment: {} }
}

function checked(path: string): string {
  if (!existsSync(path)) throw new Error(`CHROME_PATH or CHROMIUM_PATH names ${path}, which does not exist`)
  return path
}

function onPath(names: readonly string[]): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter)
  return names.flatMap(name => folders.map(folder => join(folder, name))).find(isExecutable)
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** Unpacks the browser of the package once, with the libraries and fonts that a bare machine lacks. */
async function unpacked(): Promise<BrowserPlace> {
  const cache = join(root, 'node_modules', '.cache')
  const home = join(cache, 'chromium')
  if (!existsSync(home)) await unpackTo(home, cache)
  return {
    path: join(home, 'chromium'),
    environment: {
      FONTCONFIG_PATH: join(home, 'fonts'),
      LD_LIBRARY_PATH: [join(home, 'al2023', 'lib'), process.env.LD_LIBRARY_PATH]
        .filter(Boolean)
        .join(delimiter),
    },
  }
}

/** The package looks at these variables, or sets them when it is loaded. Test files must not inherit them. */
const changedByPackage = ['TMPDIR', 'AWS_LAMBDA_JS_RUNTIME', 'FONTCONFIG_PATH', 'LD_LIBRARY_PATH', 'HOME']

/** The package unpacks into the folder for temporary files; a folder of its own, moved when it is whole, is never seen half done. */
async function unpackTo(home: string, cache: string): Promise<void> {
  await mkdir(cache, { recursive: true })
  const part = await mkdtemp(join(cache, 'chromium-'))
  const before = changedByPackage.map(name => [name, process.env[name]] as const)
  Object.assign(process.env, { TMPDIR: part, AWS_LAMBDA_JS_RUNTIME: 'nodejs22.x' })
  try {
    const { default: packed } = await import('@sparticuz/chromium')
    await packed.executablePath()
    await rename(part, home)
  } catch (error) {
    await rm(part, { recursive: true, force: true })
    if (!existsSync(home)) throw error
  } finally {
    for (const [name, value] of before) {
      if (value === undefined) delete process.env[name]
      else process.env[name] = value
    }
  }
}
