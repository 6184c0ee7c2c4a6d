import { expect, it } from 'vitest'
import { type IntraSlice, readIntraStream, UnexpectedStreamError } from '../../src/media/h264/read-stream.ts'
import { CopyWriter } from '../../src/media/h264/write-copies.ts'
import {
  withWeights,
  writeIntraSlice,
  writeRefreshSlice,
  writeSps,
} from '../../src/media/h264/write-pictures.ts'
import { runFfmpeg } from '../../src/media/render/ffmpeg.ts'
import { findFfmpeg } from '../../src/media/render/tools.ts'
import { BitReader, BitWriter, unescapeNal } from '../../src/media/video/bits.ts'
import { type Field, patched } from '../../src/media/video/field.ts'
import { composeYuv } from '../../src/media/video/video-script.ts'
import { mix, toYuv, type YuvPicture } from '../../src/media/video/yuv.ts'
import { seeded } from '../support/seeded.ts'

const suitable = 'keyint=1:bframes=0:cabac=0:8x8dct=0:weightp=0:no-deblock=1'

it('reads separately coded pictures and keeps their data under a new header', async () => {
  const stream = readIntraStream(await encode(suitable))
  expect(stream.slices).toHaveLength(3)
  for (const slice of stream.slices) {
    const payload = unescapeNal(writeIntraSlice(slice, { keyNumber: 7, firstMb: 300 }))
    const reader = new BitReader(payload.subarray(1))
    const place = [reader.ue(), reader.ue(), reader.ue(), reader.bits(16), reader.ue(), reader.bits(16)]
    expect(place).toEqual([300, 2, 0, 0, 1, 0])
    reader.bits(2) // reference marking
    expect([reader.se(), reader.ue()]).toEqual([slice.qpDelta, 1])
    expect(tailOf(payload, 8 + reader.position)).toBe(tailOf(slice.payload, slice.dataFromBit))
  }
})

it.each([
  ['CABAC', 'keyint=1:bframes=0:cabac=1:8x8dct=0:weightp=0:no-deblock=1'],
  ['deblocking', 'keyint=1:bframes=0:cabac=0:8x8dct=0:weightp=0:no-deblock=0'],
  ['several slices in a picture', `${suitable}:slices=2`],
  ['pictures that refer to others', suitable.replace('keyint=1', 'keyint=50:min-keyint=50:scenecut=0')],
  ['B pictures', 'keyint=50:bframes=2:b-adapt=0:cabac=0:8x8dct=0:weightp=0:no-deblock=1'],
  ['weighted prediction', 'keyint=50:bframes=0:cabac=0:8x8dct=0:weightp=2:no-deblock=1'],
])('refuses a stream with %s, because its pictures cannot be rearranged', async (_, options) => {
  const stream = await encode(options)
  expect(() => readIntraStream(stream)).toThrow(UnexpectedStreamError)
})

it('refuses a stream without parameter sets', () => {
  expect(() => readIntraStream(Uint8Array.of(0, 0, 1, 0x65, 0x88))).toThrow(/no parameter sets/)
})

it('codes a picture without a change in less than twenty bytes', () => {
  const [nal, ...more] = new CopyWriter(240).moved(
    all([{ count: 135, runs: [{ columns: 240, dx: 0, dy: 0 }] }]),
    after(3),
  )
  expect(nal?.length).toBeLessThan(20)
  expect(more).toEqual([])
})

const bands = [0, -6, 14, 40].map(dx => ({ count: 10, runs: [{ columns: 88, dx, dy: 0 }] }))

it('codes moving bands with less than half a byte for a macroblock in their first row, and less below', () => {
  const slices = new CopyWriter(88).moved(all(bands), after(3))
  expect(slices).toHaveLength(4)
  expect(slices.reduce((sum, nal) => sum + nal.length, 0)).toBeLessThan(3 * (88 * 0.65 + 9 * 3 + 20) + 20)
})

function allShown(width: number, height: number, fps = 24) {
  return { width, height, columns: width / 16, rows: height / 16, below: 0, fps }
}

