import { execFile } from 'node:child_process'
import { access, chmod, constants, readFile, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import installer from '@ffprobe-installer/ffprobe'
import sharp from 'sharp'
import type { VideoRecipe } from '../../src/media/render/recipe.ts'
import { renderVideo } from '../../src/media/render/render-video.ts'
import { findFfmpeg } from '../../src/media/render/tools.ts'
import { ownFolder } from './folders.ts'
import type { Gateway } from './gateway.ts'

const run = promisify(execFile)

/** A short, small video without sound, with changes. */
export function videoRecipe(differences: Partial<VideoRecipe> = {}): VideoRecipe {
  return {
    kind: 'video',
    width: 480,
    height: 272,
    frames: 31,
    fps: 24,
    container: 'mp4',
    codec: 'h264',
    audio: 'none',
    mark: false,
    seed: 7,
    prompt: 'A corgi rides a skateboard',
    caption: {
      title: 'cgt-20260101-test',
      facts: ['seedance', '480p', '16:9'],
    },
    ...differences,
  }
}

/** The bytes of a rendered video. */
export async function renderedVideo(differences: Partial<VideoRecipe>): Promise<Buffer> {
  const file = join(ownFolder('rendered'), 'video.mp4')
  await renderVideo(videoRecipe(differences), { kept: async () => undefined }, file)
  return readFile(file)
}

/** The file behind a link, with its own name; fails when there is none. */
export async function fetchedFile(gateway: Pick<Gateway, 'download'>, link: string) {
  const { status, headers, bytes } = await gateway.download(link)
  if (status !== 200) throw new Error(`${link} answers ${status}: ${bytes.toString().slice(0, 500)}`)
  const file = join(ownFolder('fetched'), basename(new URL(link).pathname))
  await writeFile(file, bytes)
  return { file, headers, bytes }
}

export interface Stream {
  codec_type: string
  codec_name: string
  codec_tag_string: string
  profile: string
  pix_fmt?: string
  width?: number
  height?: number
  channels?: number
  r_frame_rate: string
  avg_frame_rate: string
  duration: string
  nb_read_frames: string
}

/** The output of ffprobe for a file, after decoding all of it. Fails when the decoder reports an error. */
export async function probe(file: string): Promise<{ streams: Stream[]; seconds: number }> {
  const options = ['-v', 'warning', '-count_frames', '-show_streams', '-show_format', '-of', 'json']
  const { stdout, stderr } = await ffprobe([...options, file])
  const complaints = stderr
    .split('\n')
    .filter(line => line !== '' && !line.includes('Estimating duration from bitrate'))
  if (complaints.length > 0) throw new Error(`ffprobe: ${complaints.join('; ')}`)
  const { streams, format } = JSON.parse(stdout) as { streams: Stream[]; format: { duration: string } }
  return { streams, seconds: Number(format.duration) }
}

/** The digest of every decoded picture. Fails when the decoder reports an error. */
export async function frameDigests(file: string): Promise<string[]> {
  const stdout = await ffmpeg(['-i', file, '-map', '0:v', '-f', 'framemd5', 'pipe:1'])
  const lines = stdout.toString().split('\n')
  return lines.filter(line => /^0,/.test(line)).map(line => line.split(',').at(-1)?.trim() ?? '')
}

/** The pixels of one decoded picture, three bytes each. */
export async function frameAt(file: string, number: number): Promise<Buffer> {
  const only = ['-vf', `select=eq(n\\,${number})`, '-frames:v', '1']
  return await ffmpeg(['-i', file, ...only, '-pix_fmt', 'rgb24', '-f', 'rawvideo', 'pipe:1'])
}

async function ffmpeg(options: readonly string[]): Promise<Buffer> {
  const { path } = await findFfmpeg(process.env.FFMPEG_PATH)
  const { stdout, stderr } = await run(path, ['-v', 'warning', ...options], {
    encoding: 'buffer',
    maxBuffer: 1 << 28,
  })
  if (stderr.length > 0) throw new Error(`ffmpeg: ${stderr.toString()}`)
  return stdout
}

/** The pixels of a picture file, three bytes each. */
export async function pixelsOf(picture: Buffer): Promise<Buffer> {
  return await sharp(picture).removeAlpha().raw().toBuffer()
}

/** Part of a picture, in fractions of its sides. */
export interface Area {
  left: number
  top: number
  right: number
  bottom: number
}

/** The mean difference of two pictures over an area, in steps of 255. */
export function distance(
  a: Buffer,
  b: Buffer,
  width: number,
  area: Area = { left: 0, top: 0, right: 1, bottom: 1 },
): number {
  if (a.length !== b.length) throw new Error(`pictures of ${a.length} and ${b.length} bytes`)
  const height = a.length / 3 / width
  let sum = 0
  let count = 0
  for (let y = Math.floor(area.top * height); y < area.bottom * height; y++) {
    for (
      let at = (y * width + Math.floor(area.left * width)) * 3;
      at < (y * width + area.right * width) * 3;
      at++
    ) {
      sum += Math.abs((a[at] ?? 0) - (b[at] ?? 0))
      count++
    }
  }
  return sum / count
}

/** Runs ffprobe: that of `FFPROBE_PATH`, else the one that is installed for the tests. The emulator does not use ffprobe. */
async function ffprobe(options: readonly string[]): Promise<{ stdout: string; stderr: string }> {
  return await promisify(execFile)(process.env.FFPROBE_PATH || (await installed()), [...options])
}

/** When npm ignores install scripts, the package unpacks without the permission to run. */
async function installed(): Promise<string> {
  await access(installer.path, constants.X_OK).catch(() => chmod(installer.path, 0o755))
  return installer.path
}
