import { existsSync, readFileSync } from 'node:fs'
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { type BrowserServer, chromium, type LaunchOptions } from 'playwright-core'
import { root } from './fresh-build.ts'

/** A Chromium and the variables that its process needs. */
interface BrowserPlace {
  path: string
  environment: Record<string, string>
}

/** A page is drawn as few large tiles: small ones take more of the processor, and a page of the console changes little between frames. */
const largeTiles = ['--default-tile-width=1600', '--default-tile-height=1600']

/**
 * A frame of another site stays in the process of its page: one that changes its process while it loads is attached anew, and at
 * times the driver and the frame then wait for each other for ever.
 */
const framesStay = '--disable-site-isolation-trials'

/** A site of the web, whose pages a test serves itself, so that no request is held for the driver. */
const publicSite = '--host-resolver-rules=MAP evil.example 127.0.0.1'

const flags = [
  ...largeTiles,
  framesStay,
  publicSite,
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** How playwright starts the browser of the tests. */
export async function launchOptions(): Promise<LaunchOptions> {
  const { path, environment } = await findBrowser()
  return {
    executablePath: path,
    args: flags,
    env: { ...(process.env as Record<string, string>), ...environment },
  }
}

/**
 * Starts a browser to which tests connect. Once in hundreds of starts, Chromium crashes before it is ready: it is started once
 * more, and the reason is printed.
 */
export async function startBrowser(): Promise<BrowserServer> {
  const options = { ...(await launchOptions()), host: '127.0.0.1' }
  return await chromium.launchServer(options).catch((error: Error) => {
    console.warn(`The browser is started once more: ${error.message}`)
    return chromium.launchServer(options)
  })
}

/** The platforms for which the package of the registry has a browser. */
const packaged = 'linux-x64'

/** Where Chrome is installed on the platforms for which the package has no browser. */
const installed: Readonly<Record<string, string>> = {
  darwin: '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  win32: 'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
}

/**
 * The browser that the tests drive: the one that `CHROME_PATH` names, or else the one inside a package of the registry, with
 * our own font. Other browsers and fonts of the machine have no effect. The package serves Linux on x64 only; macOS and
 * Windows use the installed Chrome. Fails when there is none, so that no test is skipped.
 */
async function findBrowser(): Promise<BrowserPlace> {
  const named = process.env.CHROME_PATH
  if (named) return checked(named, `CHROME_PATH names ${named}, which does not exist`)
  if (`${process.platform}-${process.arch}` === packaged) return await unpacked()
  const usual = installed[process.platform] ?? ''
  return checked(usual, `The browser tests need Chrome: set CHROME_PATH to its executable file`)
}

function checked(path: string, message: string): BrowserPlace {
  if (!existsSync(path)) throw new Error(message)
  return { path, environment: {} }
}

/** Unpacks the browser of the package once for each version of it, with the libraries that a bare machine lacks. */
async function unpacked(): Promise<BrowserPlace> {
  const cache = join(root, 'node_modules', '.cache')
  const home = join(cache, `chromium-${packageVersion()}`)
  if (!existsSync(home)) await unpackTo(home, cache)
  return {
    path: join(home, 'chromium'),
    environment: {
      FONTCONFIG_FILE: await writeFonts(home),
      LD_LIBRARY_PATH: [join(home, 'al2023', 'lib'), process.env.LD_LIBRARY_PATH]
        .filter(Boolean)
        .join(delimiter),
    },
  }
}

function packageVersion(): string {
  const manifest = join(root, 'node_modules', '@sparticuz', 'chromium', 'package.json')
  return JSON.parse(readFileSync(manifest, 'utf8')).version
}

/**
 * Names our own font to the browser. The package's own `fonts.conf` names folders of a cloud function and `/tmp/fonts`; without
 * a font the page crashes. Written each time, because the repository may have been moved. A rename replaces the file in one step, since other processes may read it.
 */
async function writeFonts(home: string): Promise<string> {
  const file = join(home, 'our-fonts.conf')
  const part = `${file}.${process.pid}`
  await writeFile(part, fontsDocument(join(root, 'fixtures', 'font'), join(home, 'font-cache')))
  await rename(part, file)
  return file
}

function fontsDocument(folder: string, cache: string): string {
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${escaped(folder)}</dir>
  <cachedir>${escaped(cache)}</cachedir>
</fontconfig>
`
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}

/** The package looks at these variables, or sets them when it is loaded. Test files must not inherit them. */
const changedByPackage = ['TMPDIR', 'AWS_LAMBDA_JS_RUNTIME', 'FONTCONFIG_PATH', 'LD_LIBRARY_PATH', 'HOME']

/** The package unpacks into the folder for temporary files. It gets a folder of its own, which is moved when it is complete. */
async function unpackTo(home: string, cache: string): Promise<void> {
  await mkdir(cache, { recursive: true })
  const part = await mkdtemp(join(cache, 'chromium-part-'))
  const before = changedByPackage.map(name => [name, process.env[name]] as const)
  Object.assign(process.env, { TMPDIR: part, AWS_LAMBDA_JS_RUNTIME: 'nodejs22.x' })
  try {
    const { default: packed } = await import('@sparticuz/chromium')
    await packed.executablePath()
    await rename(part, home)
  } catch (error) {
    await rm(part, { recursive: true, force: true })
    if (!existsSync(home)) throw error // Another process was faster.
  } finally {
    for (const [name, value] of before) {
      if (value === undefined) delete process.env[name]
      else process.env[name] = value
    }
  }
}
