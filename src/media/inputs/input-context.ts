import type { MediaFacts, MediaKind } from '../../emulator/ground.ts'
import type { InputPlaces } from '../files/gate.ts'
import type { Digest } from '../render/recipe.ts'
import type { Address } from './download.ts'
import type { InputPolicy } from './fetch-policy.ts'
import type { Prepare } from './prepare-input.ts'

/** A file of the asset library. */
export interface AssetFile {
  kind: MediaKind
  /** The name it was uploaded under. */
  name: string
  /** True when the asset shows a person who has passed real-person certification. */
  certifiedPerson: boolean
  /** Known facts; with them, nothing is read or measured. */
  facts?: MediaFacts
  read(): Promise<Buffer>
}

/** A result of a task or a sample of this emulator, reached without HTTP. */
export interface SelfLinkFile {
  name: string
  /** Known facts; with them, nothing is read or measured. */
  facts?: Omit<MediaFacts, 'origin'>
  /** May throw InputError, for example `unreachable` for a link that has expired. */
  read(): Promise<Buffer>
}

/** The surroundings of a request whose inputs are resolved. */
export interface InputContext {
  /** Measures files and keeps their posters. */
  prepare: Prepare
  places: InputPlaces
  /** The world of the request: places are shared fairly between worlds. */
  world: string
  /** Keeps a file under its content digest. */
  keep(bytes: Buffer): Promise<Digest>
  /** Stops the reading. */
  signal?: AbortSignal
  policy: InputPolicy
  /** The most bytes that one file may have; more are not read. */
  maxBytes: number
  asset(id: string): AssetFile | undefined
  /** The file behind a link of this emulator; undefined for foreign links. */
  own(url: URL): SelfLinkFile | undefined
  /** Whether a reference without a scheme is plain base64, as on family K's older paths. */
  rawBase64?: boolean
  /** Whether the whole file is kept too, not only its posters. */
  keepWhole?: boolean
  /** Whether its sound is kept, for a rendering that uses it. */
  keepSound?: boolean
  /** For one download with all its redirects; 10 s when absent. Time in which this process has no processor does not count. */
  timeLimitMs?: number
  /** Name lookup; the operating system's when absent. */
  resolve?(host: string): Promise<readonly Address[]>
}
