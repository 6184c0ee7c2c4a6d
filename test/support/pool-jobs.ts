import { chmodSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ImageRecipe } from '../../src/media/render/recipe.ts'
import type { Tool } from '../../src/media/render/tools.ts'
import type { WorkerPool } from '../../src/media/workers/pool.ts'

/** A small drawn picture. */
export function pictureRecipe(differences: Partial<ImageRecipe> = {}): ImageRecipe {
  return {
    ...{ kind: 'image', width: 320, height: 200, format: 'png', transparent: false, mark: true, seed: 5 },
    ...{ prompt: 'A boat', inputs: [], places: [] },
    ...differences,
  }
}

/** A program at a path that claims the abilities of ffmpeg. */
export function slowFfmpeg(path: string): Tool {
  const can = { libx264: true, libx265: false, aac: true, mp3: true }
  return { path, source: 'configured', version: '1', can }
}

/** A program in place of ffmpeg that does this; each run leaves its process id in the program's own folder. */
export function countedProgram(folder: string, does: string): { path: string; runs(): number[] } {
  const home = mkdtempSync(join(folder, 'ffmpeg-'))
  const path = join(home, 'ffmpeg')
  writeFileSync(path, `#!/bin/sh\ntouch '${home}'/$$.pid\n${does}\n`)
  chmodSync(path, 0o755)
  const runs = () =>
    readdirSync(home).flatMap(name => (name.endsWith('.pid') ? Number.parseInt(name, 10) : []))
  return { path, runs }
}

/** A pool without workers that does jobs in this way. */
export function poolThat(run: WorkerPool['run'], close = async () => {}): WorkerPool {
  return { run, close, warm: () => undefined, pids: () => [] }
}
