import sharp, { type Sharp } from 'sharp'
import { describe, expect, it } from 'vitest'
import { layerWords, objectAt } from '../../src/emulator/families/images/layers.ts'
import { decompose } from '../../src/media/layers/decompose.ts'
import { svgPicture } from '../support/svg-picture.ts'

const order = { width: 600, height: 400, format: 'png', mark: false } as const
const svg = (body: string, size = { width: 600, height: 400 }) => svgPicture(body, size)
const pixels = (picture: Sharp) => picture.removeAlpha().raw().toBuffer()
const split = (body: string) => decompose(() => svg(body), order)

/** How many bytes of a base differ visibly from what should be there. */
async function wrongIn(base: Buffer, wanted: string): Promise<number> {
  const [filled, right] = [await pixels(sharp(base)), await pixels(svg(wanted))]
  return filled.filter((value, at) => Math.abs(value - (right[at] ?? 0)) > 12).length
}

/** A sky that goes from dark to light, and a straight horizon; and the same behind an orange disc and a blue square. */
const bare = `<linearGradient id="sky" x2="0" y2="1"><stop offset="0" stop-color="#35608f"/><stop offset="1" stop-color="#cfe6f2"/></linearGradient>
  <rect width="600" height="300" fill="url(#sky)"/><rect y="300" width="600" height="100" fill="#5f9a4a"/>`
const picture = `${bare}<circle cx="180" cy="200" r="70" fill="#f08a24"/><rect x="360" y="220" width="120" height="130" fill="#2447a8"/>`

describe('a picture that is taken apart', () => {
  it('has layers with soft edges that give back the picture exactly over the base', async () => {
    const { base, layers } = await split(picture)
    expect(layers).toHaveLength(2)
    const disc = await sharp(layers[0]?.png).extractChannel(3).raw().toBuffer()
    expect(disc.filter(alpha => alpha > 20 && alpha < 235).length).toBeGreaterThan(100)
    const overlays = layers.map(({ png, box: [left, top] }) => ({ input: png, left, top }))
    const together = await pixels(sharp(base).composite(overlays))
    expect(together.equals(await pixels(svg(picture)))).toBe(true)
  })

  it('leaves no background in the corners of a layer', async () => {
    const large = { ...order, width: 900, height: 700 }
    const bench = `<rect width="900" height="700" fill="#8cc474"/>
      <path d="M200 200H700V260H640V500H580V260H320V500H260V260H200Z" fill="#8a5a2b"/>`
    const { layers } = await decompose(() => svg(bench, large), large)
    expect(layers).toHaveLength(1)
    const seen = await sharp(layers[0]?.png).raw().toBuffer()
    const crumbs = Array.from({ length: seen.length / 4 }, (_, at) => seen.subarray(at * 4, at * 4 + 4))
      // Green is the background: brown has less green than red.
      .filter(([red = 0, green = 0, , alpha = 0]) => alpha > 127 && green > red)
    expect(crumbs).toHaveLength(0)
  })

  it('has a base in which nothing of the objects remains', async () => {
    const { base } = await split(picture)
    const [filled, wanted] = [await pixels(sharp(base)), await pixels(svg(bare))]
    // Behind the square the horizon may be wrong by some rows.
    const wrong = filled.filter(
      (value, at) => Math.abs(Math.floor(at / 1800) - 300) >= 6 && Math.abs(value - (wanted[at] ?? 0)) >= 16,
    )
    expect(wrong).toHaveLength(0)
  })
})

const flat = '<rect width="600" height="400" fill="#2f9e4f"/>'

it.each([
  ['a bar of full height', '<rect x="250" width="60" height="400" fill="#d8402f"/>'],
  ['a bar of full width', '<rect y="180" width="600" height="60" fill="#d8402f"/>'],
  ['a cross from edge to edge', '<path d="M0 180H600V200H0ZM250 0V400H270V0Z" fill="#d8402f"/>'],
])('%s leaves nothing of its colour in the base', async (_, bars) => {
  const { base } = await split(flat + bars)
  const bytes = await pixels(sharp(base))
  const red = Array.from({ length: bytes.length / 3 }, (_, i) => bytes.subarray(i * 3, i * 3 + 3)).filter(
    ([r = 0, g = 0]) => r > g,
  )
  expect(red).toHaveLength(0)
})

