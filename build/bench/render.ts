/**
 * How long it takes to render a video from nothing, against two things that the same ffmpeg does at the same size and length in the same
 * run: it moves, letters and codes the same scene with one filter graph, and it codes a test picture. The scene's picture and the tune are
 * made for the filter graph before its time is taken; the renderings draw theirs anew. A worker renders, as in the server. Kept between renderings are what the server keeps: the worker with its
 * libraries and fonts, the coded tunes, and an ffmpeg that the worker starts for the next video after it has answered. Each size has six renderings that are not counted.
 * Run with: node --import tsx build/bench/render.ts [runs]
 */
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import sharp from 'sharp'
import { fixturePath } from '../../src/emulator/package/files.ts'
import type { VideoRecipe } from '../../src/media/render/recipe.ts'
import { findFfmpeg } from '../../src/media/render/tools.ts'
import { drawScene, sceneWords } from '../../src/media/scenes/scene.ts'
import { marginPx, reachPx } from '../../src/media/video/coded-picture.ts'
import { swingSeconds } from '../../src/media/video/timeline.ts'
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
  { name: '720p, 5 s', width: 1280, height: 720, seconds: 5, aim: 20 },
  { name: '1080p, 10 s', width: 1920, height: 1080, seconds: 10 },
  { name: '4k, 15 s', width: 3840, height: 2160, seconds: 15, aim: 60 },
]

const warmUps = 6
const runs = Number(process.argv[2] ?? 7)
const folder = await mkdtemp(join(tmpdir(), 'render-bench-'))
/** As in the server, which asks the program once what it can do. */
const ffmpeg = await findFfmpeg(process.env.FFMPEG_PATH)
const pool = createWorkerPool({ renders: 1, idleMs: 3_600_000 })
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
  const [ours, graphed, plain]: [Cost[], Cost[], Cost[]] = [[], [], []]
  const graph = await filterGraph(item)
  // Encodes its tune, and compiles what a server has compiled after some videos.
  for (let run = 0; run < warmUps; run++) await render(recipe(item, run), file)
  for (let run = 1; run <= runs; run++) {
    ours.push(await costOf(() => render(recipe(item, run), file), workerMs))
    if (run % 3 !== 2) continue
    graphed.push(await costOf(() => runGraph(item, graph), childrenMs))
    plain.push(await costOf(() => encodePlainly(item), childrenMs))
  }
  const aim = item.aim ? ` (aim 1/${item.aim})` : ''
  const bytes = (await stat(file)).size
  console.log(`${item.name.padEnd(11)} ${inWords(ours)}, ${(bytes / 1e6).toFixed(2)} MB`)
  console.log(`  the same scene by a filter graph: ${inWords(graphed)}: ${ratio(graphed, ours)}`)
  console.log(`  testsrc2: ${inWords(plain)}: ${ratio(plain, ours)}${aim}`)
  const [own, ...others] = [ours, graphed, plain].map(costs => inUnit(middle(costs)))
  const cells = [graphed, plain].map((costs, at) => `${others[at]} (${ratio(costs, ours)})`)
  console.log(`| ${item.name} | ${own} | ${cells.join(' | ')} |`)
}

/** Milliseconds that pass, and milliseconds of processor time. The latter depends less on what else the machine does. */
interface Cost {
  wall: number
  cpu: number
}

async function costOf(run: () => Promise<void>, cpuMs: () => number): Promise<Cost> {
  const [start, before] = [performance.now(), cpuMs()]
  await run()
  return { wall: performance.now() - start, cpu: cpuMs() - before }
}

function middle(costs: readonly Cost[]): number {
  return median(costs.map(({ wall }) => wall))
}

function mean(costs: readonly Cost[]): number {
  return costs.reduce((sum, { cpu }) => sum + cpu, 0) / costs.length
}

function inWords(costs: readonly Cost[]): string {
  return `${middle(costs).toFixed(0)} ms, ${mean(costs).toFixed(0)} ms of processor time`
}

function inUnit(ms: number): string {
  return ms < 1000 ? `${ms.toFixed(0)} ms` : `${(ms / 1000).toFixed(1)} s`
}

