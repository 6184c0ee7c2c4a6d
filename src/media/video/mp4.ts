import { Buffer } from 'node:buffer'
import { box, fullBox, u16, u32 } from './mp4-boxes.ts'

/** One coded picture, one coded piece of sound, or a run of uncoded sound. */
export interface Sample {
  bytes: Uint8Array
  /** In units of the track's timescale. */
  duration: number
  /** The time from decoding to showing, in the same units; 0 if absent. Its least value in a track is 0. */
  delay?: number
  /** Playing can start here. Every piece of sound is such a point. */
  sync: boolean
}

export interface Track {
  kind: 'video' | 'audio'
  /** Units a second. */
  timescale: number
  samples: readonly Sample[]
  /** For uncoded sound: the bytes of all channels at one moment. A sample then holds many moments. */
  momentBytes?: number
  /** The box that describes the coding (`avc1`, `hvc1`, `mp4a`, `sowt`). */
  description: Uint8Array
  /** How much of the start is not played, in units of the timescale (the run-in of AAC, or the delay of the first picture). */
  skip: number
  width: number
  height: number
}

export interface Movie {
  container: 'mp4' | 'mov'
  /** Units a second of `duration`. */
  timescale: number
  /** The exact length, in units of the timescale. */
  duration: number
  tracks: readonly Track[]
}

/**
 * Writes a movie file with the index before the media ("faststart"), so that a browser can play it while it loads.
 * The parts are to be written one after the other. ISO/IEC 14496-12; QuickTime File Format for `mov`.
 */
export function writeMovie(movie: Movie): Uint8Array[] {
  const chunks = interleave(movie)
  const length = chunks.reduce((sum, chunk) => sum + chunk.bytes, 0)
  const head = fileType(movie)
  const indexLength = index(movie, chunks, 0).length
  const firstByte = head.length + indexLength + 8
  const media = chunks.flatMap(chunk => chunk.samples.map(sample => sample.bytes))
  return [head, index(movie, chunks, firstByte), mediaHead(length), ...media]
}

interface Chunk {
  track: Track
  samples: readonly Sample[]
  bytes: number
}

/** About a second of pictures, then the sound that goes with them, and so on. */
function interleave(movie: Movie): Chunk[] {
  const seconds = Math.ceil(movie.duration / movie.timescale)
  const perTrack = movie.tracks.map(track => chunksOf(track, seconds))
  return Array.from({ length: seconds }, (_, second) =>
    perTrack.flatMap(chunks => chunks[second] ?? []),
  ).flat()
}

function chunksOf(track: Track, seconds: number): Chunk[] {
  const chunks: Chunk[] = []
  let at = 0
  let elapsed = 0
  for (let second = 1; second <= seconds; second++) {
    const from = at
    const limit = second === seconds ? Number.POSITIVE_INFINITY : second * track.timescale + track.skip
    while (at < track.samples.length && elapsed < limit) elapsed += track.samples[at++]?.duration ?? 0
    const samples = track.samples.slice(from, at)
    const bytes = samples.reduce((sum, sample) => sum + sample.bytes.length, 0)
    if (samples.length > 0) chunks.push({ track, samples, bytes })
  }
  return chunks
}

/** The brand of the pictures' coding is named among those that a player needs to know. */
function fileType({ container, tracks }: Movie): Buffer {
  if (container === 'mov') return box('ftyp', Buffer.from('qt  \0\0\x02\0qt  ', 'latin1'))
  const isHevc = tracks.some(
    ({ description }) => Buffer.from(description.subarray(4, 8)).toString('latin1') === 'hvc1',
  )
  return box('ftyp', Buffer.from(`isom\0\0\x02\0isomiso2${isHevc ? 'hvc1' : 'avc1'}mp41`, 'latin1'))
}

function mediaHead(length: number): Buffer {
  if (length + 8 >= 2 ** 32) throw new RangeError(`a movie of ${length} bytes does not fit into one mdat box`)
  return Buffer.concat([u32(length + 8), Buffer.from('mdat')])
}

function index(movie: Movie, chunks: readonly Chunk[], firstByte: number): Buffer {
  const tracks = movie.tracks.map((track, i) =>
    trackBox(movie, track, i + 1, offsetsOf(track, chunks, firstByte)),
  )
  const header = fullBox(
    'mvhd',
    0,
    u32(0, 0, movie.timescale, movie.duration, 0x00010000),
    u16(0x0100, 0),
    u32(0, 0),
    identity,
    u32(0, 0, 0, 0, 0, 0, movie.tracks.length + 1),
  )
  return box('moov', header, ...tracks)
}

function offsetsOf(track: Track, chunks: readonly Chunk[], firstByte: number): number[] {
  const offsets: number[] = []
  let at = firstByte
  for (const chunk of chunks) {
    if (chunk.track === track) offsets.push(at)
    at += chunk.bytes
  }
  return offsets
}

