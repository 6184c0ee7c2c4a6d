/**
 * How long it takes to render a video from nothing, against the time the same ffmpeg needs to encode a test picture of
 * the same size and length. A worker renders, as in the server. Kept between renderings are what the server keeps: the worker with its
 * libraries and fonts, the coded tunes, and an ffmpeg that the worker starts for the next video after it has answered. Each size has six renderings that are not counted.
 * Run with: node --import tsx test/bench/render.ts [runs]
 */
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { VideoRecipe } from '../../src/media/recipe.ts'
import { findFfmpeg } from '../../src/media/tools.ts'
import { createWorkerPool } from '../../src/media/workers/pool.ts'

interface Case {
  name: string
  width: number
  height: number
  seconds: number
  /** The longest time for rendering, as a part of the time for plain encoding. */
  aim?: number
}

const cases: readonly Case[] = [
  { name: '720p 5 s', width: 1280, height: 720, seconds: 5, aim: 20 },
  { name: '1080p 10 s', width: 1920, height: 1080, seconds: 10 },
  { name: '4k 15 s', width: 3840, height: 2160, seconds: 15, aim: 60 },
]

const warmUps = 6
const runs = Number(process.argv[2] ?? 7)
const folder = await mkdtemp(join(tmpdir(), 'render-bench-'))
/** As in the server, which asks the program once what it can do. */
const ffmpeg = await findFfmpeg(process.env.FFMPEG_PATH)
const pool = createWorkerPool({ renders: 1, idleMs: 60_000 })
console.log(`ffmpeg ${ffmpeg.version}, median of ${runs} renderings by a worker`)
try {
  await render(recipe(cases[0] as Case, 0), join(folder, 'first.mp4')) // starts the worker, loads fonts and libraries
  for (const item of cases) await compare(item)
} finally {
  await pool.close()
  await rm(folder, { recursive: true })
}

/** Both kinds in turn, so that a machine busy with something else slows down both. */
async function compare(item: Case): Promise<void> {
  const file = join(folder, 'out.mp4')
  const times: number[] = []
  const plainTimes: number[] = []
  // Encodes its tune, and compiles what a server has compiled after some videos.
  for (let run = 0; run < warmUps; run++) await render(recipe(item, run), file)
  const before = processorMs()
  for (let run = 1; run <= runs; run++) {
    times.push(await timed(() => render(recipe(item, run), file)))
    if (run % 3 === 2) plainTimes.push(await timed(() => encodePlainly(item)))
  }
  const [ours, plain] = [median(times), median(plainTimes)]
  const used = (processorMs() - before) / runs
  const bytes = (await stat(file)).size
  const aim = item.aim ? ` (aim 1/${item.aim})` : ''
  console.log(
    `${item.name.padEnd(11)} ${ours.toFixed(0).padStart(5)} ms, ${(bytes / 1e6).toFixed(2)} MB; ` +
      `plain ${plain.toFixed(0)} ms; 1/${(plain / ours).toFixed(1)}${aim}; ` +
      `${used.toFixed(0)} ms of processor time`,
  )
}

function median(values: number[]): number {
  return values.sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN
}

async function encodePlainly({ width, height, seconds }: Case): Promise<void> {
  const pictures = ['-f', 'lavfi', '-i', `testsrc2=size=${width}x${height}:rate=24`]
  const sound = ['-f', 'lavfi', '-i', 'sine', '-t', String(seconds)]
  const coding = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-c:a', 'aac', '-ac', '1']
  const file = join(folder, 'plain.mp4')
  await promisify(execFile)(ffmpeg.path, ['-v', 'error', ...pictures, ...sound, ...coding, '-y', file])
}

async function timed(run: () => Promise<void>): Promise<number> {
  const start = performance.now()
  await run()
  return performance.now() - start
}

async function render(recipe: VideoRecipe, file: string): Promise<void> {
  await pool.run({ kind: 'render', recipe, file, kept: folder, ffmpeg })
}

/** The processor time of the worker and of every ffmpeg that it has started and that has ended. */
function processorMs(): number {
  const msPerTick = 10
  const ticks = pool.pids().flatMap(pid => {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
    return fields.slice(11, 15).map(Number)
  })
  return ticks.reduce((sum, each) => sum + each, 0) * msPerTick
}

function recipe({ width, height, seconds, name }: Case, seed: number): VideoRecipe {
  const prompt = 'A corgi in sunglasses rides a skateboard along the seafront at sunset, cinematic'
  return {
    kind: 'video',
    width,
    height,
    frames: seconds * 24,
    fps: 24,
    container: 'mp4',
    codec: 'h264',
    audio: 'mono',
    mark: true,
    seed,
    prompt,
    caption: { title: `bench-${seed}`, facts: [name, `${width}x${height}`] },
  }
}