function ratio(other: readonly Cost[], ours: readonly Cost[]): string {
  const [wall, cpu] = [middle(other) / middle(ours), mean(other) / mean(ours)]
  return `1/${wall.toFixed(1)}, processor time 1/${cpu.toFixed(1)}`
}

function median(values: number[]): number {
  return values.sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN
}

/** A filter graph that moves the bands of the scene as the renderings do, and writes caption and time code over them. */
async function filterGraph(item: Case): Promise<string[]> {
  const { width, height } = item
  const { prompt, seed, caption } = recipe(item, 1)
  const margin = marginPx(width)
  const scene = drawScene({ words: sceneWords(prompt, seed), seed, width, height, margin })
  const picture = join(folder, 'scene.png')
  await sharp(Buffer.from(scene.svg))
    .extract({ left: margin, top: 0, width: width + margin, height })
    .toFile(picture)
  const tops = scene.bands.map(({ top }) => Math.round(top / 2) * 2)
  const bands = scene.bands.map(({ depth }, i) => {
    const top = tops[i] ?? 0
    const x = `${reachPx(width) * depth}*(1-cos(2*PI*t/${swingSeconds}))/2`
    return `[p${i}]crop=${width}:${(tops[i + 1] ?? height) - top}:'${x}':${top}[b${i}]`
  })
  const names = (letter: string) => bands.map((_, i) => `[${letter}${i}]`).join('')
  const letters = `fontfile=${fixturePath('font/latin.ttf')}:fontsize=${Math.round(height / 30)}:fontcolor=white:box=1:boxcolor=black:y=${Math.round(height / 30)}`
  const chain = [
    `[0:v]format=yuv420p,loop=-1:1:0,setpts=N/24/TB,split=${bands.length}${names('p')}`,
    ...bands,
    `${names('b')}vstack=inputs=${bands.length},drawtext=${letters}:x=20:text='${caption.title}',drawtext=${letters}:x=w/2:text='%{pts\\:hms}'[v]`,
  ]
  return [
    '-i',
    picture,
    '-f',
    'lavfi',
    '-i',
    'sine',
    '-filter_complex',
    chain.join(';'),
    '-map',
    '[v]',
    '-map',
    '1:a',
  ]
}

/** Coded with the preset and the quantiser of the renderings. */
async function runGraph({ seconds }: Case, graph: readonly string[]): Promise<void> {
  const coding = [
    '-c:v',
    'libx264',
    '-preset',
    'ultrafast',
    '-qp',
    '21',
    '-pix_fmt',
    'yuv420p',
    '-c:a',
    'aac',
    '-ac',
    '1',
  ]
  const length = ['-r', '24', '-t', String(seconds)]
  await promisify(execFile)(ffmpeg.path, [
    '-v',
    'error',
    ...graph,
    ...coding,
    ...length,
    '-y',
    join(folder, 'graph.mp4'),
  ])
}

async function encodePlainly({ width, height, seconds }: Case): Promise<void> {
  const pictures = ['-f', 'lavfi', '-i', `testsrc2=size=${width}x${height}:rate=24`]
  const sound = ['-f', 'lavfi', '-i', 'sine', '-t', String(seconds)]
  const coding = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-c:a', 'aac', '-ac', '1']
  const file = join(folder, 'plain.mp4')
  await promisify(execFile)(ffmpeg.path, ['-v', 'error', ...pictures, ...sound, ...coding, '-y', file])
}

async function render(recipe: VideoRecipe, file: string): Promise<void> {
  await pool.run({ kind: 'render', recipe, file, kept: folder, ffmpeg })
}

/** The processor time of the worker and of every ffmpeg that it has started and that has ended. */
function workerMs(): number {
  return pool.pids().reduce((sum, pid) => sum + msOf(`${pid}`, [11, 15]), 0)
}

/** The processor time of the programs that this one has started and that have ended. */
function childrenMs(): number {
  return msOf('self', [13, 15])
}

/** A tick of the processor's clock is 10 ms. */
function msOf(process: string, [from, to]: readonly [number, number]): number {
  const fields = readFileSync(`/proc/${process}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return fields
    .slice(from, to)
    .map(Number)
    .reduce((sum, each) => sum + each * 10, 0)
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
