/**
 * Draws the three sheets that the README shows, into docs/screenshots: scenes, scripts and modes.
 * Run with: node --import tsx build/pictures/contact-sheets.ts
 */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import sharp, { type OverlayOptions } from 'sharp'
import { decompose } from '../../src/media/layers/decompose.ts'
import type { ImageRecipe } from '../../src/media/render/recipe.ts'
import { renderImage } from '../../src/media/render/render-recipe.ts'
import { drawScene, sceneWords } from '../../src/media/scenes/scene.ts'

const tile = { width: 272, height: 153 }
const gap = 6

const sizes: Record<string, { widthPx: number; heightPx: number }> = {
  'landscape.jpg': { widthPx: 1280, heightPx: 720 },
  'square.png': { widthPx: 1024, heightPx: 1024 },
  'portrait.jpg': { widthPx: 720, heightPx: 1280 },
}

const scenePrompts = [
  'mountains in the morning',
  'a lake in the evening',
  'a boat on the sea at noon',
  'the city at night',
  'a deer in the forest, morning',
  'an elephant in the desert at noon',
  'a horse in a field in spring, morning',
  'a snowy village at night',
  'an astronaut in space, noon',
  'a fish under water, noon',
  'a balloon above the clouds, evening',
  'a cat on a sofa, noon',
  'portrait of a woman, noon',
  'perfume, product shot, noon',
  'a red car in the city in the evening',
  'a fox in the forest in autumn, evening',
  'a dog on the beach in the evening',
  'a panda in the mountains, spring morning',
  'a purple desert at night',
  'a house by the lake in winter, noon',
  'a castle in autumn, morning',
  'a train in the mountains in winter, noon',
  'a robot in the studio, noon',
  'a temple by the lake, spring morning',
]

const scriptPrompts = [
  'A sailing boat on a calm sea',
  '夕焼けの海と白い船',
  '夜晚的城市，霓虹灯闪烁',
  'Рыжая кошка спит на диване',
  'Ένα λευκό σπίτι δίπλα στη θάλασσα',
  'قطة تنام على الأريكة',
  'חתול ישן על הספה',
  'एक नीला पक्षी आकाश में',
  'แมวบนโซฟา',
  '고양이가 소파에 앉아 있다',
  'Một con mèo trên ghế sofa 🐈',
  'Łódź, žluťoučký kůň, ñandú',
]

await save(
  'scenes',
  3,
  scenePrompts.map((prompt, seed) => scene(prompt, seed + 1)),
)
await save(
  'scripts',
  3,
  scriptPrompts.map((prompt, seed) => picture({ prompt, seed: seed + 3 })),
)
await save('modes', 3, [
  sample('landscape.jpg'),
  picture({ prompt: 'make it night', inputs: ['landscape.jpg'] }),
  picture({ prompt: 'in winter', inputs: ['landscape.jpg'] }),
  picture({ prompt: 'autumn evening', inputs: ['landscape.jpg'] }),
  picture({ prompt: 'make it green', inputs: ['landscape.jpg'] }),
  picture({ prompt: 'all three on one table', inputs: ['landscape.jpg', 'square.png', 'portrait.jpg'] }),
  sample('layered.png'),
  ...(await layers()),
])

async function scene(prompt: string, seed: number): Promise<Buffer> {
  const { svg } = drawScene({ words: sceneWords(prompt, seed), seed, width: 1280, height: 720, margin: 0 })
  return sharp(Buffer.from(svg)).png().toBuffer()
}

function picture({
  prompt,
  seed = 5,
  inputs = [],
}: {
  prompt: string
  seed?: number
  inputs?: string[]
}): Promise<Buffer> {
  const recipe: ImageRecipe = {
    kind: 'image',
    width: 960,
    height: 540,
    format: 'png',
    transparent: false,
    mark: false,
    seed,
    prompt,
    inputs: inputs.map(name => ({
      picture: name,
      format: 'png',
      ...(sizes[name] ?? { widthPx: 1024, heightPx: 1024 }),
    })),
    places: [],
  }
  return renderImage(recipe, { kept: async name => read(name) })
}

async function layers(): Promise<Promise<Buffer>[]> {
  const size = { width: 1024, height: 1024 }
  const { base, layers } = await decompose(() => sharp(read('layered.png')), {
    ...size,
    format: 'png',
    mark: false,
  })
  const apart = layers.map(({ png, box: [left, top] }) => ({ input: png, left, top }))
  const empty = sharp({ create: { ...size, channels: 4, background: '#dfe3ea' } })
  return [Promise.resolve(base), empty.composite(apart).png().toBuffer()]
}

async function sample(name: string): Promise<Buffer> {
  return read(name)
}

function read(name: string): Buffer {
  return readFileSync(new URL(`../../fixtures/media/samples/${name}`, import.meta.url))
}

/** Lays pictures out in columns and saves them as one WebP. */
async function save(name: string, columns: number, pictures: readonly Promise<Buffer>[]): Promise<void> {
  const placed: OverlayOptions[] = []
  for (const [i, drawn] of pictures.entries())
    placed.push({
      input: await sharp(await drawn)
        .resize({ ...tile, fit: 'contain', background: '#ffffff' })
        .png()
        .toBuffer(),
      left: (i % columns) * (tile.width + gap),
      top: Math.floor(i / columns) * (tile.height + gap),
    })
  const rows = Math.ceil(pictures.length / columns)
  const [width, height] = [columns * (tile.width + gap) - gap, rows * (tile.height + gap) - gap]
  const file = fileURLToPath(new URL(`../../docs/screenshots/${name}.webp`, import.meta.url))
  await sharp({ create: { width, height, channels: 3, background: '#ffffff' } })
    .composite(placed)
    .webp({ quality: 62, effort: 6 })
    .toFile(file)
}
