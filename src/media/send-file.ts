import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { pipeline } from 'node:stream/promises'
import type { Transfer } from '../http/transfer.ts'
import { type DeliveryFaults, sendFaulty } from '../scenarios/faults.ts'

/** Parts up to this size are read whole and sent at once; larger ones are streamed in chunks of it. */
const chunkBytes = 256 * 1024

/** Sends what a transfer says, through the faults that a scenario put in its way. Ends early without a word when the client goes. */
export async function sendTransfer(
  response: ServerResponse,
  transfer: Transfer,
  faults: DeliveryFaults,
): Promise<void> {
  const { status, headers, file, start, end } = transfer
  response.sendDate = false
  if (end < start) {
    response.writeHead(status, headers).end()
    return
  }
  if (faults.media || faults.connection) {
    const payload: AsyncIterable<Buffer> = createReadStream(file, { start, end })
    return sendFaulty(response, { status, headers, payload }, faults)
  }
  if (end - start < chunkBytes) {
    const part = await readPart(file, start, end)
    response.writeHead(status, headers).end(part)
    return
  }
  response.writeHead(status, headers)
  try {
    await pipeline(createReadStream(file, { start, end, highWaterMark: chunkBytes }), response)
  } catch {
    // The client went away; the response is closed already.
  }
}

async function readPart(file: string, start: number, end: number): Promise<Buffer> {
  const handle = await open(file)
  try {
    const part = Buffer.allocUnsafe(end - start + 1)
    await handle.read(part, 0, part.length, start)
    return part
  } finally {
    await handle.close()
  }
}
