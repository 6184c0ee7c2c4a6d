import { chmod, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { beforeAll, expect, it, vi } from 'vitest'
import type { VideoRecipe } from '../../src/media/render/recipe.ts'
import { renderLastFrame, renderVideo, type Sources } from '../../src/media/render/render-video.ts'
import { findFfmpeg, type Tool } from '../../src/media/render/tools.ts'
import { ownFolder } from '../support/folders.ts'
import { sample } from '../support/input-samples.ts'
import { svgPicture } from '../support/svg-picture.ts'
import { distance, frameAt, frameDigests, pixelsOf, probe, videoRecipe } from '../support/video-files.ts'

const whole = { left: 0, top: 0, right: 1, bottom: 1 }
const lowerRight = { left: 0.6, top: 0.75, right: 1, bottom: 0.9 }

const folder = ownFolder('render-test')
let pictures: Map<string, Buffer>
const sources: Sources = { kept: async digest => pictures.get(digest) }

beforeAll(async () => {
  pictures = new Map([
    ['a1', await drawing('#d35400', '#fdf2e9')],
    ['b2', await drawing('#1b4f72', '#d6eaf8')],
    ['broken', Buffer.from('BM, but nothing that can be drawn')],
  ])
})

const videos: [string, Partial<VideoRecipe>][] = [
  ['portrait, 121 frames, mono', { width: 834, height: 1112, frames: 121, audio: 'mono' }],
  ['21:9 at 30 a second, stereo', { width: 1470, height: 630, frames: 91, fps: 30, audio: 'stereo' }],
  ['MOV with sound', { width: 854, height: 480, frames: 97, container: 'mov', audio: 'mono' }],
  ['MOV without sound', { frames: 120, container: 'mov' }],
  ['larger than 4k', { width: 4398, height: 1886, frames: 25, audio: 'mono' }],
  ['a single frame', { frames: 1, audio: 'mono' }],
  ['from one picture to another', { firstFrame: 'a1', lastFrame: 'b2', frames: 60, audio: 'stereo' }],
]

it.each(videos)(
  'has exactly the size, frame rate, length and sound of the recipe: %s',
  async (_, differences) => {
    const recipe = videoRecipe(differences)
    const { streams, seconds } = await probe(await render(recipe))
    const length = (recipe.frames / recipe.fps).toFixed(6)
    expect(seconds).toBeCloseTo(recipe.frames / recipe.fps, 5)
    expect(streams[0]).toMatchObject({
      codec_name: 'h264',
      // Pictures are mixed where labels fade or one picture becomes another.
      profile: recipe.firstFrame ? 'Main' : 'Constrained Baseline',
      pix_fmt: 'yuv420p',
      width: recipe.width,
      height: recipe.height,
      avg_frame_rate: `${recipe.fps}/1`,
      nb_read_frames: String(recipe.frames),
      duration: length,
    })
    const sound = { codec_name: 'aac', channels: recipe.audio === 'stereo' ? 2 : 1, duration: length }
    expect(streams.slice(1)).toMatchObject(recipe.audio === 'none' ? [] : [sound])
  },
)

it('every frame differs from the one before', async () => {
  const digests = await frameDigests(await render(videoRecipe({ frames: 122 })))
  expect(digests).toHaveLength(122)
  expect(new Set(digests).size).toBe(122)
})

it('draws another picture when the seed or the prompt differs', async () => {
  const recipes = [{ seed: 1 }, { seed: 2 }, { prompt: '夕阳下的柯基犬' }]
  const digests = await Promise.all(
    recipes.map(async item => (await frameDigests(await render(videoRecipe(item))))[0]),
  )
  expect(new Set(digests).size).toBe(3)
})

it.each<[string, Partial<VideoRecipe>]>([
  ['480p', {}],
  ['tall, with an odd number of frames', { width: 480, height: 854, frames: 107 }],
  ['30 a second', { width: 640, height: 640, frames: 75, fps: 30 }],
])('shows a given first and last frame unchanged, at 34 dB or more: %s', async (_, differences) => {
  pictures.set('landscape', sample('landscape.jpg')).set('portrait', sample('portrait.jpg'))
  const recipe = videoRecipe({ firstFrame: 'landscape', lastFrame: 'portrait', ...differences })
  const file = await render(recipe)
  const [first, last] = await Promise.all([fitted('landscape', recipe), fitted('portrait', recipe)])
  expect(signalToNoise(await frameAt(file, 0), first)).toBeGreaterThanOrEqual(34)
  expect(signalToNoise(await frameAt(file, recipe.frames - 1), last)).toBeGreaterThanOrEqual(34)
  const captioned = await frameAt(file, Math.round(recipe.fps * 1.2))
  expect(signalToNoise(captioned, first)).toBeLessThan(28)
})

it('a video with only a first frame never shows a drawn picture', async () => {
  const recipe = videoRecipe({ firstFrame: 'a1' })
  const file = await render(recipe)
  const shown = await frameAt(file, recipe.frames - 1)
  const below = { left: 0, top: 0.4, right: 1, bottom: 1 }
  expect(distance(shown, await fitted('a1', recipe), recipe.width, below)).toBeLessThan(12)
})

/** Decibels between two pictures of equal size. */
function signalToNoise(a: Buffer, b: Buffer): number {
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += ((a[i] ?? 0) - (b[i] ?? 0)) ** 2
  return 10 * Math.log10(255 ** 2 / (sum / a.length))
}

it.each<[string, Partial<VideoRecipe>]>([
  ['a prompt alone', {}],
  ['a first picture', { firstFrame: 'a1' }],
  ['a last picture, and a mark in the video only', { lastFrame: 'b2', width: 500, height: 390 }],
  ['references', { references: ['a1', 'b2'], frames: 50, fps: 30 }],
])('renders the last frame of the video without the mark: %s', async (_, differences) => {
  const recipe = videoRecipe(differences)
  const [file, last] = await Promise.all([
    render(recipe),
    renderLastFrame({ kind: 'last_frame', of: { ...recipe, mark: true } }, sources),
  ])
  const { width, height, format } = await sharp(last).metadata()
  expect({ width, height, format }).toEqual({ width: recipe.width, height: recipe.height, format: 'png' })
  const shown = await frameAt(file, recipe.frames - 1)
  expect(distance(shown, await pixelsOf(last), recipe.width)).toBeLessThan(2.5)
})

it('shows the mark only when it is asked for, at the lower right', async () => {
  const [plain, marked] = await Promise.all([render(videoRecipe()), render(videoRecipe({ mark: true }))])
  const [a, b] = await Promise.all([frameAt(plain, 5), frameAt(marked, 5)])
  expect(distance(a, b, 480, lowerRight)).toBeGreaterThan(2)
  // With the hidden rows of the mark the picture is divided into other tiles, and coded a little differently.
  expect(distance(a, b, 480, { ...whole, bottom: 0.7 })).toBeLessThan(0.5)
  expect(distance(a, b, 480, { ...whole, right: 0.5 })).toBeLessThan(0.5)
})

it('shows references, and a stand-in for a file that cannot be drawn', async () => {
  const files = await Promise.all(
    [[], ['a1'], ['broken'], ['missing']].map(references => render(videoRecipe({ references }))),
  )
  const frames = await Promise.all(files.map(file => frameAt(file, 0)))
  const [none, drawn, broken, missing] = frames as [Buffer, Buffer, Buffer, Buffer]
  // They are small, and next to the caption.
  const upper = { ...whole, bottom: 0.4 }
  for (const shown of [drawn, broken, missing]) expect(distance(none, shown, 480, upper)).toBeGreaterThan(0.5)
  expect(distance(drawn, broken, 480, upper)).toBeGreaterThan(0.5)
})

it('encodes every picture when the encoder’s pictures cannot be rearranged', async () => {
  const ffmpeg = await wrapper(
    'cabac',
    `for a; do shift; set -- "$@" "$(echo "$a" | sed s/cabac=0/cabac=1/)"; done`,
  )
  const recipe = videoRecipe({ audio: 'mono', frames: 50 })
  const [file, expected] = [join(folder, 'plain.mp4'), await render(recipe)]
  await renderVideo(recipe, { ...sources, ffmpeg }, file)
  const { streams, seconds } = await probe(file)
  expect(seconds).toBeCloseTo(50 / 24, 5)
  expect(streams[0]).toMatchObject({ nb_read_frames: '50', avg_frame_rate: '24/1', duration: '2.083333' })
  expect((await readFile(file)).equals(await readFile(expected))).toBe(false)
  expect(distance(await frameAt(file, 49), await frameAt(expected, 49), recipe.width)).toBeLessThan(2)
})

it('encodes HEVC where ffmpeg can', async () => {
  const { can } = await findFfmpeg()
  const file = await render(videoRecipe({ codec: 'hevc', audio: 'mono', width: 320, height: 240 }))
  const { streams } = await probe(file)
  const expected = can.libx265
    ? { codec_name: 'hevc', codec_tag_string: 'hvc1', pix_fmt: 'yuv420p10le' }
    : { codec_name: 'h264' }
  expect(streams[0]).toMatchObject({ ...expected, nb_read_frames: '31', duration: '1.291667' })
})

it('contains the true bit rates of its sound', async () => {
  const recipe = videoRecipe({ audio: 'stereo', frames: 120 })
  const bytes = await readFile(await render(recipe))
  // No buffer size, then the most in a second and the average (ISO/IEC 14496-12, 8.5.2).
  const at = bytes.lastIndexOf('btrt')
  const [peak, average] = [bytes.readUInt32BE(at + 8), bytes.readUInt32BE(at + 12)]
  // The sound is the last track; `stsz` has the size of each of its pieces of 1,024 samples.
  const sizes = bytes.subarray(bytes.lastIndexOf('stsz') + 12)
  const count = sizes.readUInt32BE(0)
  const total = Array.from({ length: count }, (_, i) => sizes.readUInt32BE(4 + 4 * i)).reduce((a, b) => a + b)
  expect(average / ((total * 8 * 48_000) / (count * 1024))).toBeCloseTo(1, 2)
  expect(peak).toBeGreaterThanOrEqual(average)
})

it('kills the encoder and leaves no file behind when it is aborted', async () => {
  const pids = join(folder, 'pids')
  const ffmpeg = await wrapper(
    'hanging',
    `case "$*" in *rawvideo*) echo $$ >> '${pids}'; exec cat >/dev/null 2>&1 ;; esac`,
  )
  const stop = new AbortController()
  const before = await readdir(folder)
  const recipe = videoRecipe({ width: 1280, height: 720, frames: 24_000 })
  const rendering = render(recipe, { ...sources, ffmpeg, signal: stop.signal })
  const outcome = expect(rendering).rejects.toThrow('enough')
  const started = await vi.waitFor(
    async () => (await readFile(pids, 'utf8')).trim().split('\n').map(Number),
    30_000,
  )
  stop.abort(new Error('enough'))
  await outcome
  for (const pid of started)
    await vi.waitFor(() => expect(() => process.kill(pid, 0)).toThrow('ESRCH'), 30_000)
  expect((await readdir(folder)).filter(name => !before.includes(name))).toEqual(['pids'])
})

it('does not start when it was aborted before', async () => {
  const signal = AbortSignal.abort(new Error('never'))
  await expect(render(videoRecipe(), { ...sources, signal })).rejects.toThrow('never')
})

it('gives ffmpeg’s message when it fails, and leaves no file behind', async () => {
  const ffmpeg = await wrapper(
    'failing',
    `case "$*" in *rawvideo*) echo 'no room for pictures' >&2; exit 1 ;; esac`,
  )
  const before = await readdir(folder)
  const rendering = render(videoRecipe({ audio: 'mono' }), { ...sources, ffmpeg })
  await expect(rendering).rejects.toThrow('no room for pictures')
  expect(await readdir(folder)).toEqual(before)
})

it('refuses a size that the pictures of a video cannot have', async () => {
  await expect(render(videoRecipe({ width: 481 }))).rejects.toThrow('481x272')
})

let files = 0

async function render(recipe: VideoRecipe, from = sources): Promise<string> {
  const file = join(folder, `${++files}.${recipe.container}`)
  await renderVideo(recipe, from, file)
  return file
}

function drawing(dark: string, light: string): Promise<Buffer> {
  const shapes = `<rect width="300" height="200" fill="${light}"/><circle cx="90" cy="80" r="60" fill="${dark}"/>`
  return svgPicture(shapes, { width: 300, height: 200 }).jpeg().toBuffer()
}

async function fitted(digest: string, { width, height }: VideoRecipe): Promise<Buffer> {
  return await sharp(pictures.get(digest)).resize(width, height).removeAlpha().raw().toBuffer()
}

/** A program that does something first and then, unless that ended it, runs the real ffmpeg. */
async function wrapper(name: string, first: string): Promise<Tool> {
  const file = join(folder, name)
  const { path } = await findFfmpeg(process.env.FFMPEG_PATH)
  await writeFile(file, `#!/bin/sh\n${first}\nexec '${path}' "$@"\n`)
  await chmod(file, 0o755)
  return await findFfmpeg(file)
}
