import { createHash } from 'node:crypto'
import type { Digest } from './recipe.ts'

/** SHA-256, hex: the name of a content everywhere in the emulator. */
export function digestOf(bytes: Uint8Array): Digest {
  return createHash('sha256').update(bytes).digest('hex')
}
