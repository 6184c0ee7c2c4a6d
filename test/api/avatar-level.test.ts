import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { findFfmpeg } from '../../src/media/render/tools.ts'
import { wavOf } from '../../src/media/sound/sounds.ts'
import { avatarPath, worldOfK } from '../support/family-k.ts'
import { openGateway } from '../support/gateway.ts'
import { fetchedFile } from '../support/video-files.ts'

const run = promisify(execFile)
const gateway = await openGateway()
const client = worldOfK(gateway, 'avatar-level')

const [fps, rate] = [24, 24_000]
const [width, rowBytes] = [1280, 1280 * 16]
/** Rows of macroblocks in the upper part of a picture of 720 lines. */
const upperRows = 12

/** A picture of one colour, so that nothing but caption, time code and level bar can change. */
const { data: plain } = await sharp({
  create: { width, height: 720, channels: 3, background: '#7d8894' },
})
  .png()
  .toBuffer({ resolveWithObject: true })

/** For each frame the loudness of its sound, and the mean brightness of each upper row of macroblocks. */
interface Watched {
  loudness: number[]
  rows: number[][]
}

async function watch(sound: Record<string, unknown>): Promise<Watched> {
  const id = await client.made(avatarPath, { image: plain.toString('base64'), ...sound })
  await client.advance({ until: 'idle' })
  const { body } = await client.get(`${avatarPath}/${id}`)
  const { file: path } = await fetchedFile(gateway, body.data.task_result.videos[0].url)
  const pictures = await decoded(path, ['-vf', `crop=${width}:${upperRows * 16}:0:0`, '-pix_fmt', 'gray'])
  const frames = pictures.length / (rowBytes * upperRows)
  const pcm = await decoded(path, ['-vn', '-ac', '1', '-ar', String(rate), '-f', 's16le'])
  return {
    loudness: Array.from({ length: frames }, (_, frame) => strength(pcm, frame)),
    rows: Array.from({ length: frames }, (_, frame) =>
      Array.from({ length: upperRows }, (_, row) => {
        const from = (frame * upperRows + row) * rowBytes
        return brightness(pictures.subarray(from, from + rowBytes))
      }),
    ),
  }
}

/** Fails when the decoder reports an error. */
async function decoded(path: string, output: string[]): Promise<Buffer> {
  const { path: ffmpeg } = await findFfmpeg()
  const form = output.includes('-vn') ? [] : ['-an', '-f', 'rawvideo']
  const options = ['-v', 'warning', '-err_detect', 'explode', '-i', path, ...output, ...form, 'pipe:1']
  const { stdout, stderr } = await run(ffmpeg, options, { encoding: 'buffer', maxBuffer: 1 << 28 })
  expect(stderr.toString()).toBe('')
  return stdout
}

function strength(pcm: Buffer, frame: number): number {
  const [from, to] = [frame, frame + 1].map(each => Math.round((each * rate) / fps))
  const samples = Array.from({ length: (to ?? 0) - (from ?? 0) }, (_, i) => ((from ?? 0) + i) * 2)
  return Math.sqrt(mean(samples.map(at => (at + 1 < pcm.length ? pcm.readInt16LE(at) : 0) ** 2)))
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

/** The mean of many pixels. A list of their numbers, or an iterator, would take most of the test's time. */
function brightness(pixels: Buffer): number {
  let sum = 0
  for (let i = 0; i < pixels.length; i++) sum += pixels[i] ?? 0
  return sum / pixels.length
}

/** 1 when one grows evenly with the other; 0 when they have nothing in common, or when one never changes. */
function correlation(a: readonly number[], b: readonly number[]): number {
  const [middleA, middleB] = [mean(a), mean(b)]
  const product = (x: readonly number[], y: readonly number[], [dx, dy]: [number, number]) =>
    mean(x.map((value, i) => (value - dx) * ((y[i] ?? 0) - dy)))
  const spread = product(a, a, [middleA, middleA]) * product(b, b, [middleB, middleB])
  return spread === 0 ? 0 : product(a, b, [middleA, middleB]) / Math.sqrt(spread)
}

/** The frames in which the labels are fully visible. */
function labelled<T>(frames: readonly T[]): T[] {
  return frames.slice(fps + 1, -fps - 1)
}

/** How well a row of macroblocks follows the loudness, when the sound is moved by some frames. */
function following({ loudness, rows }: Watched, row: number, later = 0): number {
  const moved = loudness.map((_, frame) => loudness[frame - later] ?? 0)
  return correlation(labelled(rows.map(frame => frame[row] ?? 0)), labelled(moved))
}

function barOf(watched: Watched): number {
  const all = Array.from({ length: upperRows }, (_, row) => following(watched, row))
  return all.indexOf(Math.max(...all))
}

describe('the level bar of an avatar', async () => {
  const { voice_id: voice } = await client.voice()
  const speech = await watch({ sound_file: client.sample('speech.mp3') })
  const spoken = { 'a sound file': speech, 'a voice': await watch({ audio_id: voice }) }

  it.each(Object.entries(spoken))('follows %s, frame by frame', (_, watched) => {
    const bar = barOf(watched)
    expect(following(watched, bar)).toBeGreaterThan(0.9)
    for (const later of [-2, -1, 1, 2])
      expect(following(watched, bar)).toBeGreaterThan(following(watched, bar, later))
  })

  it('is empty in silence', async () => {
    const silent = await watch({ sound_file: wavOf(new Int16Array(4 * rate), rate).toString('base64') })
    const bar = barOf(speech)
    const brightness = labelled(silent.rows.map(rows => rows[bar] ?? 0))
    expect(Math.max(...brightness) - Math.min(...brightness)).toBeLessThan(0.05)
    expect(Math.max(...brightness)).toBeLessThanOrEqual(
      Math.min(...labelled(speech.rows).map(rows => rows[bar] ?? 0)) + 0.5,
    )
  })

  it('leaves the first and the last picture untouched', () => {
    for (const rows of [speech.rows[0] ?? [], speech.rows.at(-1) ?? []])
      expect(Math.max(...rows) - Math.min(...rows)).toBeLessThan(1)
  })
})
