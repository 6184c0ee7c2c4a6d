import { expect, it } from 'vitest'
import { runFfmpeg } from '../../src/media/ffmpeg.ts'
import { findFfmpeg } from '../../src/media/tools.ts'
import { BitReader, BitWriter, unescapeNal } from '../../src/media/video/bits.ts'
import { readIntraStream, UnexpectedStreamError } from '../../src/media/video/h264-read.ts'
import { writeIntraSlice, writeSkipSlice, writeSps } from '../../src/media/video/h264-write.ts'

const suitable = 'keyint=1:bframes=0:cabac=0:8x8dct=0:weightp=0:no-deblock=1'

it('reads pictures that were coded alone and keeps their data when they get a new header', async () => {
  const stream = readIntraStream(await encode(suitable))
  expect(stream.slices).toHaveLength(3)
  for (const slice of stream.slices) {
    const place = { idr: false, sinceIdr: 7, idrNumber: 1, firstMb: 300 }
    const payload = unescapeNal(writeIntraSlice(slice, place))
    const reader = new BitReader(payload.subarray(1))
    expect([reader.ue(), reader.ue(), reader.ue(), reader.bits(16)]).toEqual([300, 2, 0, 7])
    reader.bit() // reference marking
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
])('refuses a stream with %s, so that it is not laid together wrongly', async (_, options) => {
  const stream = await encode(options)
  expect(() => readIntraStream(stream)).toThrow(UnexpectedStreamError)
})

it('refuses a stream without parameter sets', () => {
  expect(() => readIntraStream(Uint8Array.of(0, 0, 1, 0x65, 0x88))).toThrow(/no parameter sets/)
})

it('says that a whole picture stays as it was in less than twenty bytes', () => {
  const nal = writeSkipSlice({ idr: false, sinceIdr: 3, idrNumber: 0, firstMb: 0 }, 32_400)
  expect(nal.length).toBeLessThan(20)
})

it.each([
  [854, 480, 24, 30, 54, 30],
  [1280, 720, 24, 31, 80, 45],
  [1280, 720, 30, 31, 80, 45],
  [1920, 1080, 24, 40, 120, 68],
  [3840, 2160, 24, 51, 240, 135],
  [4398, 1886, 30, 51, 275, 118],
])(
  'describes %ix%i at %i a second as level %i with %i by %i macroblocks',
  (width, height, fps, level, across, down) => {
    const sps = unescapeNal(writeSps({ width, height, fps }))
    const reader = new BitReader(sps.subarray(4))
    expect(sps[3]).toBe(level)
    reader.ue()
    const frameNumBits = reader.ue() + 4
    expect([frameNumBits, reader.ue(), reader.ue(), reader.bit()]).toEqual([16, 2, 1, 0])
    expect([reader.ue() + 1, reader.ue() + 1]).toEqual([across, down])
  },
)

/** Three pictures of 320x192. */
async function encode(options: string): Promise<Buffer> {
  const { path } = await findFfmpeg(process.env.FFMPEG_PATH)
  const size = 320 * 192
  const picture = (bright: number): Uint8Array =>
    Uint8Array.from({ length: size * 1.5 }, (_, i) => (i < size ? (i * bright) % 251 : 128))
  return await runFfmpeg({
    ffmpeg: path,
    input: [picture(3), picture(5), picture(7)],
    inputOptions: ['-f', 'rawvideo', '-pix_fmt', 'yuv420p', '-s', '320x192', '-framerate', '24'],
    outputOptions: [
      '-c:v',
      'libx264',
      '-preset',
      'ultrafast',
      '-qp',
      '24',
      '-x264-params',
      options,
      '-f',
      'h264',
    ],
  })
}

function tailOf(payload: Uint8Array, fromBit: number): string {
  return Buffer.from(new BitWriter().followedBy(payload, fromBit)).toString('hex')
}
