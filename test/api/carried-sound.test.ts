import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { findFfmpeg } from '../../src/media/render/tools.ts'
import { wavOf } from '../../src/media/sound/sounds.ts'
import { avatarPath, motionPath, omniPath, worldOfK } from '../support/family-k.ts'
import { ownFolder } from '../support/folders.ts'
import { openGateway } from '../support/gateway.ts'

const run = promisify(execFile)
const gateway = await openGateway()
const folder = ownFolder('carried-sound')

const rate = 8_000
let files = 0

/** The sound of a file as samples. */
async function soundOf(file: Buffer): Promise<Int16Array> {
  const path = join(folder, `file-${++files}`)
  await writeFile(path, file)
  const { path: ffmpeg } = await findFfmpeg()
  const output = ['-vn', '-ac', '1', '-ar', String(rate), '-f', 's16le', 'pipe:1']
  const { stdout } = await run(ffmpeg, ['-v', 'error', '-i', path, ...output], { encoding: 'buffer' })
  return new Int16Array(stdout.buffer.slice(stdout.byteOffset, stdout.byteOffset + stdout.length))
}

async function soundAt(url: string): Promise<Int16Array> {
  const { status, bytes } = await gateway.download(url)
  expect(status).toBe(200)
  return soundOf(bytes)
}

/** The correlation of two sounds, where both have samples: 1 for equal sounds, 0 for unrelated ones. */
function likeness(a: Int16Array, b: Int16Array): number {
  const length = Math.min(a.length, b.length)
  let [ab, aa, bb] = [0, 0, 0]
  for (let i = 0; i < length; i++) {
    const [x, y] = [a[i] ?? 0, b[i] ?? 0]
    ab += x * y
    aa += x * x
    bb += y * y
  }
  return ab / Math.sqrt(aa * bb)
}

/** A WAV of tones, one each half second. */
function tones(seconds: number): Buffer {
  const samples = new Int16Array(Math.round(seconds * rate))
  for (let i = 0; i < samples.length; i++) {
    const hertz = 300 + 110 * (Math.floor((i * 2) / rate) % 9)
    samples[i] = Math.round(9_000 * Math.sin((2 * Math.PI * hertz * i) / rate))
  }
  return wavOf(samples, rate)
}

async function avatarUrl(sound: Record<string, unknown>): Promise<string> {
  const id = await client.made(avatarPath, { image: client.sample('portrait.jpg'), ...sound })
  await client.advance({ until: 'idle' })
  const { body } = await client.get(`${avatarPath}/${id}`)
  return body.data.task_result.videos[0].url
}

const client = worldOfK(gateway, 'carried-sound')
const sound = tones(3.2)
const source = await avatarUrl({ sound_file: sound.toString('base64') })

it('an avatar speaks with the sound file that was sent', async () => {
  const heard = await soundAt(source)
  expect(heard.length / rate).toBeCloseTo(3.2, 1)
  expect(likeness(heard, await soundOf(sound))).toBeGreaterThan(0.9)
})

it('an avatar that speaks with a voice has sounds like speech and no music', async () => {
  const { voice_id: voice } = await client.voice()
  const heard = await soundAt(await avatarUrl({ audio_id: voice }))
  // Syllables have silence between them; music has not.
  const parts = Array.from({ length: Math.floor(heard.length / 80) }, (_, i) =>
    Math.max(...heard.subarray(i * 80, (i + 1) * 80).map(Math.abs)),
  )
  expect(Math.max(...parts)).toBeGreaterThan(2_000)
  expect(parts.filter(loudest => loudest < 100).length / parts.length).toBeGreaterThan(0.05)
})

/** An omni edit of a video. */
const editOf = (url: string, audio: string) => ({
  contents: [
    { type: 'prompt', text: 'at night' },
    { type: 'base_video', url },
  ],
  settings: { audio, resolution: '720p' },
})
/** A picture that moves like a video, with its sound. */
const motionOf = (url: string) => ({
  contents: [
    { type: 'image', url: client.sample('portrait.jpg') },
    { type: 'video', url },
  ],
  settings: { character_orientation: 'video', audio: 'original' },
})

it.each([
  ['an omni edit', omniPath, editOf(source, 'original')],
  ['motion control', motionPath, motionOf(source)],
] as const)('%s with the original audio sounds like its input video', async (_, path, body) => {
  const item = await client.finished(path, body)
  expect(item.status).toBe('succeeded')
  const heard = await soundAt(item.outputs[0].url)
  expect(likeness(heard, await soundAt(source))).toBeGreaterThan(0.9)
})

it('an input video that was first read for its pictures also gives its sound', async () => {
  const { bytes } = await gateway.download(source)
  await client.finished(omniPath, editOf(source, 'off'))
  const item = await client.finished(omniPath, editOf(source, 'original'))
  expect(likeness(await soundAt(item.outputs[0].url), await soundOf(bytes))).toBeGreaterThan(0.9)
})
