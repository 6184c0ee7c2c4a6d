import type { IncomingMessage } from 'node:http'
import { PassThrough, type Transform } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'

/**
 * A stream that decompresses a reply. The recorder does not ask for compression, and some gateways announce it for plain bodies:
 * a body counts as gzip only when it begins like gzip.
 */
export async function decoded(reply: IncomingMessage): Promise<Transform> {
  switch (reply.headers['content-encoding']) {
    case 'gzip':
    case 'x-gzip':
      return (await beginsAsGzip(reply)) ? createGunzip() : new PassThrough()
    case 'br':
      return createBrotliDecompress()
    case 'deflate':
      return createInflate()
    default:
      return new PassThrough()
  }
}

/** Reads the first bytes and puts them back into the stream. */
function beginsAsGzip(reply: IncomingMessage): Promise<boolean> {
  return new Promise(resolve => {
    const look = () => {
      const chunk: Buffer | null = reply.read()
      if (chunk === null && !reply.readableEnded && !reply.complete) return
      reply.off('readable', look).off('end', look)
      if (chunk) reply.unshift(chunk)
      resolve(chunk !== null && chunk[0] === 0x1f && chunk[1] === 0x8b)
    }
    reply.on('readable', look).on('end', look)
  })
}
