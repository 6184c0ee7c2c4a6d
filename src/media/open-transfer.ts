import { open } from 'node:fs/promises'
import type { Transfer } from '../http/transfer.ts'
import type { WarmFiles } from './warm-files.ts'

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
