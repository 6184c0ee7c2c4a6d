import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { svg } from '../../src/media/drawing/svg.ts'
import { composePicture, renderImage } from '../../src/media/render/render-recipe.ts'
import { settings } from '../../src/media/scenes/scene.ts'
import { type ScenePlace, wordTables } from '../../src/media/scenes/words/lexicon.ts'
import { pictureRecipe } from '../support/pool-jobs.ts'

const shapes = [
  [1280, 720],
  [720, 1280],
  [1024, 1024],
  [2520, 1080],
  [1728, 1296],
  [3840, 240],
  [240, 3840],
] as const

const story =
  'while the camera moves in slowly, the wind is in the grass and a choir sings, handheld, in one take, '

const lengths: Readonly<Record<string, string>> = {
  short: '',
  long: story.repeat(3),
  'too long': story.repeat(40),
  'of many lines': '\n- and\n- one\n- more\n- line'.repeat(8),
}

/** One word of each subject. */
const subjects = wordTables
  .subjects()
  .rows.map(({ is, words }) => [is, words.split(' ')[0]?.replace(/[*+]/, '') ?? ''] as const)
const places = Object.keys(settings) as ScenePlace[]

const recipeOf = (prompt: string, [width, height]: readonly [number, number]) =>
  pictureRecipe({ width, height, seed: 3, prompt })

/** The pixels of some rows of a picture. */
async function rowsOf(
  picture: Buffer,
  width: number,
  { top, bottom }: { top: number; bottom: number },
): Promise<Buffer> {
  return sharp(picture)
    .extract({ left: 0, top, width, height: bottom - top })
    .removeAlpha()
    .raw()
    .toBuffer()
}

describe('the caption of a drawn picture', () => {
  it.each(Object.keys(lengths))('never covers the subject: %s prompts, every subject and shape', length => {
    for (const [kind, word] of subjects)
      for (const shape of shapes) {
        const { scene, caption } = composePicture(recipeOf(`${word} ${lengths[length]}`, shape))
        const { top, bottom } = scene.subject ?? { top: 0, bottom: 0 }
        expect(scene.subject, `${kind} at ${shape}`).toBeDefined()
        expect(top, `${kind} at ${shape}`).toBeGreaterThanOrEqual(0)
        expect(bottom, `${kind} at ${shape}`).toBeLessThan(caption.top)
      }
  })

  const words: Record<string, string> = { studio: 'product', interior: 'room', clouds: 'sky' }
  const inPlaces = places.map(
    place => [`a robot, ${words[place] ?? place}. ${story.repeat(3)}`, [960, 540]] as const,
  )
  it.each([
    ...inPlaces,
    // These reach into the lowest tenth of the scene by a row or two.
    ['a bicycle', [1280, 720]],
    [`a bicycle ${'while the camera moves in slowly '.repeat(8)}`, [512, 512]],
  ] as const)('leaves each pixel of a subject as it is drawn: %s', async (prompt, shape) => {
    const recipe = recipeOf(prompt, shape)
    const { scene } = composePicture(recipe)
    const { top = 0, bottom = 0 } = scene.subject ?? {}
    const rows = { top: Math.floor(top), bottom: Math.floor(bottom) }
    const alone = Buffer.from(svg(recipe, scene.svg))
    const whole = await renderImage(recipe, { kept: async () => undefined })
    expect(rows.bottom - rows.top).toBeGreaterThan(60)
    const [width] = shape
    expect((await rowsOf(whole, width, rows)).equals(await rowsOf(alone, width, rows))).toBe(true)
  })

  it('leaves the scene at least 58 % of the height, however long the prompt is', () => {
    for (const shape of shapes) {
      const { sceneHeight } = composePicture(recipeOf(lengths['too long'] ?? '', shape))
      expect(sceneHeight / shape[1], `${shape}`).toBeGreaterThan(0.58)
    }
  })
})
