import { open, stat } from 'node:fs/promises'

/** Result files never change under their name, so the latest small ones are kept in memory: a player asks for a file in many ranges. */
const warm = new Map<string, Buffer>()
const largestBytes = 2 * 1024 * 1024
const mostBytes = 16 * 1024 * 1024
let bytesKept = 0

/** Whether a file can still be read: whoever cleans temporary folders does not ask. */
export async function isThere(path: string): Promise<boolean> {
  return (
    warm.has(path) ||
    stat(path).then(
      () => true,
      () => false,
    )
  )
}

/** The size of a file in bytes. */
export async function sizeOf(path: string): Promise<number> {
  return warm.get(path)?.length ?? (await stat(path)).size
}

/** The bytes of a file from `start` to `end`, both included; undefined when the file is too large to be kept, and is better streamed. */
export async function partOf(path: string, start: number, end: number): Promise<Buffer | undefined> {
  const whole = warm.get(path) ?? (await readWhole(path))
  return whole?.subarray(start, end + 1)
}

async function readWhole(path: string): Promise<Buffer | undefined> {
  const handle = await open(path)
  try {
    const { size } = await handle.stat()
    if (size > largestBytes) return undefined
    const whole = await handle.readFile()
    keep(path, whole)
    return whole
  } finally {
    await handle.close()
  }
}

function keep(path: string, whole: Buffer): void {
  if (warm.has(path)) return
  warm.set(path, whole)
  bytesKept += whole.length
  for (const [oldest, bytes] of warm) {
    if (bytesKept <= mostBytes) return
    warm.delete(oldest)
    bytesKept -= bytes.length
  }
}
