import { createGate } from '../gate.ts'
import type { MediaKind } from '../media-facts.ts'
import { MediaFault } from '../media-fault.ts'
import type { Digest } from '../recipe.ts'
import { extractEnds } from '../render-poster.ts'
import { formatOfPath } from './formats.ts'
import { digestOf, type Measured, measure } from './measure.ts'
import { makePoster } from './poster.ts'

/** Where pictures go that renderings will need, and the program that takes frames out of videos. */
export interface PictureStore {
  /** Keeps a picture under its content digest. */
  keep(bytes: Buffer, ending: string): Promise<Digest>
  /** Whether a picture kept earlier is still there. */
  hasKept(digest: Digest): Promise<boolean>
  /** The path of ffmpeg. Without it videos and BMP pictures get no poster. */
  ffmpeg?(): Promise<string>
  /** Ends what ffmpeg is doing. */
  signal?: AbortSignal
}

interface Posters {
  poster?: Digest
  lastPoster?: Digest
}

export type Prepared = Measured & Posters

/** What was found out about a content holds for ever, so the last few hundred contents are not decoded again. */
const known = new Map<Digest, Prepared>()
const mostKnown = 256

/** A progressive picture of 36 million pixels takes some 250 MB while it is decoded; two at once stay within memory. */
const decoding = createGate(2)

/**
 * Measures a file, refuses it when it is not of the wanted kind, and keeps its posters.
 * `name` is a path or file name; it tells apart only what bytes do not (md from txt, xls from doc).
 * Throws MediaFault `wrong_kind` and whatever `measure` throws.
 */
export function prepareInput(
  bytes: Buffer,
  want: { kind: MediaKind; name: string },
  store: PictureStore,
): Promise<Prepared> {
  return decoding.run(() => prepare(bytes, want, store))
}

async function prepare(
  bytes: Buffer,
  want: { kind: MediaKind; name: string },
  store: PictureStore,
): Promise<Prepared> {
  const digest = digestOf(bytes)
  const before = known.get(digest)
  if (before && (await hasPosters(before, store))) return named(checkKind(before, want.kind), want.name)
  const measured = checkKind(before ?? (await measure(bytes, digest)), want.kind)
  const prepared = { ...measured, ...(await keepPosters(bytes, measured, store)) }
  remember(prepared)
  return named(prepared, want.name)
}

function checkKind<T extends Measured>(measured: T, want: MediaKind): T {
  if (measured.kind === want) return measured
  throw new MediaFault(
    'wrong_kind',
    `the file is ${measured.kind} (${measured.format}), and ${want} is needed`,
  )
}

async function hasPosters(prepared: Prepared, store: PictureStore): Promise<boolean> {
  if (prepared.poster === undefined) return store.ffmpeg === undefined || !needsFfmpeg(prepared)
  const last = prepared.lastPoster ?? prepared.poster
  return (await store.hasKept(prepared.poster)) && (await store.hasKept(last))
}

function needsFfmpeg(measured: Measured): boolean {
  return measured.kind === 'video' || measured.format === 'bmp'
}

function remember(prepared: Prepared): void {
  const oldest = known.keys().next().value
  if (known.size >= mostKnown && oldest !== undefined) known.delete(oldest)
  known.set(prepared.digest, prepared)
}

async function keepPosters(bytes: Buffer, measured: Measured, store: PictureStore): Promise<Posters> {
  if (needsFfmpeg(measured)) return store.ffmpeg ? keepEnds(bytes, measured, store, await store.ffmpeg()) : {}
  // The libvips that sharp brings decodes no HEVC pictures: they are measured and accepted, but not shown.
  if (measured.kind !== 'image' || measured.videoCodec === 'hevc') return {}
  return { poster: await keepPoster(bytes, store) }
}

async function keepEnds(
  bytes: Buffer,
  measured: Measured,
  store: PictureStore,
  ffmpeg: string,
): Promise<Posters> {
  const { first, last } = await extractEnds(bytes, measured, ffmpeg, store.signal)
  const poster = await keepPoster(first, store)
  if (measured.kind === 'image') return { poster }
  return { poster, lastPoster: first === last ? poster : await keepPoster(last, store) }
}

async function keepPoster(picture: Buffer, store: PictureStore): Promise<Digest> {
  const { bytes, ending } = await makePoster(picture)
  return store.keep(bytes, ending)
}

/** Formats that share one form of file. */
const families = [
  ['txt', 'md'],
  ['doc', 'xls', 'ppt'],
  ['pages', 'key', 'numbers'],
]

function named(prepared: Prepared, name: string): Prepared {
  const promised = formatOfPath(name)?.format
  const family = families.find(each => each.includes(prepared.format))
  return promised && family?.includes(promised) ? { ...prepared, format: promised } : { ...prepared }
}
