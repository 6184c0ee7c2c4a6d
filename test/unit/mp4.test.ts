import { expect, it } from 'vitest'
import { delayed } from '../../src/media/video/delays.ts'
import { type Movie, writeMovie } from '../../src/media/video/mp4.ts'
import { aacDescription, avcDescription } from '../../src/media/video/mp4-codecs.ts'

const movie = (container: 'mp4' | 'mov'): Movie => ({
  container,
  timescale: 24_000,
  duration: 50_000,
  tracks: [
    {
      kind: 'video',
      timescale: 24,
      samples: Array.from({ length: 50 }, (_, i) => ({
        bytes: Uint8Array.of(1, i),
        duration: 1,
        sync: i % 24 === 0,
      })),
      description: avcDescription(
        container,
        { width: 320, height: 240 },
        { sps: Uint8Array.of(0x67, 66, 192, 30), pps: Uint8Array.of(0x68) },
      ),
      skip: 0,
      width: 320,
      height: 240,
    },
    {
      kind: 'audio',
      timescale: 48_000,
      samples: Array.from({ length: 99 }, (_, i) => ({
        bytes: Uint8Array.of(2, i),
        duration: 1024,
        sync: true,
      })),
      description: aacDescription(container, {
        channels: 2,
        rate: 48_000,
        config: Uint8Array.of(0x11, 0x90),
        bits: { peak: 70_000, average: 64_000 },
      }),
      skip: 1024,
      width: 0,
      height: 0,
    },
  ],
})

it.each(['mp4', 'mov'] as const)(
  'puts the index of an %s before the media, so that it can play while it is downloaded',
  container => {
    const file = Buffer.concat(writeMovie(movie(container)))
    expect(boxesOf(file).map(box => box.type)).toEqual(['ftyp', 'moov', 'mdat'])
    expect(file.toString('latin1', 8, 12)).toBe(container === 'mov' ? 'qt  ' : 'isom')
  },
)

it('points at every sample of every track, in order, second by second', () => {
  const file = Buffer.concat(writeMovie(movie('mp4')))
  const tracks = childrenOf(find(file, ['moov'])).filter(box => box.type === 'trak')
  for (const [number, track] of tracks.entries()) {
    const table = find(track.content, ['mdia', 'minf', 'stbl'])
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
    expect(offsets).toHaveLength(3)
  }
})

it('lists the pictures at which playing can start, and no such list for sound', () => {
  const file = Buffer.concat(writeMovie(movie('mp4')))
  const [video, audio] = childrenOf(find(file, ['moov'])).filter(box => box.type === 'trak')
  const tableOf = (track: Box | undefined): Buffer =>
    find(track?.content ?? Buffer.alloc(0), ['mdia', 'minf', 'stbl'])
  expect(numbers(find(tableOf(video), ['stss'])).slice(2)).toEqual([1, 25, 49])
  expect(childrenOf(tableOf(audio)).map(box => box.type)).not.toContain('stss')
})

it('hides the encoder delay of the sound by an edit list, so that both tracks have the same length', () => {
  const file = Buffer.concat(writeMovie(movie('mp4')))
  const edits = childrenOf(find(file, ['moov']))
    .filter(box => box.type === 'trak')
    .map(track => numbers(find(track.content, ['edts', 'elst'])).slice(2, 4))
  expect(edits).toEqual([
    [50_000, 0],
    [50_000, 1024],
  ])
})

it.each(['mp4', 'mov'] as const)(
  'lists how much later than its decoding each picture of an %s is shown, and does not play the first delay (ISO/IEC 14496-12, 8.6.1.3)',
  container => {
    const order = [0, 1, 4, 2, 3, 5]
    const pictures = order.map((_, i) => ({ bytes: Uint8Array.of(1, i), duration: 10, sync: i === 0 }))
    const samples = delayed(pictures, order, 10)
    const { tracks, ...rest } = movie(container)
    const [video] = tracks.map(track => ({ ...track, timescale: 240, samples, skip: samples[0]?.delay ?? 0 }))
    const file = Buffer.concat(writeMovie({ ...rest, tracks: video ? [video] : [] }))
    const track = find(file, ['moov', 'trak'])
    const table = numbers(find(track, ['mdia', 'minf', 'stbl', 'ctts']))
    expect(table).toEqual([0, 4, 2, 10, 1, 30, 2, 0, 1, 10])
    expect(numbers(find(track, ['edts', 'elst']))[3]).toBe(10)
    const shown = samples.map(({ delay = 0 }, i) => (i * 10 + delay - 10) / 10)
    expect(shown).toEqual(order)
  },
)

it('has no list of delays when pictures are decoded in the order in which they are shown', () => {
  const order = [0, 1, 2]
  const samples = order.map(i => ({ bytes: Uint8Array.of(1, i), duration: 10, sync: i === 0 }))
  expect(delayed(samples, order, 10)).toEqual(samples)
  const [track] = childrenOf(find(Buffer.concat(writeMovie(movie('mp4'))), ['moov'])).filter(
    box => box.type === 'trak',
  )
  const table = find(track?.content ?? Buffer.alloc(0), ['mdia', 'minf', 'stbl'])
  expect(childrenOf(table).map(box => box.type)).not.toContain('ctts')
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

const childrenOf = boxesOf

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
