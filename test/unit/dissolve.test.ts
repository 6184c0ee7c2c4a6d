import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { ALL_FORMATS, EncodedPacketSink, FilePathSource, Input } from 'mediabunny'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import type { VideoRecipe } from '../../src/media/render/recipe.ts'
import { renderVideo } from '../../src/media/render/render-video.ts'
import { findFfmpeg } from '../../src/media/render/tools.ts'
import { reachPx } from '../../src/media/video/coded-picture.ts'
import { photoDepth, timelineOf } from '../../src/media/video/timeline.ts'
import { ownFolder } from '../support/folders.ts'
import { sample } from '../support/input-samples.ts'
import { probe, videoRecipe } from '../support/video-files.ts'

const run = promisify(execFile)
const folder = ownFolder('dissolve-test')

const [landscape, portrait] = ['landscape.jpg', 'portrait.jpg']
const both = { firstFrame: landscape, lastFrame: portrait, frames: 73, audio: 'mono' } as const

/** Some videos are checked by several tests. */
const files = new Map<string, Promise<string>>()

function render(differences: Partial<VideoRecipe>): Promise<string> {
  const recipe = videoRecipe(differences)
  const name = JSON.stringify(recipe)
  const file = join(folder, `${files.size}.${recipe.container}`)
  const known =
    files.get(name) ?? renderVideo(recipe, { kept: async digest => sample(digest) }, file).then(() => file)
  files.set(name, known)
  return known
}

/** The brightness of every pixel, frame by frame. Fails when the decoder reports an error. */
async function decoded(file: string, input: readonly string[], frameBytes: number): Promise<Buffer[]> {
  const { path } = await findFfmpeg(process.env.FFMPEG_PATH)
  const options = ['-v', 'warning', '-err_detect', 'explode', ...input, '-i', file, '-map', '0:v']
  const form = ['-vf', 'extractplanes=y', '-vsync', '0', '-f', 'rawvideo', 'pipe:1']
  const { stdout, stderr } = await run(path, [...options, ...form], {
    encoding: 'buffer',
    maxBuffer: 1 << 29,
  })
  // The sound of a MOV from the encoder of every picture has no layout.
  const complaints = stderr.toString().split('\n')
  expect(complaints.filter(line => line !== '' && !line.startsWith('Guessed Channel'))).toEqual([])
  return Array.from({ length: stdout.length / frameBytes }, (_, i) =>
    stdout.subarray(i * frameBytes, (i + 1) * frameBytes),
  )
}

const known = new Map<string, Promise<Buffer[]>>()

/** The brightness of every pixel, frame by frame. A file is decoded once for all tests, by one thread. */
function framesOf(file: string, { width, height }: VideoRecipe): Promise<Buffer[]> {
  const frames = known.get(file) ?? decoded(file, ['-threads', '1'], width * height)
  known.set(file, frames)
  return frames
}

/** The brightness of a sample as it is shown in a video. */
async function brightness(name: string, { width, height }: VideoRecipe): Promise<Buffer> {
  const fitted = sharp(sample(name)).rotate().resize(width, height, { fit: 'cover' }).removeAlpha()
  const { data } = await fitted.raw().toBuffer({ resolveWithObject: true })
  const gray = Buffer.alloc(width * height)
  for (let i = 0, at = 0; i < gray.length; i++, at += 3) {
    const [red, green, blue] = [data[at] as number, data[at + 1] as number, data[at + 2] as number]
    gray[i] = Math.round(0.2126 * red + 0.7152 * green + 0.0722 * blue)
  }
  return gray
}

/** What a frame should show: two pictures, how much of the last one (0 to 1), and how far they have moved. */
interface Mixture {
  first: Buffer
  last: Buffer
  part: number
  distance: number
}

/** Decibels between a frame and a mixture, in rows and columns that neither labels nor the edge reach. */
function signalToNoise(
  frame: Buffer,
  { first, last, part, distance }: Mixture,
  { width, height }: VideoRecipe,
): number {
  const top = Math.floor(height * 0.45)
  const columns = width - 66
  let sum = 0
  for (let y = top; y < height; y++)
    for (let at = y * width, end = at + columns; at < end; at++) {
      const expected = (first[at + distance] ?? 0) * (1 - part) + (last[at + distance] ?? 0) * part
      const away = ((frame[at] as number) - 16) * (255 / 219) - expected
      sum += away * away
    }
  return 10 * Math.log10(255 ** 2 / (sum / (columns * (height - top))))
}

