import { execFile } from 'node:child_process'
import { access, chmod, constants } from 'node:fs/promises'
import { promisify } from 'node:util'

/** An ffmpeg that can be run. */
export interface Tool {
  path: string
  source: 'configured' | 'bundled' | 'system'
  version: string
  /** The codecs that the program can write: libx264, libx265, aac, mp3, … */
  can: Readonly<Record<Ability, boolean>>
}

/** Thrown when no program was found; the message lists what was tried. */
export class ToolMissingError extends Error {
  override name = 'ToolMissingError'
}

const encoders = {
  libx264: 'libx264',
  libx265: 'libx265',
  aac: 'aac',
  mp3: 'libmp3lame',
  prores: 'prores_ks',
  vp9: 'libvpx-vp9',
} as const

export type Ability = keyof typeof encoders

/**
 * The ffmpeg to use: the configured one, else the one of the package, else the one on the PATH.
 * @param configured a path, by default that of the environment's `FFMPEG_PATH`; when it does not run, nothing else is tried.
 * @throws ToolMissingError
 */
export function findFfmpeg(configured = process.env.FFMPEG_PATH): Promise<Tool> {
  return configured ? openConfigured(configured) : openFirst()
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
  throw new ToolMissingError(
    `No ffmpeg runs here (${failures.join('; ')}). Install one, or set FFMPEG_PATH to its path.`,
  )
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
  const run = promisify(execFile)
  const [banner, encoders] = await Promise.all([
    run(path, ['-version']),
    run(path, ['-hide_banner', '-encoders']),
  ])
  const version = banner.stdout.match(/^\w+ version (\S+)/)?.[1]
  if (!version?.length) throw new Error('it does not look like ffmpeg')
  return { path, source, version, can: abilities(encoders.stdout) }
}

function abilities(list: string): Tool['can'] {
  const has = (ability: Ability): boolean => new RegExp(`^ [VA]\\S* ${encoders[ability]} `, 'm').test(list)
  return {
    libx264: has('libx264'),
    libx265: has('libx265'),
    aac: has('aac'),
    mp3: has('mp3'),
    prores: has('prores'),
    vp9: has('vp9'),
  }
}

function reason(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error)
  return text.split('\n')[0] ?? text
}
