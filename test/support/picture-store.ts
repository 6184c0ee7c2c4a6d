import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { digestOf } from '../../src/media/files/kept-files.ts'
import { examine } from '../../src/media/inputs/examine.ts'
import type { PictureStore } from '../../src/media/inputs/prepare-input.ts'

/**
 * A store that keeps pictures in a map and measures files in this process. Without the path of ffmpeg, videos have no posters.
 */
export function pictureStore(kept: Map<string, Buffer>, ffmpeg?: string): PictureStore {
  const keep = (bytes: Buffer) => {
    const digest = digestOf(bytes)
    kept.set(digest, bytes)
    return digest
  }
  return {
    hasKept: async digest => kept.has(digest),
    async examine(given) {
      const folder = await mkdtemp(join(tmpdir(), 'picture-store-'))
      try {
        const file = join(folder, 'input')
        await writeFile(file, given.bytes)
        const { poster, lastPoster, sound, measured } = await examine({
          ...given,
          file,
          ...(ffmpeg && { ffmpeg }),
        })
        return {
          measured,
          ...(poster && { poster: keep(poster) }),
          ...(lastPoster && { lastPoster: keep(lastPoster) }),
          ...(sound && { sound: keep(sound) }),
        }
      } finally {
        await rm(folder, { recursive: true })
      }
    },
  }
}
