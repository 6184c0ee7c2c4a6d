/** The assumption that a part of a reply belongs to: operations, path inside records, row, and the aspects when it is not about all. */
export type AssumptionRow = readonly [on: RegExp, path: RegExp, row: string, aspects?: readonly string[]]

const a = /^a\.(?:get|list)$/
const b = /^b\./
const c = /^(?:c|special)\./
const k = /^k\./
const image = /^image\./
const any = /./
const form = ['format']
const value = ['value']

/** The first row that fits counts. Differences that none has, at a place that the specification names, belong to `otherRows`. */
// biome-ignore format: a table, one row a line
export const assumptionRows: readonly AssumptionRow[] = [
  [/media\.download/, /^header\.(?!content-type)/, 'A-downloads'],
  [any, /^header\.(?:x-request-id|x-client-request-id)$/, 'A-headers'],
  [any, /^header\.retry-after$/, 'A-rate'],
  [any, /^header\.allow$/, 'A-paths'],
  [/^a\.create$/, /^id$/, 'A-times', form],
  [/^a\.create$/, /^safety_identifier$/, 'A-forbidden'],
  [/^a\.list$/, /^(?:items|total)$/, 'A-list'],
  [/^a\.delete$/, any, 'A-delete'],
  [a, /^(?:id|created_at|updated_at)$/, 'A-times', form],
  [a, /^usage\.(?:completion|total)_tokens$/, 'A-usage', value],
  [a, /^execution_expires_after$/, 'A-flags'],
  [a, /^(?:service_tier|draft|priority|safety_identifier)$/, 'A-forbidden'],
  [/^b\.list$/, any, 'B-list'],
  [/^b\.cancel$/, any, 'B-cancel'],
  [b, /^output\.(?:submit|scheduled|end)_time$/, 'B-states', ['absent', 'more', 'null']],
  [b, /^output\.(?:code|message)$|^usage$/, 'B-states'],
  [b, /^usage\.(?:duration|\w+_video_duration|fps|SR)$/, 'B-usage', value],
  [b, /^usage\.ratio$/, 'B-ratio', value],
  [c, /^(?:task_id|id|created_at|updated_at|request_id)$/, 'C-ids', form],
  [c, /^items$/, 'C-list', ['count', 'order']],
  [c, /^resolution$/, 'C-task', ['absent', 'more']],
  [c, /^ratio$/, 'C-ratio', value],
  [c, /^usage(?:\.(?:total|input|output)_seconds|\.input_image_count|\.\w*tokens)?$/, 'C-usage', ['value', 'absent', 'more']],
  [/^k\.tasks/, /^data$/, 'K-batch', ['absent', 'more', 'null', 'count']],
  [k, /^data\.(?:id|task_id|create_time|update_time|created_at|updated_at)$/, 'K-ids', form],
  [/^k\.(?:create|omni|motion|tasks)/, /^data\.external_id$/, 'K-external-id'],
  [/^k\.tasks/, /^data\.outputs\.duration$/, 'K-duration', value],
  [/^k\.tasks/, /^data\.(?:outputs|outputs\.type|outputs\.watermark_url|message)$/, 'K-outputs'],
  [/^k\.avatar\.create/, /^data\./, 'K-avatar'],
  [/^k\.voice\.create/, /^data\./, 'K-voice'],
  [image, /^data\.size$/, 'I-size', value],
  [image, /^usage\.(?:input_images|generated_images|output_tokens|total_tokens)$/, 'I-usage', value],
]

/** Files behind links, by the family of the task. */
// biome-ignore format: a table, one row a line
export const fileRows: Readonly<Record<string, readonly AssumptionRow[]>> = {
  b: [[any, /^file\.(?:width|height)$/, 'B-pixels'], [any, /^file\.audio$/, 'B-sound']],
  c: [[any, /^file\.(?:width|height)$/, 'C-pixels'], [any, /^file\./, 'C-frames']],
  k: [[any, /^file\.(?:width|height)$/, 'K-size'], [any, /^file\.(?:seconds|fps)$/, 'K-duration'], [any, /^file\.audio$/, 'K-settings'], [any, /^file\.type$/, 'K-outputs']],
}

/** Codes and types of errors, where no row of the specification states them. */
export const codeRows: Readonly<Record<string, readonly [path: RegExp, row: string]>> = {
  b: [/^code$/, 'B-errors'],
  c: [/^error\.(?:type|http_code)$/, 'C-errors'],
  k: [/^error\.(?:code|type)$/, 'K-errors'],
  image: [/^error\.code$/, 'I-codes'],
}

/** The assumption about a value of which the specification says only the type: the first row is about errors, the others about all other replies. */
// biome-ignore format: a table, one family a line
export const otherRows: Readonly<Record<string, readonly (readonly [path: RegExp, row: string])[]>> = {
  a: [[/^error|^header\.content-type$/, 'A-errors'], [/^usage/, 'A-usage'], [/^(?!items$|total$)/, 'A-record']],
  b: [[/^(?:code|message|request_id|header\.content-type)$/, 'B-errors'], [/^usage\.ratio/, 'B-ratio'], [/^usage\.|^file/, 'B-usage'], [/^output|^usage/, 'B-states']],
  c: [[/^(?:error|type$|request_id|header\.content-type)/, 'C-errors'], [/ratio$/, 'C-ratio'], [/usage/, 'C-usage'], [/^(?:task|items\[\])\.|^file/, 'C-task'], [/^(?:items|total)$/, 'C-list']],
  k: [[/^error|^header\.content-type$/, 'K-errors'], [/^data/, 'K-outputs'], [/^file/, 'K-duration']],
  image: [[/^error|^header\.content-type$/, 'I-codes'], [/^data\[\]\.(?:url|b64_json)$/, 'I-defaults'], [/size|^file/, 'I-size'], [/^usage/, 'I-usage'], [/^data/, 'I-layers']],
}