const identity = u32(0x00010000, 0, 0, 0, 0x00010000, 0, 0, 0, 0x40000000)

function trackBox(movie: Movie, track: Track, id: number, offsets: readonly number[]): Buffer {
  const isSound = track.kind === 'audio'
  const header = fullBox(
    'tkhd',
    3,
    u32(0, 0, id, 0, movie.duration, 0, 0),
    u16(0, isSound ? 1 : 0, isSound ? 0x0100 : 0, 0),
    identity,
    u32(track.width * 65536, track.height * 65536),
  )
  const edit = box('edts', fullBox('elst', 0, u32(1, movie.duration, track.skip, 0x00010000)))
  return box('trak', header, edit, mediaBox(movie, track, offsets))
}

function mediaBox(movie: Movie, track: Track, offsets: readonly number[]): Buffer {
  const isMov = movie.container === 'mov'
  const isSound = track.kind === 'audio'
  const duration = track.samples.reduce((sum, sample) => sum + sample.duration, 0)
  const handler = (component: string, type: string, name: string): Buffer => {
    const text = isMov ? Buffer.from([name.length, ...Buffer.from(name)]) : Buffer.from(`${name}\0`)
    return fullBox('hdlr', 0, Buffer.from(component, 'latin1'), Buffer.from(type), u32(0, 0, 0), text)
  }
  const media = handler(
    isMov ? 'mhlr' : '\0\0\0\0',
    isSound ? 'soun' : 'vide',
    isSound ? 'SoundHandler' : 'VideoHandler',
  )
  const kindHeader = isSound ? fullBox('smhd', 0, u32(0)) : fullBox('vmhd', 1, u32(0, 0))
  const data = box('dinf', fullBox('dref', 0, u32(1), fullBox(isMov ? 'alis' : 'url ', 1)))
  const info = isMov
    ? box(
        'minf',
        kindHeader,
        handler('dhlr', 'alis', 'DataHandler'),
        data,
        sampleTable(movie, track, offsets),
      )
    : box('minf', kindHeader, data, sampleTable(movie, track, offsets))
  const undetermined = isMov ? 0 : 0x55c4
  return box(
    'mdia',
    fullBox('mdhd', 0, u32(0, 0, track.timescale, duration), u16(undetermined, 0)),
    media,
    info,
  )
}

function sampleTable(movie: Movie, track: Track, offsets: readonly number[]): Buffer {
  const seconds = Math.ceil(movie.duration / movie.timescale)
  const chunks = chunksOf(track, seconds)
  const { momentBytes } = track
  const lengths = runs(chunks.map(chunk => (momentBytes ? chunk.bytes / momentBytes : chunk.samples.length)))
  const durations = durationsOf(track)
  const starts = track.samples.flatMap((sample, i) => (sample.sync ? [i + 1] : []))
  return box(
    'stbl',
    fullBox('stsd', 0, u32(1), track.description),
    fullBox('stts', 0, u32(durations.length, ...durations.flatMap(run => [run.count, run.value]))),
    starts.length === track.samples.length
      ? Buffer.alloc(0)
      : fullBox('stss', 0, u32(starts.length, ...starts)),
    delaysOf(track),
    fullBox('stsc', 0, u32(lengths.length, ...lengths.flatMap(run => [run.from + 1, run.value, 1]))),
    fullBox('stsz', 0, sizesOf(track)),
    fullBox('stco', 0, u32(offsets.length, ...offsets)),
  )
}

/** Pictures that are not decoded in the order of showing have their delays in a table (`ctts`). */
function delaysOf({ samples }: Track): Buffer {
  const delays = runs(samples.map(({ delay }) => delay ?? 0))
  if (delays.every(({ value }) => value === 0)) return Buffer.alloc(0)
  return fullBox('ctts', 0, u32(delays.length, ...delays.flatMap(run => [run.count, run.value])))
}

/** To a player, each moment of uncoded sound is a sample. */
function durationsOf({ samples, momentBytes }: Track): { count: number; value: number }[] {
  if (momentBytes === undefined) return runs(samples.map(sample => sample.duration))
  return [{ count: momentsOf(samples, momentBytes), value: 1 }]
}

function sizesOf({ samples, momentBytes }: Track): Buffer {
  if (momentBytes !== undefined) return u32(momentBytes, momentsOf(samples, momentBytes))
  return u32(0, samples.length, ...samples.map(sample => sample.bytes.length))
}

function momentsOf(samples: readonly Sample[], momentBytes: number): number {
  return samples.reduce((sum, sample) => sum + sample.bytes.length / momentBytes, 0)
}

/** Equal neighbours put together. */
function runs(values: readonly number[]): { from: number; count: number; value: number }[] {
  const found: { from: number; count: number; value: number }[] = []
  values.forEach((value, from) => {
    const last = found.at(-1)
    if (last?.value === value) last.count++
    else found.push({ from, count: 1, value })
  })
  return found
}
