import { runFfmpeg } from '../ffmpeg.ts'
import type { VideoRecipe } from '../recipe.ts'
import { nalType, splitNals } from './bits.ts'
import type { PictureTrack } from './movie.ts'
import {
  avc,
  bytesOf,
  type CodingOrder,
  encodedAt,
  pictureTrack,
  rawVideo,
  withLengths,
} from './video-coding.ts'
import { wholePictures } from './video-script.ts'

const x264 = '-c:v libx264 -preset ultrafast -qp 24 -bf 0 -g 48'
const x265 = '-c:v libx265 -preset ultrafast -x265-params qp=26:bframes=0:keyint=48:log-level=error'

/** The options of each encoder, with the pixels that it writes and the form of its stream. */
const plainCodecs = {
  h264: `${x264} -pix_fmt yuv420p -f h264`,
  h264_444: `${x264} -pix_fmt yuv444p -profile:v high444 -f h264`,
  hevc: `${x265} -pix_fmt yuv420p10le -f hevc`,
} as const
const colours = '-colorspace bt709 -color_primaries bt709 -color_trc bt709 -color_range tv'

/** Encodes every frame with ffmpeg. This is slow, but works with all settings of the encoder and with other codecs. */
export async function codePlainly(order: CodingOrder, codec: VideoRecipe['codec']): Promise<PictureTrack> {
  const { recipe, script, ffmpeg, signal } = order
  const stream = await runFfmpeg({
    ffmpeg,
    input: bytesOf(wholePictures(await script, recipe)),
    inputOptions: rawVideo(recipe),
    outputOptions: `${colours} ${plainCodecs[codec]}`,
    signal,
  })
  const nals = splitNals(stream)
  return codec === 'hevc' ? hevcTrack(recipe, nals) : avcTrack(recipe, nals)
}

function avcTrack(recipe: VideoRecipe, nals: readonly Uint8Array[]): PictureTrack {
  const ofType = (type: number) =>
    encodedAt(
      nals.filter(nal => nalType(nal) === type),
      0,
    )
  const slices = nals.filter(nal => nalType(nal) === 1 || nalType(nal) === 5)
  const pictures = group(slices, nal => ((nal[1] ?? 0) & 0x80) !== 0).map(picture => ({
    bytes: withLengths(picture),
    sync: nalType(encodedAt(picture, 0)) === 5,
  }))
  return pictureTrack(recipe, { pictures, order: [] }, avc({ sps: ofType(7), pps: ofType(8) }))
}

function hevcTrack(recipe: VideoRecipe, nals: readonly Uint8Array[]): PictureTrack {
  const isKey = (nal: Uint8Array) => hevcNalType(nal) >= 16 && hevcNalType(nal) <= 21
  const slices = nals.filter(nal => hevcNalType(nal) < 32)
  const pictures = group(slices, nal => ((nal[2] ?? 0) & 0x80) !== 0).map(picture => ({
    bytes: withStartCodes(picture),
    sync: isKey(encodedAt(picture, 0)),
  }))
  const sets = withStartCodes(nals.filter(nal => [32, 33, 34].includes(hevcNalType(nal))).slice(0, 3))
  return pictureTrack(recipe, { pictures, order: [] }, { coding: 'hevc', codec: 'hvc1.2.4.L120.90', sets })
}

/** The type of an HEVC NAL unit. */
function hevcNalType(nal: Uint8Array): number {
  return ((nal[0] ?? 0) >> 1) & 0x3f
}

function withStartCodes(nals: readonly Uint8Array[]): Uint8Array {
  return Buffer.concat(nals.flatMap(nal => [Buffer.from([0, 0, 0, 1]), nal]))
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
