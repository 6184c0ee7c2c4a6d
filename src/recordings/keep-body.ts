import { createHash } from 'node:crypto'
import { type FileHandle, mkdtemp, open, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Transform } from 'node:stream'
import { describeMedia, plainType } from './describe-media.ts'
import type { Body } from './har.ts'

/** A body that passes by: everything goes on, and in the end it is known what it was. */
export interface KeptBody {
  through: Transform
  /** What passed; to be asked once, when all has. */
  body(): Promise<Body>
}

/** Texts beyond this are counted and not kept. Bytes. */
const longestText = 192 * 1024 * 1024
/** Files beyond this are counted and hashed, and not measured. Bytes. */
const largestMeasured = 256 * 1024 * 1024

/** Keeps a body that is a text (JSON, XML, plain), in memory. `beforeEnd` is waited for before the last byte goes on. */
export function keepText(beforeEnd: () => Promise<void> = async () => {}): KeptBody {
  const chunks: Buffer[] = []
  let bytes = 0
  return {
    through: holding(async chunk => {
      bytes += chunk.length
      if (bytes <= longestText) chunks.push(chunk)
    }, beforeEnd),
    async body() {
      if (bytes === 0) return { kind: 'none' }
      if (bytes > longestText) return { kind: 'text', text: '{', bytes }
      return { kind: 'text', text: Buffer.concat(chunks).toString('utf8'), bytes }
    },
  }
}

/** Keeps a file beside, on the disk, until it has been described. */
export function keepFile(type: string, beforeEnd: () => Promise<void>): KeptBody {
  const hash = createHash('sha256')
  let bytes = 0
  let place: { folder: string; file: FileHandle } | undefined
  const write = async (chunk: Buffer) => {
    hash.update(chunk)
    bytes += chunk.length
    if (bytes > largestMeasured) return
    if (!place) {
      const folder = await mkdtemp(join(tmpdir(), 'gateway-recording-'))
      place = { folder, file: await open(join(folder, 'file'), 'w') }
    }
    await place.file.write(chunk)
  }
  return {
    through: holding(write, beforeEnd),
    async body() {
      if (!place) return { kind: 'none' }
      const { folder, file } = place
      await file.close()
      try {
        const sha256 = hash.digest('hex')
        const media =
          bytes > largestMeasured
            ? { type: plainType(type) || 'application/octet-stream', bytes, sha256 }
            : await describeMedia(await readFile(join(folder, 'file')), type)
        return { kind: 'file', media, bytes }
      } finally {
        await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 })
      }
    },
  }
}

/** Passes chunks on one behind: the last one goes when `beforeEnd` has resolved, so that the client does not have the whole body before. */
function holding(keep: (chunk: Buffer) => Promise<void>, beforeEnd: () => Promise<void>): Transform {
  let last: Buffer | undefined
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      const previous = last
      last = chunk
      keep(chunk).then(() => done(null, previous), done)
    },
    flush(done) {
      beforeEnd().then(() => done(null, last), done)
    },
  })
}

/** Whether a body of that type is kept as a text. */
export function isText(type: string): boolean {
  return /^$|json|xml|^text\/|x-www-form-urlencoded|event-stream/.test(plainType(type))
}
