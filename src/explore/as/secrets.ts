import type { IncomingMessage } from 'node:http'
import { allSpellings, shortestSecret } from '../../emulator/gateway.ts'

/** The texts that may be written nowhere: keys of the program's environment and of its requests. */
export interface Secrets {
  /** Notes a text; short ones would be found inside ordinary words. */
  add(text: string): void
  /** A text with stars in the place of each secret. */
  masked(text: string): string
  /** The same for bytes: as many as before. */
  maskedBytes(bytes: Buffer): Buffer
  /** The length of the longest secret, bytes: so much of one part of a stream may belong to a secret that ends in the next part. */
  longest(): number
}

/** Clients that sign each call have a key for each: the oldest ones are forgotten. */
const mostSecrets = 200

/** Secrets of one command: those of its environment, and those of its requests. `own` are keys of the emulator, which are no secrets. */
export function createSecrets(own: (text: string) => boolean, given: readonly string[] = []): Secrets {
  const spelled = (text: string) => {
    const plain = text.trim()
    return plain.length < shortestSecret || own(plain) ? [] : allSpellings(plain)
  }
  const lasting = given.flatMap(spelled)
  const ofRequests = new Map<string, string[]>()
  const all = () => [...new Set([...lasting, ...[...ofRequests.values()].flat()])]
  const ordered = () => all().sort((one, other) => other.length - one.length)
  return {
    add(text) {
      ofRequests.set(text, spelled(text))
      const [oldest] = ofRequests.keys()
      if (ofRequests.size > mostSecrets && oldest !== undefined) ofRequests.delete(oldest)
    },
    masked: text =>
      ordered().reduce(
        (all, secret) => (all.includes(secret) ? all.replaceAll(secret, stars(secret)) : all),
        text,
      ),
    maskedBytes(bytes) {
      const found = ordered().filter(secret => bytes.includes(secret))
      if (found.length === 0) return bytes
      const text = found.reduce(
        (all, secret) => all.replaceAll(latin1(secret), stars(latin1(secret))),
        bytes.toString('latin1'),
      )
      return Buffer.from(text, 'latin1')
    },
    longest: () => Math.max(0, ...all().map(secret => Buffer.byteLength(secret))),
  }
}

function stars(text: string): string {
  return '*'.repeat(text.length)
}

function latin1(text: string): string {
  return Buffer.from(text).toString('latin1')
}

/** Every text of a value with stars in the place of each secret; functions are left out. */
export function maskedData<T>(value: T, masked: (text: string) => string): T {
  if (typeof value === 'string') return masked(value) as T
  if (Array.isArray(value)) return value.map(entry => maskedData(entry, masked)) as T
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).filter(([, entry]) => typeof entry !== 'function')
  return Object.fromEntries(entries.map(([key, entry]) => [masked(key), maskedData(entry, masked)])) as T
}

/** Puts stars in the place of each secret in a body that has not been read yet. Its length stays the same. */
export function maskBody(request: IncomingMessage, secrets: Secrets): void {
  const push = request.push.bind(request)
  let held: Buffer = Buffer.alloc(0)
  // Node gives each part of the body to `push`.
  request.push = (chunk: Buffer | string | null, encoding?: BufferEncoding) => {
    if (chunk === null) {
      if (held.length > 0) push(secrets.maskedBytes(held))
      return push(null)
    }
    const part = typeof chunk === 'string' ? Buffer.from(chunk, encoding) : chunk
    const whole = secrets.maskedBytes(held.length === 0 ? part : Buffer.concat([held, part]))
    // The end of this part may be the beginning of a secret.
    const kept = Math.min(whole.length, Math.max(0, secrets.longest() - 1))
    held = whole.subarray(whole.length - kept)
    return whole.length === kept || push(whole.subarray(0, whole.length - kept))
  }
}