it.each<[string, Partial<VideoRecipe>]>([
  ['480p', {}],
  ['tall, at 30 a second', { width: 360, height: 640, fps: 30, frames: 61 }],
  ['an odd shape, as MOV', { width: 630, height: 270, frames: 60, container: 'mov' }],
  ['back to the first orientation', { firstFrame: portrait, lastFrame: landscape, frames: 49 }],
])(
  'every frame between two given pictures is their mixture at 30 dB or more, while it moves: %s',
  async (_, differences) => {
    const recipe = videoRecipe({ ...both, ...differences })
    const { width, fps } = recipe
    const shown = await framesOf(await render({ ...both, ...differences }), recipe)
    const [first, last] = [
      await brightness(recipe.firstFrame ?? '', recipe),
      await brightness(recipe.lastFrame ?? '', recipe),
    ]
    const { momentAt } = timelineOf(recipe)
    const decibels = shown.map((frame, i) => {
      const { key, next, sway } = momentAt(i)
      const mixed = next && next.key.ground !== key.ground ? next.parts / 128 : 0
      const part = key.ground === 'last' ? 1 : mixed
      const distance = Math.round(sway * photoDepth({ width, fps }) * reachPx(width))
      return signalToNoise(frame, { first, last, part, distance }, recipe)
    })
    expect(shown).toHaveLength(recipe.frames)
    expect(Math.min(...decibels)).toBeGreaterThanOrEqual(30)
    expect(Math.min(decibels.at(0) ?? 0, decibels.at(-1) ?? 0)).toBeGreaterThanOrEqual(34)
  },
)

const moving: [string, Partial<VideoRecipe>][] = [
  ['a first and a last frame', both],
  ['a first frame', { firstFrame: landscape, frames: 73 }],
  ['a last frame', { lastFrame: portrait, frames: 73, mark: true }],
  ['an avatar', { firstFrame: portrait, lastFrame: portrait, levelBar: true, audio: 'mono', frames: 60 }],
]

describe.each(moving)('a video with %s', (_, given) => {
  it('moves in nearly every frame, from the second one to the last', async () => {
    const recipe = videoRecipe(given)
    const upper = Math.ceil(recipe.height / 2) * recipe.width
    const lower = (await framesOf(await render(given), recipe)).map(frame => frame.subarray(upper))
    const still = lower.flatMap((frame, i) => (lower[i - 1]?.equals(frame) ? [i] : []))
    expect(lower).toHaveLength(recipe.frames)
    expect(still.length).toBeLessThan(3)
  })

  it('is decoded to the same pictures with one thread and with several, and where playing begins at any second', async () => {
    const file = await render(given)
    const recipe = videoRecipe(given)
    const { width, height, frames, fps } = recipe
    const size = width * height
    const shown = await framesOf(file, recipe)
    const inThreads = await decoded(file, ['-threads', '3'], size)
    expect(inThreads).toHaveLength(shown.length)
    expect(shown.every((frame, i) => frame.equals(inThreads[i] as Buffer))).toBe(true)
    for (let second = 1; second < frames / fps; second++) {
      const [sought] = await decoded(file, ['-ss', String(second)], size)
      expect(sought?.equals(shown[second * fps] ?? Buffer.alloc(0)), `second ${second}`).toBe(true)
    }
  })

  it('has pictures at even distances from 0 on, as long as the sound', async () => {
    const file = await render(given)
    const { frames, fps } = videoRecipe(given)
    const { streams } = await probe(file)
    expect(streams[0]).toMatchObject({ profile: 'Main', nb_read_frames: String(frames) })
    expect(new Set(streams.map(({ duration }) => duration)).size).toBe(1)
    const input = new Input({ formats: ALL_FORMATS, source: new FilePathSource(file) })
    const track = await input.getPrimaryVideoTrack()
    if (!track) throw new Error('mediabunny found no pictures')
    const times: number[] = []
    for await (const { timestamp } of new EncodedPacketSink(track).packets()) times.push(timestamp)
    expect(times.toSorted((a, b) => a - b).map(time => Math.round(time * fps * 1000))).toEqual(
      Array.from({ length: frames }, (_, i) => i * 1000),
    )
    expect(await track.computeDuration()).toBeCloseTo(frames / fps, 5)
    expect(await track.getCodecParameterString()).toMatch(/^avc1\.4d40/)
  })
})

it('an encoder that codes every picture shows the same change from one picture to the other', async () => {
  const plainly = { ...both, codec: 'h264_444', container: 'mov' } as const
  const recipe = videoRecipe(both)
  const { frames } = recipe
  const parts = await framesOf(await render(both), recipe)
  const plain = await framesOf(await render(plainly), recipe)
  expect([parts.length, plain.length]).toEqual([frames, frames])
  const differences = parts.map((frame, i) => {
    let sum = 0
    for (let at = 0; at < frame.length; at++)
      sum += Math.abs((frame[at] as number) - (plain[i]?.[at] as number))
    return sum / frame.length
  })
  expect(Math.max(...differences)).toBeLessThan(2)
})

it('a small picture, of which labels cover much, dissolves without an error of the decoder', async () => {
  const small = { ...both, width: 160, height: 128, frames: 49 }
  expect(await framesOf(await render(small), videoRecipe(small))).toHaveLength(49)
})