it.each([
  [864, 480, 24, 31],
  [1280, 720, 24, 31],
  [1280, 720, 30, 31],
  [1408, 720, 24, 32],
  [1920, 1088, 24, 40],
  [2048, 1088, 24, 42],
  [3840, 2160, 24, 51],
  [4096, 2160, 24, 51],
  [4528, 1888, 30, 52],
])('describes %ix%i at %i a second as level %i', (codedWidth, codedHeight, fps, level) => {
  const sps = unescapeNal(writeSps(allShown(codedWidth, codedHeight, fps), 'back'))
  const reader = new BitReader(sps.subarray(4))
  expect(sps[3]).toBe(level)
  reader.ue()
  const bits = [reader.ue() + 4, reader.ue(), reader.ue() + 4]
  expect([...bits, reader.ue(), reader.bit()]).toEqual([16, 0, 16, 1, 0])
  expect([reader.ue() + 1, reader.ue() + 1]).toEqual([codedWidth / 16, codedHeight / 16])
})

it('writes which edges of a coded picture are cropped', () => {
  const picture = { width: 918, height: 520, columns: 62, rows: 33, below: 2, fps: 24 }
  const reader = new BitReader(unescapeNal(writeSps(picture, 'back')).subarray(4))
  for (let i = 0; i < 5; i++) reader.ue()
  reader.bit()
  for (let i = 0; i < 2; i++) reader.ue()
  expect(reader.bits(3)).toBe(0b111) // whole frames, direct inference, cropping
  expect([reader.ue(), reader.ue(), reader.ue(), reader.ue()]).toEqual([0, 37, 0, 20])
})

/** A field as all rows of a picture. */
function all(rows: Field) {
  return { fromRow: 0, rows }
}

/** This many pictures after a key picture, without another reference between. */
function after(pictures: number) {
  return { sinceStart: pictures, referencesBefore: 1 }
}

const whole = { size: 320 * 192, columns: 20, rows: 12 }

const shape = { width: 320, height: 192, margin: 0, columns: 20, rows: 12, below: 0, reachPx: 0 }

it('a decoder shows any moving pieces where they were written (H.264, 8.4.1)', async () => {
  const stream = readIntraStream(await encode(suitable))
  const random = numbersOf(11)
  const fields = Array.from({ length: 24 }, () => anyField(random))
  const motion = new CopyWriter(20)
  const sps = writeSps(allShown(320, 192), 'back')
  const key = writeIntraSlice(stream.slices[0] as IntraSlice, { keyNumber: 0, firstMb: 0 })
  const moved = fields.flatMap((field, i) => motion.moved(all(field), after(i + 1)))
  const frames = await decode([sps, stream.pps, key, ...moved])
  const coded = { width: 320, height: 192, bytes: frames[0] as Uint8Array }
  expect(frames).toHaveLength(25)
  fields.forEach((field, i) => {
    expect(Buffer.from(composeYuv(coded, field, shape).bytes).equals(frames[i + 1] as Buffer)).toBe(true)
  })
})

