/**
 * A program that renders through a pool of its own: `pool-host.ts picture` draws a picture, prints its digest and ends without
 * closing the pool; `pool-host.ts <path of ffmpeg>` begins a video with that program and prints the ids of its workers.
 */
import { mkdtemp, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { digestOf } from '../../src/media/digest-of.ts'
import { createWorkerPool } from '../../src/media/workers/pool.ts'
import { pictureRecipe, slowFfmpeg } from './pool-jobs.ts'
import { videoRecipe } from './video-files.ts'

const [what = 'picture', home = '.'] = process.argv.slice(2)
const pictures = await mkdtemp(join(home, 'pool-host-'))
const pool = createWorkerPool({ renders: 1 })
if (what === 'picture') {
  const file = join(pictures, 'picture.png')
  await pool.run({ kind: 'render', recipe: pictureRecipe(), file, kept: pictures })
  process.stdout.write(digestOf(await readFile(file)))
} else {
  const file = join(pictures, 'video.mp4')
  const running = pool.run({
    kind: 'render',
    recipe: videoRecipe(),
    file,
    kept: pictures,
    ffmpeg: slowFfmpeg(what),
  })
  process.stdout.write(`${pool.pids().join(' ')}\n`)
  await running
}
