import type { IncomingMessage } from 'node:http'
import { PassThrough, type Transform } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'

/**
 * What takes off the compression of a reply. Compression was not asked for, and some gateways claim it of bodies that are plain:
 * gzip is believed only when the body begins as gzip does.
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

/** Looks at the first bytes and puts them back. */
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
