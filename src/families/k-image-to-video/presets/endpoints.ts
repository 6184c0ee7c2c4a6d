import type { Endpoint } from '../../../pipeline/endpoint.ts'
import { succeed } from '../present.ts'
import { presetPage } from './presets.ts'
import { presetsQuery, presetsReply } from './schema.ts'

/** Spec: "paged list of official preset subjects"; the parameters are upstream's (K-presets). */
export const listPresets: Endpoint = {
  operation: 'k.presets.list',
  method: 'GET',
  paths: ['/general/advanced-presets-elements', '/v1/general/advanced-presets-elements'],
  summary: 'List the official preset subjects',
  query: presetsQuery,
  replies: { 200: presetsReply },
  handle(call) {
    const { pageNum, pageSize } = call.query as { pageNum: number; pageSize: number }
    const start = (pageNum - 1) * pageSize
    return succeed(call, presetPage(call, { start, end: start + pageSize }))
  },
}
