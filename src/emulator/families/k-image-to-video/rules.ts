import type { MediaLimits } from '../../../media/index.ts'
import { FaultError } from '../../faults/fault-error.ts'
import type { Call } from '../../pipeline/endpoint.ts'
import { checkNoCallback } from '../create-rules.ts'
import { byExternalId } from './tasks.ts'

/** The options of a submission. The newer shapes have them below `options`, the older ones at the top level. */
export interface Options {
  callback_url?: unknown
  external_task_id?: string
  watermark_info?: { enabled?: boolean | '' }
}

/** The value, or undefined for "", which vendors' examples send for "not set" (K-empty). */
export function given<T>(value: T | '' | undefined): T | undefined {
  return value === '' ? undefined : value
}

/** Reads the options of a submission; the top level wins. Throws for a callback and for an external id that is in use. */
export function readOptions(call: Call, body: Options & { options?: Options }): Chosen {
  checkNoCallback({
    callback_url: body.callback_url,
    'options.callback_url': body.options?.callback_url,
  })
  const externalId = given(body.external_task_id) ?? given(body.options?.external_task_id)
  checkExternalId(call, externalId)
  const watermark =
    given(body.watermark_info?.enabled) ?? given(body.options?.watermark_info?.enabled) ?? false
  return { watermark, ...(externalId !== undefined && { externalId }) }
}

/** The options of a submission of either shape. */
export interface Chosen {
  watermark: boolean
  externalId?: string
}

/** Refuses a second use of an external id, in upstream's words. This protects the caller from paying twice (K-external-id). */
function checkExternalId(call: Call, externalId: string | undefined): void {
  if (externalId === undefined || !byExternalId(call, externalId)) return
  throw new FaultError('invalid_parameter', {
    param: 'external_task_id',
    message: `External_task_id ${externalId.slice(0, 80)} already exists`,
  })
}

/** Upstream's limits for every picture: JPEG or PNG, each side at least 300 px, 1:2.5 to 2.5:1. */
export function imageLimits(maxMegabytes: number): MediaLimits {
  return {
    formats: ['jpeg', 'png'],
    maxBytes: maxMegabytes * 1024 * 1024,
    sidePx: { min: 300 },
    aspect: { min: 0.4, max: 2.5 },
  }
}
