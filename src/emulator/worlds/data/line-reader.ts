import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'

const CHUNK_BYTES = 1024 * 1024
const NEWLINE = 10

/** Where a line is in its file: its number from 1, the offset of its first byte, and the offset after its newline. */
export type LineSpan = { line: number; start: number; end: number }

/** The first bytes of a file, as text. */
export async function readStart(path: string, bytes: number): Promise<string> {
  const handle = await open(path)
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(bytes), 0, bytes, 0)
    return buffer.toString('utf8', 0, bytesRead)
  } finally {
    await handle.close()
  }
}

/** Calls back for every complete line, without its newline; returns the text after the last newline and the file's size in bytes. */
export async function readLines(
  path: string,
  onLine: (line: Buffer, place: LineSpan) => void,
): Promise<{ rest: Buffer; bytes: number }> {
  let line = 0
  let start = 0
  let offset = 0
  let rest: Buffer[] = []
  for await (const part of createReadStream(path, { highWaterMark: CHUNK_BYTES })) {
    const chunk: Buffer = part
    let from = 0
    for (let to = chunk.indexOf(NEWLINE); to >= 0; to = chunk.indexOf(NEWLINE, from)) {
      const tail = chunk.subarray(from, to)
      const end = offset + to + 1
      line += 1
      onLine(rest.length > 0 ? Buffer.concat([...rest, tail]) : tail, { line, start, end })
      rest = []
      start = end
      from = to + 1
    }
    if (from < chunk.length) rest.push(chunk.subarray(from))
    offset += chunk.length
  }
  return { rest: Buffer.concat(rest), bytes: offset }
}
