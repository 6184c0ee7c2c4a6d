import { digest, flag, id, measure, record, text, type Value } from './record-values.ts'

/** The name of a content everywhere in the emulator: SHA-256, hex. */
export type Digest = string

const mediaKinds = ['image', 'video', 'audio', 'document'] as const
export type MediaKind = (typeof mediaKinds)[number]

/** The schema of facts in data files and state documents. */
export const mediaFactsSchema = record(
  {
    kind: { enum: mediaKinds },
    /** Lower-case name of the format: jpeg, png, webp, bmp, tiff, gif, heic, heif, avif, mp4, mov, webm, mp3, wav, aac, m4a, … */
    format: id,
    bytes: measure,
    /** Of the content. */
    digest,
    /** Where the bytes came from; `stand_in` means that they were not read and that the properties are assumed. */
    origin: { enum: ['data', 'http', 'asset', 'own', 'stand_in'] },
    /** It shows a real person without a certification (Spec, "What the service does" 6). */
    realFace: flag,
  },
  {
    widthPx: measure,
    heightPx: measure,
    /** The picture has an alpha channel. */
    hasAlpha: flag,
    /** At least one pixel is not fully opaque. Only set for pictures with an alpha channel. */
    isTransparent: flag,
    seconds: measure,
    fps: measure,
    frames: measure,
    hasAudio: flag,
    videoCodec: id,
    audioCodec: id,
    /** The number of pages of a PDF, when it can be read without decompressing the file. */
    pages: measure,
    /** Pictures in the library that represent the input in renderings (an image itself; a video's first and last frame). */
    poster: digest,
    lastPoster: digest,
    /** The sound of the file as AAC, kept in the library. Only when a rendering will use it. */
    sound: digest,
    /** One sentence for the task's story when the bytes were not read: the reason, and the assumed properties. */
    note: text,
  },
)

/** The properties of one input file, read from its bytes and not from its declared type. Absent = not applicable or not known. */
export type MediaFacts = Value<typeof mediaFactsSchema>