it('a decoder shows any mixture of moving pieces of two pictures, exact to the bit (H.264, 8.4.2.3)', async () => {
  const stream = readIntraStream(await encode(suitable))
  const random = numbersOf(23)
  const [first, second] = stream.slices as [IntraSlice, IntraSlice]
  const mixtures = Array.from({ length: 48 }, (_, i) => ({
    // In every fourth one, both pictures move in the same way.
    fields: (i % 4 === 0 ? [anyField(random)] : [anyField(random), anyField(random)]) as [Field, Field?],
    parts: [1, 127, 64][i] ?? 1 + random(127),
  }))
  const writer = new CopyWriter(20)
  const nals = [
    writeSps(allShown(320, 192), 'both ways'),
    withWeights(stream.pps),
    writeIntraSlice(first, { keyNumber: 0, firstMb: 0 }),
    writeRefreshSlice(second, 0, { sinceStart: 49, referencesBefore: 1 }),
    ...mixtures.flatMap(({ fields: [one, other = one], parts }, i) =>
      writer.mixed(
        { first: all(one), second: all(other), parts },
        { sinceStart: i + 1, referencesBefore: 2 },
      ),
    ),
  ]
  for (const threads of ['1', '3']) {
    const frames = await decode(nals, threads)
    expect(frames).toHaveLength(50)
    const [from, to] = [frames.at(0), frames.at(-1)].map(bytes => ({ width: 320, height: 192, bytes }))
    mixtures.forEach(({ fields: [one, other = one], parts }, i) => {
      const expected = mix(
        composeYuv(from as YuvPicture, one, shape),
        composeYuv(to as YuvPicture, other, shape),
        parts,
      )
      expect(Buffer.from(expected.bytes).equals(frames[i + 1] as Buffer), `mixture ${i}`).toBe(true)
    })
  }
})

it('codes a mixture of two pictures that move alike in about as many bytes as they have bands', () => {
  const slices = new CopyWriter(88).mixed({ first: all(bands), second: all(bands), parts: 40 }, after(3))
  expect(slices).toHaveLength(4)
  expect(slices.reduce((sum, nal) => sum + nal.length, 0)).toBeLessThan(4 * 40)
})

it('declares the Main profile and two reference pictures where pictures are mixed, else Constrained Baseline and one (H.264, A.2)', () => {
  const described = (['back', 'both ways'] as const).map(referring => {
    const sps = unescapeNal(writeSps(allShown(320, 192), referring))
    const reader = new BitReader(sps.subarray(4))
    for (let i = 0; i < 4; i++) reader.ue()
    return [sps[1], sps[2], reader.ue()]
  })
  expect(described).toEqual([
    [66, 0xc0, 1],
    [77, 0x40, 2],
  ])
})

it('a movement that a later picture repeats is written like a new one (H.264, 7.3.3)', () => {
  const random = numbersOf(5)
  const motion = new CopyWriter(whole.columns)
  const field = anyField(random)
  const signs = { left: 3, top: 1, columns: 2, rows: 3, dx: 32, dy: 16 }
  const fields = [field, patched(field, [signs]), patched(field, [{ ...signs, left: 4 }]), field]
  // Orders with many zeros and ones: some need bytes that prevent start codes.
  for (const pictures of [1, 2, 255, 256, 32_767, 65_535])
    for (const each of fields) {
      const again = motion.moved(all(each), after(pictures))
      expect(again).toEqual(new CopyWriter(whole.columns).moved(all(each), after(pictures)))
    }
})

it('rows under a patch are copied from the place that it gives, and later patches cover earlier ones', () => {
  const still: Field = [{ count: 12, runs: [{ columns: 20, dx: 0, dy: 0 }] }]
  const patch = { left: 2, top: 3, columns: 5, rows: 4, dx: 16, dy: 0 }
  const later = { left: 4, top: 5, columns: 16, rows: 7, dx: 0, dy: -16 }
  const run = (columns: number, dx: number, dy: number) => ({ columns, dx, dy })
  expect(patched(still, [patch, later])).toEqual([
    { count: 3, runs: [run(20, 0, 0)] },
    { count: 2, runs: [run(2, 0, 0), run(5, 16, 0), run(13, 0, 0)] },
    { count: 2, runs: [run(2, 0, 0), run(2, 16, 0), run(16, 0, -16)] },
    { count: 5, runs: [run(4, 0, 0), run(16, 0, -16)] },
  ])
})

