import type { Tool } from '../tools.ts'
import { codePlainly } from '../video/code-plainly.ts'
import type { PictureTrack } from '../video/movie.ts'
import type { CodingOrder } from '../video/video-coding.ts'
import { codeByParts } from './parts.ts'
import { UnexpectedStreamError } from './read-stream.ts'

/**
 * Codes the pictures of a video. H.264 for browsers is put together from parts; README.md in this folder explains how. Other codecs, and
 * an encoder whose stream cannot be taken apart, code every frame.
 */
export async function codeVideo(order: CodingOrder, tool: Tool): Promise<PictureTrack> {
  const { codec } = order.recipe
  if (codec === 'h264_444' || (codec === 'hevc' && tool.can.libx265)) return await codePlainly(order, codec)
  try {
    return await codeByParts(order)
  } catch (error) {
    if (!(error instanceof UnexpectedStreamError)) throw error
    return await codePlainly(order, 'h264')
  }
}
