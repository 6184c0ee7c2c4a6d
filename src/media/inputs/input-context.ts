import type { MediaFacts, MediaKind } from '../media-facts.ts'
import type { Digest } from '../recipe.ts'
import type { Address } from './download.ts'
import type { InputPolicy } from './fetch-policy.ts'
import type { InputPlaces } from './places.ts'
import type { Prepare } from './prepare-input.ts'

/** A file of the asset library. */
export interface AssetFile {
  kind: MediaKind
  /** The name it was uploaded under. */
  name: string
  /** The asset belongs to a person who passed real-person certification. */
  certifiedPerson: boolean
  /** What is known already; then nothing is read or measured. */
  facts?: MediaFacts
  read(): Promise<Buffer>
}

/** A result of a task or a sample of this emulator, reached without HTTP. */
export interface SelfLinkFile {
  name: string
  /** What is known already; then nothing is read or measured. */
  facts?: Omit<MediaFacts, 'origin'>
  /** May throw MediaFault, for example `unreachable` for a link that has expired. */
  read(): Promise<Buffer>
}

/** All that resolving needs from its surroundings. */
export interface InputContext {
  /** Measures files and keeps their posters. */
  prepare: Prepare
  places: InputPlaces
  /** The world that asks: places are shared fairly between worlds. */
  world: string
  /** Keeps a file under its content digest. */
  keep(bytes: Buffer): Promise<Digest>
  /** Ends what is being read. */
  signal?: AbortSignal
  policy: InputPolicy
  /** The most bytes one file may have; nothing beyond is read. */
  maxBytes: number
  asset(id: string): AssetFile | undefined
  /** The file behind a link of this emulator; undefined for foreign links. */
  own(url: URL): SelfLinkFile | undefined
  /** Take a reference without a scheme for plain base64, as family K's older paths send it. */
  rawBase64?: boolean
  /** Keep the file as it is, too, for use beyond its posters. */
  keepWhole?: boolean
  /** Keep its sound, for a rendering that carries it. */
  keepSound?: boolean
  /** Wall time for one download with all its redirects; 10 s when absent. */
  timeLimitMs?: number
  /** Name lookup; the operating system's when absent. */
  resolve?(host: string): Promise<readonly Address[]>
}