it('converts stretches of one colour to the same brightness and colours as single pixels', () => {
  const [width, height] = [64, 32]
  const random = numbersOf(7)
  // Short and long stretches of one colour, and single pixels.
  const drawn = Array.from({ length: (width * height) / 8 }, () => {
    const [one, other] = [pixel(random), pixel(random)]
    const kind = random(4)
    return Array.from({ length: 8 }, (_, i) =>
      kind === 0 ? pixel(random) : kind === 1 && i % 2 ? other : one,
    )
  }).flat()
  const field = new Array<number[]>(20 * width).fill(pixel(random))
  const pixels = [...drawn.slice(0, 12 * width), ...field]
  const bytes = Uint8Array.from(pixels.flatMap(each => [...each, 255]))
  const square = (at: number) => [at, at + 1, at + width, at + width + 1].map(i => pixels[i] as number[])
  const weighed = (weights: readonly number[], all: readonly number[][]) =>
    all.flat().reduce((sum, value, i) => sum + value * (weights[i % 3] as number), 0) / all.length / 65_536
  const squares = Array.from({ length: height / 2 }, (_, y) =>
    Array.from({ length: width / 2 }, (_, x) => square(2 * y * width + 2 * x)),
  ).flat()
  expect([...toYuv({ width, height, channels: 4, bytes }).bytes]).toEqual([
    ...pixels.map(each => Math.floor(16.5 + weighed([11_966, 40_254, 4_064], [each]))),
    ...squares.map(each => Math.floor(128.5 + weighed([-6_596, -22_189, 28_784], each))),
    ...squares.map(each => Math.floor(128.5 + weighed([28_784, -26_145, -2_639], each))),
  ])
})

function pixel(random: (below: number) => number): number[] {
  return [random(256), random(256), random(256)]
}

/** Rows in which one to five runs come from anywhere in the picture, a third of them from an odd distance. */
function anyField(random: (below: number) => number): Field {
  return Array.from({ length: 6 }, (_, band) => {
    const cuts = [...new Set(Array.from({ length: random(5) }, () => random(whole.columns)))].sort(
      (a, b) => a - b,
    )
    const edges = [...new Set([0, ...cuts, whole.columns])]
    const runs = edges.slice(1).map((edge, i) => {
      const left = edges[i] as number
      const dx = random(3) === 0 ? 0 : random((whole.columns - edge + left) * 16 + 1) - left * 16
      return { columns: edge - left, dx, dy: (random(whole.rows - 1) - band * 2) * 16 }
    })
    return { count: 2, runs }
  })
}

/** Whole numbers from 0 to before `below`. */
function numbersOf(seed: number): (below: number) => number {
  const random = seeded(seed)
  return below => random.integer(0, below - 1)
}

/** The pictures of a stream in the order of showing. Fails when the decoder reports an error. */
async function decode(nals: readonly Uint8Array[], threads = '1'): Promise<Buffer[]> {
  const stream = Buffer.concat(nals.flatMap(nal => [Buffer.from([0, 0, 0, 1]), nal]))
  const { path } = await findFfmpeg(process.env.FFMPEG_PATH)
  const pixels = await runFfmpeg({
    ffmpeg: path,
    input: [stream],
    inputOptions: `-v warning -err_detect explode -threads ${threads} -f h264`,
    outputOptions: '-f rawvideo -pix_fmt yuv420p -vsync 0',
  })
  const size = whole.size * 1.5
  return Array.from({ length: pixels.length / size }, (_, i) => pixels.subarray(i * size, (i + 1) * size))
}

/** Three pictures of 320x192. */
async function encode(options: string): Promise<Buffer> {
  const { path } = await findFfmpeg(process.env.FFMPEG_PATH)
  const size = 320 * 192
  const picture = (bright: number): Uint8Array =>
    Uint8Array.from({ length: size * 1.5 }, (_, i) => (i < size ? (i * bright) % 251 : 128))
  return await runFfmpeg({
    ffmpeg: path,
    input: [picture(3), picture(5), picture(7)],
    inputOptions: '-f rawvideo -pix_fmt yuv420p -s 320x192 -framerate 24',
    outputOptions: `-c:v libx264 -preset ultrafast -qp 24 -x264-params ${options} -f h264`,
  })
}

function tailOf(payload: Uint8Array, fromBit: number): string {
  return Buffer.from(new BitWriter().followedBy(payload, fromBit)).toString('hex')
}
