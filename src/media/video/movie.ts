import { Buffer } from 'node:buffer'
import {
  BufferTarget,
  EncodedAudioPacketSource,
  EncodedPacket,
  EncodedVideoPacketSource,
  MovOutputFormat,
  Mp4OutputFormat,
  Output,
} from 'mediabunny'
import type { VideoRecipe } from '../render/recipe.ts'
import type { Sources, VideoScript } from './video-script.ts'
import type { YuvPicture } from './yuv.ts'

/** One coded picture, one coded piece of sound, or a run of uncoded sound. Times are seconds. */
export interface Sample {
  bytes: Uint8Array
  /** When it is shown or heard. The run-in of AAC, which is not played, is before 0. */
  at: number
  duration: number
  /** Playing can start here. Every piece of sound is such a point. */
  sync: boolean
}

/** The samples of a track in the order of decoding, and what a decoder must know. */
export type Track = PictureTrack | SoundTrack

export interface PictureTrack {
  kind: 'video'
  coding: 'avc' | 'hevc'
  fps: number
  samples: readonly Sample[]
  decoder: VideoDecoderConfig
  /** For samples with start codes: the parameter sets in the same form. The muxer describes the decoder by them. */
  sets?: Uint8Array
}

export interface SoundTrack {
  kind: 'audio'
  coding: 'aac' | 'pcm-s16'
  samples: readonly Sample[]
  decoder: AudioDecoderConfig
}

/** A movie file with the index before the media, so that a browser can play it while it loads. The same tracks give the same bytes. */
export async function writeMovie(container: 'mp4' | 'mov', tracks: readonly Track[]): Promise<Uint8Array> {
  const target = new BufferTarget()
  const format = container === 'mov' ? new MovOutputFormat() : new Mp4OutputFormat()
  const output = new Output({ format, target })
  const muxer: Muxer = Reflect.get(output, '_muxer')
  // It would write the time of day into the headers.
  muxer.creationTime = 0
  const writers = tracks.map(track => addTrack(output, track))
  await output.start()
  const samples = tracks.flatMap((track, number) =>
    track.samples.map((sample, i) => ({ sample, number, part: i / track.samples.length })),
  )
  for (const { sample, number } of samples.sort((a, b) => a.part - b.part)) await writers[number]?.(sample)
  for (const [number, track] of tracks.entries()) {
    const written = muxer.trackDatas[number]
    if (track.kind === 'video' && written) delay(muxer, written, track)
  }
  await output.finalize()
  return new Uint8Array(target.buffer ?? [])
}

/** Adds a track without samples. Returns the function that adds its samples. */
function addTrack(output: Output, track: Track): (sample: Sample) => Promise<void> {
  if (track.kind === 'audio') {
    const sound = new EncodedAudioPacketSource(track.coding)
    output.addAudioTrack(sound, { decoderConfig: track.decoder })
    return sample => sound.add(packetOf(sample))
  }
  const { fps, decoder, sets } = track
  const pictures = new EncodedVideoPacketSource(track.coding)
  const primingPacket = sets && new EncodedPacket(sets, 'key', 0, 1 / fps)
  output.addVideoTrack(pictures, {
    frameRate: fps,
    decoderConfig: decoder,
    ...(primingPacket && { primingPacket }),
  })
  return sample => pictures.add(packetOf(sample))
}

/** What is used of the muxer's inside (mediabunny 1.61), which has no options for it. */
interface Muxer {
  creationTime: number
  trackDatas: MuxerTrack[]
  processTimestamps(track: MuxerTrack): void
}

interface MuxerTrack {
  compositionTimeOffsetTable: { sampleCompositionTimeOffset: number }[]
  startTimestampOffset: number
  samples: { timestamp: number; duration: number }[]
}

/**
 * Where pictures are decoded earlier than shown, the muxer lets others be shown before they are decoded, by negative delays, of which
 * some ffmpegs complain. All pictures of the track are therefore shown as much later, and the beginning is not played.
 */
