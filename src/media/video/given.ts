import { loadSharp } from '../load-sharp.ts'
import type { Digest } from '../recipe.ts'
import { drawScene, sceneWords } from '../scenes/scene.ts'
import type { Sources } from './video-script.ts'

/** A given picture that can be drawn. Files that cannot be read here (BMP, HEIC, broken ones) are replaced by scenes, each by its own. */
export async function openGiven(digest: Digest, sources: Sources): Promise<Buffer> {
  const bytes = await sources.kept(digest)
  if (bytes && (await isDrawable(bytes))) return bytes
  const seed = Number.parseInt(digest.slice(0, 8), 16) || 0
  const { svg } = drawScene({ words: sceneWords('', seed), seed, width: 640, height: 480, margin: 0 })
  const sharp = await loadSharp()
  return await sharp(Buffer.from(svg)).png().toBuffer()
}

async function isDrawable(bytes: Buffer): Promise<boolean> {
  const sharp = await loadSharp()
  try {
    await sharp(bytes).resize(8, 8).raw().toBuffer()
    return true
  } catch {
    // The library cannot read the file. A scene replaces it.
    return false
  }
}
