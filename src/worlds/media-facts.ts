import { digest, flag, id, measure, record, text } from './record-values.ts'

/** The name of a content everywhere in the emulator: SHA-256, hex. */
export type Digest = string

const mediaKinds = ['image', 'video', 'audio', 'document'] as const
export type MediaKind = (typeof mediaKinds)[number]

const mediaOrigins = ['data', 'http', 'asset', 'own', 'stand_in'] as const

/** The properties of one input file, read from its bytes and not from its declared type. Absent = not applicable or not known. */
export interface MediaFacts {
  kind: MediaKind
  /** Lower-case name of the format: jpeg, png, webp, bmp, tiff, gif, heic, heif, avif, mp4, mov, webm, mp3, wav, aac, m4a, … */
  format: string
  bytes: number
  /** SHA-256 of the content, hex. */
  digest: Digest
  widthPx?: number
  heightPx?: number
  /** The picture has an alpha channel. */
  hasAlpha?: boolean
  /** At least one pixel is not fully opaque. Only set for pictures with an alpha channel. */
  isTransparent?: boolean
  seconds?: number
  fps?: number
  frames?: number
  hasAudio?: boolean
  videoCodec?: string
  audioCodec?: string
  /** The number of pages of a PDF, when it can be read without decompressing the file. */
  pages?: number
  /** Pictures in the library that represent the input in renderings (an image itself; a video's first and last frame). */
  poster?: Digest
  lastPoster?: Digest
  /** The sound of the file as AAC, kept in the library. Only when a rendering will use it. */
  sound?: Digest
  /** Where the bytes came from; `stand_in` means that they were not read and that the properties are assumed. */
  origin: (typeof mediaOrigins)[number]
  /** It shows a real person without a certification (Spec, "What the service does" 6). */
  realFace: boolean
  /** One sentence for the task's story when the bytes were not read: the reason, and the assumed properties. */
  note?: string
}

/** The schema of facts in data files and state documents. */
export const mediaFactsSchema = record<MediaFacts>(
  {
    kind: { enum: mediaKinds },
    format: id,
    bytes: measure,
    digest,
    origin: { enum: mediaOrigins },
    realFace: flag,
  },
  {
    widthPx: measure,
    heightPx: measure,
    hasAlpha: flag,
    isTransparent: flag,
    seconds: measure,
    fps: measure,
    frames: measure,
    hasAudio: flag,
    videoCodec: id,
    audioCodec: id,
    pages: measure,
    poster: digest,
    lastPoster: digest,
    sound: digest,
    note: text,
  },
)
