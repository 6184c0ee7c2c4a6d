import { access, chmod, constants, stat } from 'node:fs/promises'
import { runBriefly } from '../workers/work-watch.ts'

/** An ffmpeg that can be run. */
export interface Tool extends ToolAnswer {
  path: string
  source: 'configured' | 'bundled' | 'system'
}

/** Thrown when no program was found; the message lists what was tried. */
export class ToolMissingError extends Error {
  override name = 'ToolMissingError'
}

/** Thrown when the installation has left out a package that the work needs; the message names it. */
export class PackageMissingError extends ToolMissingError {
  override name = 'PackageMissingError'
}

/**
 * The ffmpeg to use: the configured one, else the one of the package, else the one on the PATH.
 * @param configured a path, by default that of the environment's `FFMPEG_PATH`; when it does not run, nothing else is tried.
 * @throws ToolMissingError
 */
export function findFfmpeg(configured = process.env.FFMPEG_PATH): Promise<Tool> {
  return configured ? openConfigured(configured) : openFirst()
}

/**
 * What is wrong with the configured ffmpeg, or with an installation that has none; undefined when nothing is. An ffmpeg of the package is
 * not run: it is asked when the first file is made.
 */
export async function ffmpegFault(configured = process.env.FFMPEG_PATH): Promise<string | undefined> {
  if (!configured && (await hasBundle())) return undefined
  return findFfmpeg(configured).then(() => undefined, reason)
}

function hasBundle(): Promise<boolean> {
  return import('@ffmpeg-installer/ffmpeg').then(
    () => true,
    () => false,
  )
}

async function openConfigured(path: string): Promise<Tool> {
  try {
    return await probe(path, 'configured')
  } catch (error) {
    throw new ToolMissingError(
      `FFMPEG_PATH is ${path}, which does not run: ${reason(error)}. ` +
        'Point it at a working ffmpeg or leave it out to use the bundled one.',
    )
  }
}

async function openFirst(): Promise<Tool> {
  const failures: string[] = []
  const attempts = [
    { source: 'bundled', path: () => bundledPath() },
    { source: 'system', path: async () => 'ffmpeg' },
  ] as const
  for (const { source, path } of attempts) {
    try {
      return await probe(await path(), source)
    } catch (error) {
      failures.push(`${source}: ${reason(error)}`)
    }
  }
  const tried = failures.join('; ')
  if (!(await hasBundle()))
    throw new PackageMissingError(
      `The optional package @ffmpeg-installer/ffmpeg, which codes videos, is not installed for this system (${tried}). ` +
        'Install it with `npm install --include=optional`, or set FFMPEG_PATH to an ffmpeg.',
    )
  throw new ToolMissingError(`No ffmpeg runs here (${tried}). Install one, or set FFMPEG_PATH to its path.`)
}

/** Without install scripts npm unpacks the program without the permission to run it. */
async function bundledPath(): Promise<string> {
  const { default: bundle } = await import('@ffmpeg-installer/ffmpeg')
  const isExecutable = await access(bundle.path, constants.X_OK).then(
    () => true,
    () => false,
  )
  if (!isExecutable) await chmod(bundle.path, 0o755)
  return bundle.path
}

async function probe(path: string, source: Tool['source']): Promise<Tool> {
  return { path, source, ...(await askTool(path)) }
}

function reason(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error)
  return text.split('\n')[0] ?? text
}

const encoders = {
  libx264: 'libx264',
  libx265: 'libx265',
  aac: 'aac',
  mp3: 'libmp3lame',
} as const

type Ability = keyof typeof encoders

/** What an ffmpeg says about itself. */
interface ToolAnswer {
  version: string
  /** The last year of its copyright, which is the year of its sources; undefined when it names none. */
  year?: string
  /** The codecs that the program can write: libx264, libx265, aac, mp3, … */
  can: Readonly<Record<Ability, boolean>>
}

/** The answers of this process, by path. An answer is valid while the file of the program does not change. */
const answers = new Map<string, { file: string; answer: Promise<ToolAnswer> }>()

/**
 * Asks the ffmpeg at a path for its version and abilities. A program is asked once, and again when its file was replaced or
 * after a failure; a bare name, which is looked up on the PATH, is asked each time.
 * @throws the error of starting the program, or an error that says that it is not ffmpeg
 */
async function askTool(path: string): Promise<ToolAnswer> {
  const file = await identityOf(path)
  if (file === undefined) return await ask(path)
  const known = answers.get(path)
  if (known?.file === file) return await known.answer
  const answer = ask(path)
  answers.set(path, { file, answer })
  answer.catch(() => answers.get(path)?.answer === answer && answers.delete(path))
  return await answer
}

/** Changes whenever the file is written or replaced. */
async function identityOf(path: string): Promise<string | undefined> {
  if (!/[/\\]/.test(path)) return undefined
  const found = await stat(path).catch(() => undefined)
  return found && `${found.dev} ${found.ino} ${found.size} ${found.mtimeMs} ${found.ctimeMs}`
}

async function ask(path: string): Promise<ToolAnswer> {
  const { stdout, stderr } = await runBriefly(path, ['-encoders'])
  // The version is in the banner above the list, unless the program is called through a script that hides the banner.
  const banner =
    bannerIn(stderr) ?? bannerIn(stdout) ?? bannerIn((await runBriefly(path, ['-version'])).stdout)
  if (banner === undefined) throw new Error('it does not look like ffmpeg')
  return { ...banner, can: abilities(stdout) }
}

function bannerIn(text: string): Pick<ToolAnswer, 'version' | 'year'> | undefined {
  const [, version, rest = ''] = text.match(/^\w+ version (\S+)(.*)/m) ?? []
  const [, year] = /Copyright .*\b(\d{4})\b/.exec(rest) ?? []
  return version === undefined ? undefined : { version, ...(year !== undefined && { year }) }
}

function abilities(list: string): ToolAnswer['can'] {
  const has = (ability: Ability) => new RegExp(`^ [VA]\\S* ${encoders[ability]} `, 'm').test(list)
  return { libx264: has('libx264'), libx265: has('libx265'), aac: has('aac'), mp3: has('mp3') }
}
