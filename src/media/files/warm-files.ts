import { open, stat } from 'node:fs/promises'
import type { Transfer } from '../../emulator/ground.ts'

/**
 * Result files never change under their name, so the latest small ones are kept in memory: a player asks for a file in many
 * ranges, and each saves opening, reading and closing it.
 */
export interface WarmFiles {
  /** The size of a file in bytes. */
  sizeOf(path: string): Promise<number>
  /** The bytes of a file from `start` to `end`, both included; undefined when the file is too large for memory and must be streamed. */
  partOf(path: string, start: number, end: number): Promise<Buffer | undefined>
}

const largestBytes = 2 * 1024 * 1024
const mostBytes = 16 * 1024 * 1024

export function createWarmFiles(): WarmFiles {
  const warm = new Map<string, Buffer>()
  let bytesKept = 0

  const keep = (path: string, whole: Buffer) => {
    if (warm.has(path)) return
    warm.set(path, whole)
    bytesKept += whole.length
    for (const [oldest, bytes] of warm) {
      if (bytesKept <= mostBytes) return
      warm.delete(oldest)
      bytesKept -= bytes.length
    }
  }

  return {
    sizeOf: async path => warm.get(path)?.length ?? (await stat(path)).size,
    async partOf(path, start, end) {
      const known = warm.get(path)
      const whole = known ?? (await readWhole(path))
      if (whole && !known) keep(path, whole)
      return whole?.subarray(start, end + 1)
    },
  }
}

async function readWhole(path: string): Promise<Buffer | undefined> {
  const handle = await open(path)
  try {
    const { size } = await handle.stat()
    return size > largestBytes ? undefined : await handle.readFile()
  } finally {
    await handle.close()
  }
}

/** Large files are streamed in chunks of this size. */
const chunkBytes = 256 * 1024

/** The bytes of a transfer, in memory or as an open stream; undefined when it has none. Rejects when the file cannot be read. */
export async function openTransfer(
  { file, start, end }: Transfer,
  files: WarmFiles,
): Promise<Buffer | AsyncIterable<Buffer> | undefined> {
  if (end < start) return undefined
  const part = await files.partOf(file, start, end)
  if (part) return part
  const handle = await open(file)
  return handle.createReadStream({ start, end, highWaterMark: chunkBytes })
}