describe('a bar from edge to edge', () => {
  const gradient = `<linearGradient id="ground" x2="1" y2="1"><stop stop-color="#22bb88"/><stop offset="1" stop-color="#2288cc"/></linearGradient>
    <rect width="600" height="400" fill="url(#ground)"/>`
  const horizon =
    '<rect width="600" height="200" fill="#88ccff"/><rect y="200" width="600" height="200" fill="#114466"/>'
  const [high, wide] = ['x="250" width="60" height="400"', 'y="170" width="600" height="60"']
  const middle = 'x="170" width="260" height="400"'
  const allBytes = 600 * 400 * 3
  const bar = (place: string) => `<rect ${place} fill="#d8402f"/>`
  const [red, green] = [
    [216, 64, 47],
    [47, 158, 79],
  ]

  it.each([
    ['of full height on flat ground', flat, high],
    ['of full width on flat ground', flat, wide],
    ['of full height on a gradient', gradient, high],
    ['of full width on a gradient', gradient, wide],
    ['larger than each side of a gradient', gradient, middle],
    ['before the sky and the sea', horizon, high],
  ])('%s is the only object, and the ground goes on behind it', async (_, ground, place) => {
    const { base, layers } = await split(ground + bar(place))
    expect(layers.map(({ colour }) => colour)).toEqual([red])
    expect(await wrongIn(base, ground)).toBeLessThan(allBytes / 200)
  })

  it('leaves the ground between two bars in the base', async () => {
    const { layers } = await split(
      flat + bar('x="120" width="60" height="400"') + bar('x="400" width="90" height="400"'),
    )
    expect(layers.map(({ colour }) => colour)).toEqual([red, red])
  })

  it.each([
    ['beside a disc', `${bar(high)}<circle cx="120" cy="200" r="60" fill="#ffdd33"/>`, 2],
    [
      'of which another is behind a disc',
      `${bar(high) + bar('x="90" width="50" height="400"')}<circle cx="115" cy="200" r="70" fill="#ffdd33"/>`,
      2,
    ],
    ['that crosses another', `${bar(high)}<rect y="170" width="600" height="60" fill="#2222cc"/>`, 2],
  ])('%s leaves nothing of itself in the base', async (_, things, most) => {
    const { base, layers } = await split(gradient + things)
    expect(layers.length).toBeLessThanOrEqual(most)
    expect(await wrongIn(base, gradient)).toBeLessThan(allBytes / 200)
  })

  it('between two different halves leaves the larger one in the base and the smaller one as an object', async () => {
    const { layers } = await split(horizon + bar('y="200" width="600" height="60"'))
    expect(layers.map(({ colour }) => colour)).toEqual([red, [17, 68, 102]])
  })

  it('is ground itself when it is larger than both sides together', async () => {
    const { layers } = await split(flat + bar('x="40" width="520" height="400"'))
    expect(layers.map(({ colour }) => colour)).toEqual([green, green])
  })
})

describe('the name of a layer', () => {
  const layer = { box: [0, 0, 100, 100], area: 7854, colour: [240, 145, 50] } as const
  const context = { base: [1000, 1000], known: undefined } as const

  it('is its colour and shape in correct grammar', () => {
    expect(layerWords(layer, { ...context, prompt: 'x' })).toEqual({
      name: 'orange disc',
      description:
        'An orange disc in the upper left of the picture, about 10% of its width and 10% of its height',
    })
    expect(layerWords(layer, { ...context, prompt: '' }).name).toBe('orange disc')
    expect(layerWords(layer, { ...context, prompt: '分层' }).name).toBe('橙色圆形')
  })
})

it.each([
  [10_000, 'square'],
  [9400, 'square'],
  [9200, 'object'],
  [8200, 'disc'],
  [7500, 'disc'],
  [7300, 'object'],
])('a layer that fills %d of its 100 × 100 pixels is called a %s', (area, shape) => {
  const layer = { box: [0, 0, 100, 100], area, colour: [255, 0, 0] } as const
  const { name } = layerWords({ ...layer }, { base: [400, 400], prompt: '', known: undefined })
  expect(name.split(' ').at(-1)).toBe(shape)
})

it.each([
  [[0, 0, 100, 65], 'kite'],
  [[0, 0, 100, 55], undefined],
  [[200, 0, 300, 100], undefined],
] as const)('the box %j is that of a known object where both cover six tenths: %s', (box, found) => {
  const known = { english: 'kite', chinese: '风筝', box: [0, 0, 100, 100] } as const
  expect(objectAt(box, [known])?.english).toBe(found)
})
