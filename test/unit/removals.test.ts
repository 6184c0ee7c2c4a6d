import { readFileSync } from 'node:fs'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { readRemoval } from '../../src/media/images/edit-look.ts'
import type { ImageRecipe } from '../../src/media/render/recipe.ts'
import { renderImage } from '../../src/media/render/render-recipe.ts'
import { pictureRecipe } from '../support/pool-jobs.ts'
import { svgPicture } from '../support/svg-picture.ts'

const [width, height] = [480, 320]

describe('an edit that removes something', () => {
  it.each([
    ['remove the thing on the left', { disc: false, box: true }],
    ['remove the blue box', { disc: true, box: false }],
    ['erase the person', { disc: true, box: false }],
    ['delete everything', { disc: false, box: false }],
  ])('"%s" takes out what the prompt means, and fills its place', async (prompt, seen) => {
    expect(thingsIn(await edited({ prompt }))).toEqual({ ...seen, sky: true })
  })

  it('takes out what a point of the prompt lies on', async () => {
    const at = await edited({ prompt: 'remove this', places: [pointAt(250, 500)] })
    expect(thingsIn(at)).toEqual({ disc: false, box: true, sky: true })
  })

  it('"remove the background" leaves the things on white, or on nothing where transparency is asked for', async () => {
    const white = await edited({ prompt: 'remove the background' })
    expect(thingsIn(white)).toEqual({ disc: true, box: true, sky: false })
    expect(white(240, 150)).toEqual([255, 255, 255, 255])
    const clear = await edited({ prompt: 'remove the background', transparent: true })
    expect(clear(240, 150)[3]).toBe(0)
    expect(thingsIn(clear)).toEqual({ disc: true, box: true, sky: false })
  })

  it('changes colours too when another sentence asks for it', async () => {
    const at = await edited({ prompt: 'remove everything, make it black and white' })
    const [red = 0, green = 0, blue = 0] = at(240, 150)
    expect(Math.max(red, green, blue) - Math.min(red, green, blue)).toBeLessThan(8)
  })

  it.each(['remove the thing at the top', 'erase the text', 'do not remove anything'])(
    '"%s" is an edit like any other when there is nothing to remove',
    async prompt => {
      const at = await edited({ prompt })
      // Things stay, in other colours.
      expect(away(at(120, 160), at(240, 160))).toBeGreaterThan(60)
      expect(at(240, 160)).not.toEqual([...sky, 255])
    },
  )
})

/** Prompts with `|` between them, all of the same meaning. */
const removals: readonly (readonly [prompts: string, removal: object])[] = [
  [
    'remove the background|elimina el fondo|rimuovi lo sfondo|xóa nền|αφαίρεσε το φόντο|배경 제거|احذف الخلفية|הסר את הרקע|पृष्ठभूमि हटाओ|ลบพื้นหลัง',
    { target: 'background', sides: [] },
  ],
  ['take away the background objects', { target: 'behind', sides: [] }],
  ['erase all the text', { target: 'text', sides: [] }],
  ['Entferne die Person links|左側の人を消して', { sides: ['left'] }],
  ['supprime la personne à droite|удали человека справа|删除右边的人', { sides: ['right'] }],
  ['remova o objeto em cima', { sides: ['top'] }],
]

it.each(
  removals.flatMap(([prompts, removal]) => prompts.split('|').map(prompt => [prompt, removal] as const)),
)('"%s" is understood as a removal', (prompt, removal) => {
  expect(readRemoval(prompt).removal).toEqual(removal)
})

it.each(['make it night', 'a quite dark picture', 'never remove the logo', 'ein weit entfernter Berg'])(
  '"%s" removes nothing',
  prompt => {
    expect(readRemoval(prompt)).toEqual({ rest: prompt })
  },
)

it('a box of a prompt is emptied whole, also where nothing else tells things apart', async () => {
  const places = [{ input: 0, left: 150, top: 330, right: 350, bottom: 670 }]
  const at = await edited({ prompt: 'remove this', places })
  expect(thingsIn(at)).toEqual({ disc: false, box: true, sky: true })
})

it.each(['cup', 'photographer', 'rocket', 'coins', 'cat', 'astronaut'])(
  'words alone remove nothing from a photograph (%s)',
  async name => {
    // Only the words on the plate differ.
    expect(await changedBy('remove', { name })).toBeLessThan(0.01)
  },
)

it.each([
  ['cat', 500, 500],
  ['cup', 615, 700],
  ['rocket', 500, 400],
  ['astronaut', 450, 700],
])('a point on a large thing of a photograph only marks it (%s)', async (name, x, y) => {
  expect(await changedBy('remove', { name, places: [pointAt(x, y)] })).toBeLessThan(0.01)
})

it('a point on a small thing of a photograph removes it', async () => {
  // The rest is an edit that leaves the colours as they are.
  expect(await changedBy('remove', { name: 'coins', places: [pointAt(110, 170)] })).toBeGreaterThan(0.3)
})

const pointAt = (x: number, y: number) => ({ input: 0, left: x, top: y, right: x, bottom: y })

/** The part of the bytes that differ between an edit of a photograph with this verb and one that only improves it. */
async function changedBy(
  verb: string,
  { name, places = [] }: { name: string; places?: ImageRecipe['places'] },
): Promise<number> {
  const given = readFileSync(new URL(`../data/photographs/${name}.jpg`, import.meta.url))
  const pixels = async (prompt: string) =>
    await sharp(await renderImage(recipeOf({ prompt, places }), { kept: async () => given }))
      .raw()
      .toBuffer()
  const [one, two] = await Promise.all([pixels(`${verb} everything`), pixels('improve everything')])
  return one.filter((value, i) => Math.abs(value - (two[i] ?? 0)) > 8).length / one.length
}

type At = (x: number, y: number) => number[]

const [red, blue, sky] = [
  [214, 48, 42],
  [36, 71, 168],
  [190, 214, 232],
]

/** Whether the disc, the box and the sky between them have their colours. */
function thingsIn(at: At) {
  const isLike = (x: number, y: number, colour: readonly number[] = []) => away(at(x, y), colour) < 40
  return { disc: isLike(120, 160, red), box: isLike(350, 160, blue), sky: isLike(240, 150, sky) }
}

function away(a: readonly number[], b: readonly number[]): number {
  return Math.max(...[0, 1, 2].map(i => Math.abs((a[i] ?? 0) - (b[i] ?? 0))))
}

async function edited(more: Partial<ImageRecipe>): Promise<At> {
  const things = `<rect width="100%" height="100%" fill="rgb(${sky})"/><circle cx="120" cy="160" r="46" fill="rgb(${red})"/>
    <rect x="300" y="100" width="100" height="130" fill="rgb(${blue})"/>`
  const given = await svgPicture(things, { width, height }).jpeg({ quality: 85 }).toBuffer()
  const bytes = await sharp(await renderImage(recipeOf(more), { kept: async () => given }))
    .ensureAlpha()
    .raw()
    .toBuffer()
  return (x, y) => [...bytes.subarray((y * width + x) * 4, (y * width + x) * 4 + 4)]
}

function recipeOf(more: Partial<ImageRecipe>): ImageRecipe {
  const inputs = [{ picture: 'given', widthPx: width, heightPx: height, format: 'jpeg' }]
  return pictureRecipe({ width, height, mark: false, seed: 3, prompt: '', inputs, ...more })
}
