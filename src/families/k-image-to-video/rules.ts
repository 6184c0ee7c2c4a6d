import type { Call } from '../../http/endpoint.ts'
import { ApiError } from '../../http/errors.ts'
import type { MediaLimits } from '../../media/limits.ts'
import { checkNoCallback } from '../callbacks.ts'
import { byExternalId } from './tasks.ts'

/** Options as the newer shapes (below `options`) and the older ones (top level) carry them. */
export interface Options {
  callback_url?: unknown
  external_task_id?: string
  watermark_info?: { enabled?: boolean | '' }
}

/** A value, or undefined when the caller left it unset: "" asks for nothing (K-empty). */
export function given<T>(value: T | '' | undefined): T | undefined {
  return value === '' ? undefined : value
}

/** What a submission's options ask for, from wherever they stand; top level first. Throws for a callback and for a used name. */
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

/** Options in their one meaning. */
export interface Chosen {
  watermark: boolean
  externalId?: string
}

/** A second use of a name is refused in upstream's words; so a name guards against paying twice (K-external-id). */
function checkExternalId(call: Call, externalId: string | undefined): void {
  if (externalId === undefined || !byExternalId(call, externalId)) return
  throw new ApiError('invalid_parameter', {
    param: 'external_task_id',
    message: `External_task_id ${externalId.slice(0, 80)} already exists`,
  })
}

/** Each side at least 300 px, 1:2.5 to 2.5:1, JPEG or PNG: upstream's limits for every picture it takes. */
export function imageLimits(maxMegabytes: number): MediaLimits {
  return {
    formats: ['jpeg', 'png'],
    maxBytes: maxMegabytes * 1024 * 1024,
    sidePx: { min: 300 },
    aspect: { min: 0.4, max: 2.5 },
  }
}
