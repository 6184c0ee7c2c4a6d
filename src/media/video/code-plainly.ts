import { runFfmpeg } from '../ffmpeg.ts'
import type { VideoRecipe } from '../recipe.ts'
import { splitNals } from './bits.ts'
import { nalType } from './h264-read.ts'
import type { Track } from './mp4.ts'
import { avcDescription, hevcDescription, hevcNalType } from './mp4-codecs.ts'
import { at, bytesOf, type CodingOrder, rawVideo, sample, videoTrack } from './video-coding.ts'
import { wholePictures } from './video-script.ts'

const x264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-qp', '24', '-bf', '0', '-g', '48']

/** The options of each encoder, with the pixels that it writes and the form of its stream. */
const plainCodecs = {
  h264: [...x264, '-pix_fmt', 'yuv420p', '-f', 'h264'],
  h264_444: [...x264, '-pix_fmt', 'yuv444p', '-profile:v', 'high444', '-f', 'h264'],
  hevc: [
    '-c:v',
    'libx265',
    '-preset',
    'ultrafast',
    '-x265-params',
    'qp=26:bframes=0:keyint=48:log-level=error',
    '-pix_fmt',
    'yuv420p10le',
    '-f',
    'hevc',
  ],
} as const
const colours = [
  '-colorspace',
  'bt709',
  '-color_primaries',
  'bt709',
  '-color_trc',
  'bt709',
  '-color_range',
  'tv',
]

/** Encodes every frame with ffmpeg. This is slow, but works with all settings of the encoder and with other codecs. */
export async function codePlainly(order: CodingOrder, codec: VideoRecipe['codec']): Promise<Track> {
  const { recipe, script, ffmpeg, signal } = order
  const stream = await runFfmpeg({
    ffmpeg,
    input: bytesOf(wholePictures(await script, recipe)),
    inputOptions: rawVideo(recipe),
    outputOptions: [...colours, ...plainCodecs[codec]],
    signal,
  })
  const nals = splitNals(stream)
  return codec === 'hevc' ? hevcTrack(recipe, nals) : avcTrack(recipe, nals)
}

function avcTrack(recipe: VideoRecipe, nals: readonly Uint8Array[]): Track {
  const ofType = (type: number): Uint8Array =>
    at(
      nals.filter(nal => nalType(nal) === type),
      0,
    )
  const isPicture = (nal: Uint8Array): boolean => nalType(nal) === 1 || nalType(nal) === 5
  const frames = group(nals.filter(isPicture), nal => ((nal[1] ?? 0) & 0x80) !== 0)
  const samples = frames.map(frame => sample(frame, nalType(at(frame, 0)) === 5))
  return videoTrack(
    recipe,
    samples,
    avcDescription(recipe.container, recipe, { sps: ofType(7), pps: ofType(8) }),
  )
}

function hevcTrack(recipe: VideoRecipe, nals: readonly Uint8Array[]): Track {
  const sets = [32, 33, 34].map(type =>
    at(
      nals.filter(nal => hevcNalType(nal) === type),
      0,
    ),
  )
  const frames = group(
    nals.filter(nal => hevcNalType(nal) < 32),
    nal => ((nal[2] ?? 0) & 0x80) !== 0,
  )
  const isKey = (nal: Uint8Array): boolean => hevcNalType(nal) >= 16 && hevcNalType(nal) <= 21
  const samples = frames.map(frame => sample(frame, isKey(at(frame, 0))))
  return videoTrack(recipe, samples, hevcDescription(recipe.container, recipe, sets))
}

/** Groups the slices by picture. */
function group(slices: readonly Uint8Array[], startsPicture: (nal: Uint8Array) => boolean): Uint8Array[][] {
  const frames: Uint8Array[][] = []
  for (const slice of slices) {
    if (startsPicture(slice) || frames.length === 0) frames.push([])
    frames.at(-1)?.push(slice)
  }
  return frames
}
