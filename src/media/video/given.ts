import { paper } from '../drawing/colour.ts'
import { svg } from '../drawing/svg.ts'
import { editLookOf } from '../images/edit-look.ts'
import { editWords, readRemoval } from '../images/edit-words.ts'
import { weatherSvg } from '../images/weather.ts'
import { loadSharp, pictureOf, pixelsOf } from '../pixels.ts'
import type { Digest, VideoRecipe } from '../recipe.ts'
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

/**
 * A picture of an edited video with the time of day, the season, the style and the rain that the prompt names. A prompt that names none of
 * them leaves it as it is: the video begins and ends like its source. Colours are left out, since they are mostly those of one thing.
 */
export async function editedPicture(
  picture: Buffer,
  { prompt, seed, width, height }: VideoRecipe,
): Promise<Buffer> {
  const { colour: _, ...words } = editWords(readRemoval(prompt).rest)
  if (Object.keys(words).length === 0) return picture
  const sharp = await loadSharp()
  const fitted = sharp(picture)
    .rotate()
    .resize(width, height, { fit: 'cover' })
    .flatten({ background: paper })
  const changed = await pixelsOf(editLookOf(words, seed)(fitted))
  const air = svg({ width, height }, weatherSvg(words, { left: 0, top: 0, width, height }, seed))
  return await (await pictureOf(changed))
    .composite([{ input: Buffer.from(air) }])
    .png({ compressionLevel: 1 })
    .toBuffer()
}
