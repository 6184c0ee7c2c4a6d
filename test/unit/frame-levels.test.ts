import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { extractSound } from '../../src/media/inputs/examine.ts'
import { renderVideo } from '../../src/media/render/render-video.ts'
import { findFfmpeg } from '../../src/media/render/tools.ts'
import { pieceSamples, readAdts } from '../../src/media/sound/sounds.ts'
import { frameLevels } from '../../src/media/sound/video-sound.ts'
import { ownFolder } from '../support/folders.ts'
import { frameDigests, videoRecipe } from '../support/video-files.ts'

const run = promisify(execFile)
const tool = await findFfmpeg(process.env.FFMPEG_PATH)
const speech = await extractSound('fixtures/media/samples/speech.mp3', { format: 'mp3' }, tool.path)
const sources = { kept: async () => speech }
const content = 'a'.repeat(64)

const folder = ownFolder('levels-test')

const seconds = (readAdts(speech ?? Buffer.alloc(0)).pieces.length * pieceSamples) / 48_000
const sounds = {
  'a given sound that is cut off': { sound: { kind: 'given', content }, frames: Math.round(seconds * 12) },
  'a given sound that is repeated': { sound: { kind: 'given', content }, frames: Math.round(seconds * 40) },
  'a voice that is repeated': { sound: { kind: 'voice' }, frames: 24 * 10 },
  'a given sound that is lost': { sound: { kind: 'given', content: 'b'.repeat(64) }, frames: 48 },
} as const

describe.each(Object.entries(sounds))('%s', (name, parts) => {
  it('has the level that the sound track has in each frame', async () => {
    const recipe = videoRecipe({ width: 160, height: 128, audio: 'mono', levelBar: true, ...parts })
    const kept = name.includes('lost') ? { kept: async () => undefined } : sources
    const file = join(folder, `${parts.frames}.mp4`)
    await renderVideo(recipe, kept, file)
    expect(await frameDigests(file)).toHaveLength(parts.frames)
    const levels = await frameLevels(recipe, kept, tool)
    expect(Math.max(...levels)).toBe(1)
    expect(Math.min(...levels)).toBeLessThan(0.2)
    const heard = await strengths(file, parts.frames)
    const loudest = Math.max(...heard)
    const wrong = heard.filter((each, i) => Math.abs(Math.sqrt(each / loudest) - (levels[i] ?? 0)) > 0.12)
    expect(wrong.length / heard.length).toBeLessThan(0.05)
  })
})

/** The strength of the sound in each frame of a file with 24 frames a second. */
async function strengths(file: string, frames: number): Promise<number[]> {
  const output = ['-vn', '-ac', '1', '-ar', '48000', '-f', 's16le', 'pipe:1']
  const options = { encoding: 'buffer', maxBuffer: 1 << 26 } as const
  const { stdout } = await run(tool.path, ['-v', 'error', '-i', file, ...output], options)
  return Array.from({ length: frames }, (_, frame) => {
    let sum = 0
    for (let at = frame * 4000; at < (frame + 1) * 4000; at += 2)
      sum += at + 1 < stdout.length ? stdout.readInt16LE(at) ** 2 : 0
    return Math.sqrt(sum / 2000)
  })
}
