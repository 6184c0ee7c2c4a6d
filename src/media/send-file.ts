import { createReadStream } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { pipeline } from 'node:stream/promises'
import type { Transfer } from '../http/transfer.ts'
import { type DeliveryFaults, sendFaulty } from '../scenarios/faults.ts'
import { partOf } from './warm-files.ts'

/** Large files are streamed in chunks of this size. */
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
  const part = await partOf(file, start, end)
  if (part) {
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