function delay(muxer: Muxer, written: MuxerTrack, { samples, fps }: PictureTrack): void {
  const frames = Math.max(...samples.map(({ at }, i) => i - Math.round(at * fps)))
  if (frames <= 0) return
  muxer.processTimestamps(written)
  for (const run of written.compositionTimeOffsetTable) run.sampleCompositionTimeOffset += frames
  written.startTimestampOffset = -frames / fps
  const last = written.samples.reduce((latest, each) => (each.timestamp > latest.timestamp ? each : latest))
  last.duration += frames / fps
}

function packetOf({ bytes, at, duration, sync }: Sample): EncodedPacket {
  return new EncodedPacket(bytes, sync ? 'key' : 'delta', at, duration)
}

/** The input of both ways to code a video. */
export interface CodingOrder {
  recipe: VideoRecipe
  script: Promise<VideoScript>
  ffmpeg: string
  run?: Sources['run'] | undefined
  signal?: AbortSignal | undefined
}

export function rawVideo({ width, height, fps }: { width: number; height: number; fps: number }): string {
  return `-f rawvideo -pix_fmt yuv420p -s ${width}x${height} -framerate ${fps}`
}

export async function* bytesOf(pictures: AsyncIterable<YuvPicture>): AsyncGenerator<Uint8Array> {
  for await (const picture of pictures) yield picture.bytes
}

export function encodedAt<T>(items: readonly T[], index: number): T {
  const item = items[index]
  if (item === undefined)
    throw new Error(`the encoder gave ${items.length} pictures, number ${index + 1} is missing`)
  return item
}

/** NAL units with their lengths before them, as samples in a file are. */
export function withLengths(nals: readonly Uint8Array[]): Uint8Array {
  const bytes = Buffer.allocUnsafe(nals.reduce((sum, nal) => sum + 4 + nal.length, 0))
  let at = 0
  for (const nal of nals) {
    bytes.set(nal, bytes.writeUInt32BE(nal.length, at))
    at += 4 + nal.length
  }
  return bytes
}

type Coding = Pick<PictureTrack, 'coding' | 'sets'> & { codec: string; description?: Uint8Array }

/** A track of pictures, in the order of decoding, with the colours of BT.709. `order` is the frame that each of them is, in their order when absent. */
export function pictureTrack(
  { width, height, fps, frames }: VideoRecipe,
  { pictures, order }: { pictures: readonly Pick<Sample, 'bytes' | 'sync'>[]; order?: readonly number[] },
  { coding, sets, ...decoder }: Coding,
): PictureTrack {
  if (pictures.length !== frames)
    throw new Error(`the encoder gave ${pictures.length} frames instead of ${frames}`)
  const colorSpace = { primaries: 'bt709', transfer: 'bt709', matrix: 'bt709', fullRange: false } as const
  return {
    kind: 'video',
    coding,
    fps,
    samples: pictures.map((picture, i) => ({ ...picture, at: (order?.[i] ?? i) / fps, duration: 1 / fps })),
    decoder: { ...decoder, codedWidth: width, codedHeight: height, colorSpace },
    ...(sets && { sets }),
  }
}

/** `profile_idc` of High 4:4:4 Predictive. ISO/IEC 14496-10, A.2.11. */
const high444 = 244

/** H.264 with its parameter sets (`avcC`). ISO/IEC 14496-15, 5.3.3.1. */
export function avc({ sps, pps }: { sps: Uint8Array; pps: Uint8Array }): Coding {
  const profile = sps.subarray(1, 4)
  // The high profiles add their chroma format and bit depths.
  const extension = profile[0] === high444 ? [0xfc | 3, 0xf8, 0xf8, 0] : []
  const counted = (set: Uint8Array) => [set.length >> 8, set.length & 255, ...set]
  return {
    coding: 'avc',
    codec: `avc1.${Buffer.from(profile).toString('hex')}`,
    description: Uint8Array.of(1, ...profile, 0xff, 0xe1, ...counted(sps), 1, ...counted(pps), ...extension),
  }
}
