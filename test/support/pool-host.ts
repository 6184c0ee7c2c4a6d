/**
 * A program that renders through a pool of its own: `pool-host.ts picture` draws a picture, prints its digest and ends without
 * closing the pool; `pool-host.ts closed` closes it and says so; `pool-host.ts <path of ffmpeg>` begins a sound with that program and prints the ids of its workers.
 */
import { mkdtemp, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { digestOf } from '../../src/media/files/kept-files.ts'
import { createWorkerPool } from '../../src/media/workers/pool.ts'
import { pictureRecipe, slowFfmpeg } from './pool-jobs.ts'

const [what = 'picture', home = '.'] = process.argv.slice(2)
const pictures = await mkdtemp(join(home, 'pool-host-'))
const pool = createWorkerPool({ renders: 1 })
if (what === 'closed') {
  pool.warm()
  await pool.close()
  process.stdout.write('closed')
} else if (what === 'picture') {
  const file = join(pictures, 'picture.png')
  await pool.run({ kind: 'render', recipe: pictureRecipe(), file, kept: pictures })
  process.stdout.write(digestOf(await readFile(file)))
} else {
  const file = join(pictures, 'sound.mp3')
  const running = pool.run({
    kind: 'render',
    recipe: { kind: 'sound', format: 'mp3', seconds: 1, seed: 5 },
    file,
    kept: pictures,
    ffmpeg: slowFfmpeg(what),
  })
  process.stdout.write(`${pool.pids().join(' ')}\n`)
  await running
}
