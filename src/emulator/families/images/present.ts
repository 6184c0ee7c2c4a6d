import type { Fault } from '../../faults/fault.ts'
import type { Task, TaskError } from '../../worlds/task.ts'
import {
  type Dialect,
  messageOf,
  requestId,
  standardFailure,
  type UpstreamWire,
  upstreamWire,
} from '../family.ts'
import { type ImageJob, type Picture, picturesOf, tokensOf } from './job.ts'
import { errorBody, type GenerateReply } from './schema.ts'

/** HTTP status and code for each fault (Spec, "Errors", Image); where it is silent, those of family A's upstream. */
const wire: Readonly<Record<Fault, UpstreamWire>> = {
  ...upstreamWire,
  missing_parameter: upstreamWire.invalid_parameter,
  unknown_model: upstreamWire.invalid_parameter,
  rate_limited: [429, 'RateLimitExceeded'],
}

const realFaceCode = 'InputImageSensitiveContentDetected.PrivacyInformation'

/** The error body of the image operation: `{error:{code, message}}` (Spec, "Errors"). */
export const dialect: Dialect = {
  error({ fault, detail }, envelope) {
    const [status, code] = wire[fault]
    const message = `${detail.message ?? messageOf({ fault, detail })} Request id: ${envelope.requestId}`
    const given = detail.about === 'real_face' ? realFaceCode : detail.code
    return { status: statusOf(given) ?? status, body: { error: { code: given ?? code, message } } }
  },
  requestId,
  errorSchema: errorBody,
}

/**
 * The reply for a generation that fails. Its status belongs to its code (Spec, "Errors": "code and message follow the real
 * cause").
 */
function statusOf(code: string | undefined): number | undefined {
  if (code === undefined) return undefined
  if (code.includes('SensitiveContentDetected')) return 403
  return Object.values(wire).find(([, known]) => known === code.split('.')[0])?.[0]
}

const failureMessages = {
  InternalServiceError: standardFailure,
  OutputImageSensitiveContentDetected:
    'The request failed because the output image may contain sensitive information.',
} as const

/** Fills in the code or message of a failure that a scenario gives only in part. */
export function failureOf({ code = 'InternalServiceError', message }: Partial<TaskError>): TaskError {
  const known = Object.entries(failureMessages).find(([name]) => name === code)?.[1]
  return { code, message: message ?? known ?? `The generation failed with ${code}.` }
}

type Item = GenerateReply['data'][number]

/** How one picture is delivered: as a link, as base64, or empty when a scenario leaves the address out. */
export type Delivery = Pick<Item, 'url' | 'b64_json'>

/** The reply (Spec, "Image: request and response"). The base of a decomposition has no box and no name (I-layers). */
export function generateReply(task: Task, deliveries: readonly Delivery[]): GenerateReply {
  const job = task.job as ImageJob
  const pictures = picturesOf(task)
  const tokens = tokensOf(pictures)
  return {
    model: task.model,
    created: Math.floor(task.plan.endsAt / 1000),
    data: pictures.map((picture, index) =>
      itemOf(picture, { ...deliveries[index] }, job.mode === 'layers' ? index : undefined),
    ),
    usage: {
      input_images: job.inputs.length,
      generated_images: pictures.length,
      output_tokens: tokens,
      total_tokens: tokens,
    },
  }
}

function itemOf(
  { size: [width, height], format, box, name, description }: Picture,
  delivery: Delivery,
  zIndex: number | undefined,
): Item {
  return {
    ...delivery,
    size: `${width}x${height}`,
    output_format: format,
    ...(zIndex !== undefined && { z_index: zIndex }),
    ...(box && { bounding_box: { absolute: [...box.absolute], normalized: [...box.normalized] } }),
    ...(name !== undefined && { name }),
    ...(description !== undefined && { description }),
  }
}
