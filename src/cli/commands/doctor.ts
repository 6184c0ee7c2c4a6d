import { existsSync } from 'node:fs'
import { fixturePath, packageVersion } from '../../emulator/ground.ts'
import { checkNoWords, readOptions } from '../../emulator/options.ts'
import { findFfmpeg, loadSharp, mediaPlace } from '../../media/index.ts'

/** Prints which programs and files are used and what they can do. Exit code 1 when videos or pictures cannot be
 * rendered, or written. */
export async function run(args: string[]): Promise<number> {
  const { options, rest } = readOptions(args)
  checkNoWords(rest)
  const lines = [
    `generation-gateway-emulator ${packageVersion()}, Node ${process.version}, ${process.platform} ${process.arch}`,
  ]
  const [ffmpeg, sharp] = await Promise.all([describeFfmpeg(options.ffmpegPath), describeSharp()])
  const font = fixturePath('font')
  lines.push(ffmpeg.text, sharp.text, `font     ${existsSync(font) ? `bundled, ${font}` : 'missing'}`)
  lines.push(`data     ${options.data ?? 'in memory only'}`)
  const { folder, fault } = mediaPlace(options.data)
  lines.push(
    `files    in ${folder}, ${fault === undefined ? 'which can be written' : `which cannot be written, so that no emulator starts: ${fault}`}`,
  )
  lines.push('explore  virtual time for Node and Python, real time for other programs')
  process.stdout.write(`${lines.join('\n')}\n`)
  return ffmpeg.isThere && sharp.isThere && fault === undefined ? 0 : 1
}

interface Found {
  isThere: boolean
  text: string
}

async function describeSharp(): Promise<Found> {
  try {
    const { versions } = await loadSharp()
    return { isThere: true, text: `sharp    version ${versions.sharp}, libvips ${versions.vips}` }
  } catch (error) {
    return { isThere: false, text: `sharp    not found: ${error instanceof Error ? error.message : error}` }
  }
}

async function describeFfmpeg(configured: string | undefined): Promise<Found> {
  try {
    const { path, source, version, year, can } = await findFfmpeg(configured)
    const abilities = Object.entries(can)
      .filter(([, able]) => able)
      .map(([ability]) => ability)
    const list = abilities.length > 0 ? `; can write ${abilities.join(', ')}` : ''
    return {
      isThere: true,
      text: `ffmpeg   ${source}, version ${version}${year === undefined ? '' : ` of ${year}`}, ${path}${list}`,
    }
  } catch (error) {
    return {
      isThere: false,
      text: `ffmpeg   not found: ${error instanceof Error ? error.message : error}`,
    }
  }
}
