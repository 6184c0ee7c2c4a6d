import { paper } from '../drawing/palette.ts'
import { svg } from '../drawing/svg.ts'
import { editLookOf } from '../images/edit-look.ts'
import { editWords } from '../images/edit-words.ts'
import { readRemoval } from '../images/removal-words.ts'
import { weatherSvg } from '../images/weather.ts'
import { loadSharp } from '../load-sharp.ts'
import type { VideoRecipe } from '../recipe.ts'

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
  const { data, info } = await editLookOf(words, seed)(fitted).raw().toBuffer({ resolveWithObject: true })
  const air = svg({ width, height }, weatherSvg(words, { left: 0, top: 0, width, height }, seed))
  const raw = { width, height, channels: info.channels }
  return await sharp(data, { raw })
    .composite([{ input: Buffer.from(air) }])
    .png({ compressionLevel: 1 })
    .toBuffer()
}
