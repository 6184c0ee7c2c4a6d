import { digestOf } from '../digest-of.ts'
import type { MediaKind } from '../media-facts.ts'
import { MediaFault } from '../media-fault.ts'
import type { Digest } from '../recipe.ts'
import { type Examined, needsFfmpeg } from './examine.ts'
import { formatOfPath } from './formats.ts'
import type { Measured } from './measure.ts'

/** Where files are measured, and where the pictures lie that renderings will need. */
export interface PictureStore {
  /** Measures a file and keeps its posters. Throws MediaFault. */
  examine(
    file: { bytes: Buffer; digest: Digest; want: MediaKind },
    signal?: AbortSignal,
  ): Promise<Examined<Digest>>
  /** Whether a picture kept earlier is still there. */
  hasKept(digest: Digest): Promise<boolean>
}

export type Prepared = Measured & { poster?: Digest; lastPoster?: Digest }

/**
 * Measures a file, refuses it when it is not of the wanted kind, and keeps its posters.
 * `name` is a path or file name; it tells apart only what bytes do not (md from txt, xls from doc).
 * Throws MediaFault `wrong_kind` and whatever `measure` throws.
 */
export type Prepare = (
  bytes: Buffer,
  want: { kind: MediaKind; name: string },
  signal?: AbortSignal,
) => Promise<Prepared>

/** Facts of so many contents are remembered: a file sent again costs its digest instead of a worker's decoding (20 to 400 ms). */
const mostKnown = 256

/** Prepares inputs over a store, and remembers what it found out about the latest contents. */
export function createPrepare(store: PictureStore): Prepare {
  const known = new Map<Digest, Prepared>()

  const remember = (prepared: Prepared) => {
    const oldest = known.keys().next().value
    if (known.size >= mostKnown && oldest !== undefined) known.delete(oldest)
    known.set(prepared.digest, prepared)
  }

  return async (bytes, want, signal) => {
    const digest = digestOf(bytes)
    const before = known.get(digest)
    if (before && (await hasPosters(before, store))) return named(checkKind(before, want.kind), want.name)
    const { measured, ...posters } = await store.examine({ bytes, digest, want: want.kind }, signal)
    const prepared = { ...checkKind(measured, want.kind), ...posters }
    remember(prepared)
    return named(prepared, want.name)
  }
}

function checkKind<T extends Measured>(measured: T, want: MediaKind): T {
  if (measured.kind === want) return measured
  throw new MediaFault(
    'wrong_kind',
    `the file is ${measured.kind} (${measured.format}), and ${want} is needed`,
  )
}

async function hasPosters(
  { poster, lastPoster, ...measured }: Prepared,
  store: PictureStore,
): Promise<boolean> {
  if (poster === undefined) return !needsFfmpeg(measured)
  return (await store.hasKept(poster)) && (await store.hasKept(lastPoster ?? poster))
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
