import { access, chmod, constants } from 'node:fs/promises'
import { askTool, type ToolAnswer } from './ask-tool.ts'

/** An ffmpeg that can be run. */
export interface Tool extends ToolAnswer {
  path: string
  source: 'configured' | 'bundled' | 'system'
}

/** Thrown when no program was found; the message lists what was tried. */
export class ToolMissingError extends Error {
  override name = 'ToolMissingError'
}

/**
 * The ffmpeg to use: the configured one, else the one of the package, else the one on the PATH.
 * @param configured a path, by default that of the environment's `FFMPEG_PATH`; when it does not run, nothing else is tried.
 * @throws ToolMissingError
 */
export function findFfmpeg(configured = process.env.FFMPEG_PATH): Promise<Tool> {
  return configured ? openConfigured(configured) : openFirst()
}

/** What is wrong with the configured ffmpeg; undefined when nothing is, or none is configured. */
export function faultOfConfigured(configured = process.env.FFMPEG_PATH): Promise<string | undefined> {
  if (!configured) return Promise.resolve(undefined)
  return openConfigured(configured).then(() => undefined, reason)
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
  return { path, source, ...(await askTool(path)) }
}

function reason(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error)
  return text.split('\n')[0] ?? text
}
