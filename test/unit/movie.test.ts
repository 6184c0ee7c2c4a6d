import { expect, it } from 'vitest'
import { avc, pictureTrack, type Sample, type Track, writeMovie } from '../../src/media/video/movie.ts'
import { videoRecipe } from '../support/video-files.ts'

const sets = { sps: Uint8Array.of(0x67, 66, 192, 30), pps: Uint8Array.of(0x68) }
const recipe = videoRecipe({ frames: 50 })

/** Pictures of two bytes in this order of decoding: a mark of the track, and the number in the order of the file. */
const pictures = (order = Array.from({ length: 50 }, (_, i) => i)): Track =>
  pictureTrack(
    { ...recipe, frames: order.length },
    { pictures: order.map((_, i) => ({ bytes: Uint8Array.of(1, i), sync: i % 24 === 0 })), order },
    avc(sets),
  )

const sound: Track = {
  kind: 'audio',
  coding: 'aac',
  samples: Array.from({ length: 99 }, (_, i): Sample => {
    const duration = Math.min(1024, 101_024 - i * 1024) / 48_000
    return { bytes: Uint8Array.of(2, i), at: ((i - 1) * 1024) / 48_000, duration, sync: true }
  }),
  decoder: {
    codec: 'mp4a.40.2',
    numberOfChannels: 2,
    sampleRate: 48_000,
    description: Uint8Array.of(0x11, 0x90),
  },
}

const movie = async (container: 'mp4' | 'mov', tracks = [pictures(), sound]) =>
  Buffer.from(await writeMovie(container, tracks))

const tracksOf = (file: Buffer) => boxesOf(find(file, ['moov'])).filter(box => box.type === 'trak')
const tableOf = (track: Box | undefined) => find(track?.content ?? Buffer.alloc(0), ['mdia', 'minf', 'stbl'])

it.each(['mp4', 'mov'] as const)(
  'puts the index of an %s before the media, so that it can play while it is downloaded',
  async container => {
    const file = await movie(container)
    expect(boxesOf(file).map(box => box.type)).toEqual(['ftyp', 'moov', 'mdat'])
    expect(file.toString('latin1', 8, 12)).toBe(container === 'mov' ? 'qt  ' : 'isom')
  },
)

it.each(['mp4', 'mov'] as const)('writes no time of day into an %s', async container => {
  const file = await movie(container)
  const headers = [
    ['moov', 'mvhd'],
    ...['tkhd', 'mdia mdhd'].map(path => ['moov', 'trak', ...path.split(' ')]),
  ]
  for (const path of headers) expect(numbers(find(file, path)).slice(1, 3)).toEqual([0, 0])
})

it('points at every sample of every track, in order, with a second of sound beside a second of pictures', async () => {
  const file = await movie('mp4')
  const places = tracksOf(file).map((track, number) => {
    const table = tableOf(track)
    const offsets = numbers(find(table, ['stco'])).slice(2)
    const sizes = numbers(find(table, ['stsz'])).slice(3)
    const runs = numbers(find(table, ['stsc'])).slice(2)
    let sample = 0
    for (const [chunk, offset] of offsets.entries()) {
      let at = offset
      for (let i = 0; i < samplesIn(runs, chunk + 1); i++) {
        expect([...file.subarray(at, at + 2)]).toEqual([number + 1, sample])
        at += sizes[sample++] ?? 0
      }
    }
    expect(sample).toBe(number === 0 ? 50 : 99)
    return offsets.map(at => ({ at, number }))
  })
  const inFile = places.flat().sort((a, b) => a.at - b.at)
  expect(
    inFile
      .slice(0, 4)
      .map(({ number }) => number)
      .sort(),
  ).toEqual([0, 0, 1, 1])
})

it('lists the pictures at which playing can start, and no such list for sound', async () => {
  const [video, audio] = tracksOf(await movie('mp4'))
  expect(numbers(find(tableOf(video), ['stss'])).slice(2)).toEqual([1, 25, 49])
  expect(boxesOf(tableOf(audio)).map(box => box.type)).not.toContain('stss')
})

it('hides the encoder delay of the sound by an edit list, so that both tracks have the same length', async () => {
  const [video, audio] = tracksOf(await movie('mp4'))
  const lengthOf = (track: Box | undefined) => numbers(find(track?.content ?? Buffer.alloc(0), ['tkhd']))[5]
  expect(numbers(find(audio?.content ?? Buffer.alloc(0), ['edts', 'elst'])).slice(2, 4)).toEqual([
    lengthOf(video),
    1024,
  ])
  expect(lengthOf(audio)).toBe(lengthOf(video))
})

it.each(['mp4', 'mov'] as const)(
  'lists when each picture of an %s is shown that is decoded earlier or later (ISO/IEC 14496-12, 8.6.1.3)',
  async container => {
    const order = [0, 1, 4, 2, 3, 5]
    const [track] = tracksOf(await movie(container, [pictures(order)]))
    const runs = numbers(find(tableOf(track), ['ctts'])).slice(2)
    const delays = runs.flatMap((count, i) =>
      i % 2 === 0 ? Array.from({ length: count }, () => (runs[i + 1] ?? 0) | 0) : [],
    )
    expect(Math.min(...delays)).toBe(0)
    expect(delays.map((delay, i) => i + delay - 1)).toEqual(order)
    expect(numbers(find(track?.content ?? Buffer.alloc(0), ['edts', 'elst'])).slice(2, 4)).toEqual([
      (57_600 * order.length) / recipe.fps,
      1,
    ])
  },
)

it('has no list of delays when pictures are decoded in the order in which they are shown', async () => {
  const [track] = tracksOf(await movie('mp4'))
  expect(boxesOf(tableOf(track)).map(box => box.type)).not.toContain('ctts')
})

interface Box {
  type: string
  content: Buffer
}

function boxesOf(bytes: Buffer): Box[] {
  const boxes: Box[] = []
  for (let at = 0; at + 8 <= bytes.length; at += bytes.readUInt32BE(at)) {
    const content = bytes.subarray(at + 8, at + bytes.readUInt32BE(at))
    boxes.push({ type: bytes.toString('latin1', at + 4, at + 8), content })
  }
  return boxes
}

function find(bytes: Buffer, path: readonly string[]): Buffer {
  return path.reduce((inside, type) => {
    const box = boxesOf(inside).find(candidate => candidate.type === type)
    if (!box) throw new Error(`no box ${type}`)
    return box.content
  }, bytes)
}

function numbers(content: Buffer): number[] {
  return Array.from({ length: Math.floor(content.length / 4) }, (_, i) => content.readUInt32BE(i * 4))
}

/** From runs of (first chunk, samples a chunk, description). */
function samplesIn(runs: readonly number[], chunk: number): number {
  let count = 0
  for (let i = 0; i < runs.length; i += 3) if ((runs[i] ?? 0) <= chunk) count = runs[i + 1] ?? 0
  return count
}
