import { existsSync } from 'node:fs'
import { findFfmpeg } from '../media/tools.ts'
import { readOptions } from '../options/config.ts'
import { checkNoWords } from '../options/flags.ts'
import { fixturePath, packageVersion } from '../package/files.ts'

/** Prints which programs and files are used and what they can do. Exit code 1 when videos cannot be rendered. */
export async function run(args: string[]): Promise<number> {
  const { options, rest } = readOptions(args)
  checkNoWords(rest)
  const lines = [
    `generation-gateway-emulator ${packageVersion()}, Node ${process.version}, ${process.platform} ${process.arch}`,
  ]
  const ffmpeg = await describeFfmpeg(options.ffmpegPath)
  const font = fixturePath('font')
  lines.push(ffmpeg.text, `font     ${existsSync(font) ? `bundled, ${font}` : 'missing'}`)
  lines.push(`data     ${options.data ?? 'in memory only'}`)
  process.stdout.write(`${lines.join('\n')}\n`)
  return ffmpeg.isThere ? 0 : 1
}

async function describeFfmpeg(configured: string | undefined): Promise<{ isThere: boolean; text: string }> {
  try {
    const { path, source, version, can } = await findFfmpeg(configured)
    const abilities = Object.entries(can)
      .filter(([, able]) => able)
      .map(([ability]) => ability)
    const list = abilities.length > 0 ? `; can write ${abilities.join(', ')}` : ''
    return { isThere: true, text: `ffmpeg   ${source}, version ${version}, ${path}${list}` }
  } catch (error) {
    return {
      isThere: false,
      text: `ffmpeg   not found: ${error instanceof Error ? error.message : error}`,
    }
  }
}
