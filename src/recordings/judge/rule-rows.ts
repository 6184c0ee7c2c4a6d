/** Which row of the specification or of the assumptions a part of a reply belongs to. The first that fits counts. */
export interface RuleRow {
  /** Operations. */
  on: RegExp
  /** Paths inside records: `status`, `usage.total_tokens`, `error.code`, `file.width`. */
  path: RegExp
  /** Only these aspects; all where absent. */
  aspects?: readonly string[]
  rule: string
}

const a = /^a\.(?:get|list)$/
const b = /^b\./
const c = /^(?:c|special)\./
const k = /^k\./
const image = /^image\./
const any = /./
const form = ['format']

const common: readonly RuleRow[] = [
  { on: /media\.download/, path: /^header\./, rule: 'A-downloads' },
  { on: any, path: /^header\.(?:x-request-id|x-client-request-id)$/, rule: 'A-headers' },
  { on: any, path: /^header\.retry-after$/, rule: 'A-rate' },
  { on: any, path: /^header\.allow$/, rule: 'A-paths' },
]

const familyA: readonly RuleRow[] = [
  { on: /^a\.create$/, path: /^id$/, aspects: form, rule: 'A-times' },
  { on: /^a\.create$/, path: /^(?:id)?$/, rule: 'a.create.reply' },
  { on: /^a\.create$/, path: /^safety_identifier$/, rule: 'A-forbidden' },
  { on: /^a\.list$/, path: /^query\.filter\.status$/, rule: 'a.list.status' },
  { on: /^a\.list$/, path: /^(?:items|total)$|^query\./, rule: 'A-list' },
  { on: /^a\.delete$/, path: /^/, rule: 'A-delete' },
  { on: a, path: /^id$/, aspects: form, rule: 'A-times' },
  { on: a, path: /^id$/, rule: 'a.record.id' },
  { on: a, path: /^model$/, rule: 'a.record.model' },
  { on: a, path: /^status$/, rule: 'a.record.status' },
  { on: a, path: /^content(?:\.video_url)?$/, rule: 'a.record.video-url' },
  { on: a, path: /^content\.last_frame_url$/, rule: 'a.record.last-frame-url' },
  { on: /^a\.(?:get|list)$/, path: /^error(?:\.code|\.message)?$/, rule: 'a.record.error' },
  { on: a, path: /^usage$/, rule: 'a.record.usage' },
  { on: a, path: /^usage\.(?:completion|total)_tokens$/, aspects: ['value'], rule: 'A-usage' },
  { on: a, path: /^usage\.(?:completion|total)_tokens$/, rule: 'a.record.usage' },
  { on: a, path: /^seed$/, rule: 'a.record.seed' },
  { on: a, path: /^(?:resolution|ratio)$/, rule: 'a.record.resolution-ratio' },
  { on: a, path: /^duration$/, rule: 'a.record.duration' },
  { on: a, path: /^framespersecond$/, rule: 'a.record.fps' },
  { on: a, path: /^generate_audio$/, rule: 'a.record.audio' },
  { on: a, path: /^output_format$/, rule: 'a.record.format' },
  { on: a, path: /^(?:created|updated)_at$/, aspects: form, rule: 'A-times' },
  { on: a, path: /^(?:created|updated)_at$/, rule: 'a.record.times' },
  { on: a, path: /^execution_expires_after$/, rule: 'A-flags' },
  { on: a, path: /^(?:service_tier|draft|priority|safety_identifier)$/, rule: 'A-forbidden' },
  { on: a, path: /^link\.life$/, rule: 'a.link.relayed-life' },
]

const familyB: readonly RuleRow[] = [
  { on: /^b\.create$/, path: /^output\.task_status$/, rule: 'b.create.pending' },
  { on: /^b\.create$/, path: /^(?:|output|output\.task_id|request_id)$/, rule: 'b.create.reply' },
  { on: /^b\.list$/, path: /./, rule: 'B-list' },
  { on: /^b\.cancel$/, path: /./, rule: 'B-cancel' },
  { on: b, path: /^request_id$/, rule: 'b.get.request-id' },
  { on: b, path: /^(?:|output|output\.task_id)$/, rule: 'b.get.task-id' },
  { on: b, path: /^output\.task_status$/, rule: 'b.get.status' },
  {
    on: b,
    path: /^output\.(?:submit|scheduled|end)_time$/,
    aspects: ['absent', 'more', 'null'],
    rule: 'B-states',
  },
  { on: b, path: /^output\.(?:submit|scheduled|end)_time$/, rule: 'b.get.times' },
  { on: b, path: /^output\.orig_prompt$/, rule: 'b.get.orig-prompt' },
  { on: b, path: /^output\.video_url$/, rule: 'b.get.video-url' },
  { on: b, path: /^output\.(?:code|message)$/, rule: 'B-states' },
  { on: b, path: /^usage$/, rule: 'B-states' },
  { on: b, path: /^usage\.video_count$/, rule: 'b.get.video-count' },
  { on: b, path: /^usage\.(?:duration|\w+_video_duration)$/, aspects: ['value'], rule: 'B-usage' },
  { on: b, path: /^usage\.(?:duration|\w+_video_duration)$/, rule: 'b.get.seconds' },
  { on: b, path: /^usage\.fps$/, aspects: ['value'], rule: 'B-usage' },
  { on: b, path: /^usage\.fps$/, rule: 'b.get.fps' },
  { on: b, path: /^usage\.SR$/, aspects: ['value'], rule: 'B-usage' },
  { on: b, path: /^usage\.SR$/, rule: 'b.get.sr' },
  { on: b, path: /^usage\.ratio$/, aspects: ['value'], rule: 'B-ratio' },
  { on: b, path: /^usage\.ratio$/, rule: 'b.get.ratio' },
  { on: b, path: /^link\.life$/, rule: 'A-downloads' },
]

const familyC: readonly RuleRow[] = [
  { on: c, path: /^task_id$/, aspects: form, rule: 'C-ids' },
  { on: /^c\.create$/, path: /^(?:task_id)?$/, rule: 'c.create.reply' },
  { on: /^c\.enhance$/, path: /^(?:task_id)?$/, rule: 'c.enhance.reply' },
  { on: /^c\.regenerate$/, path: /^(?:task_id)?$/, rule: 'c.regenerate.reply' },
  { on: /^special\.create$/, path: /^(?:task_id)?$/, rule: 'special.create.reply' },
  { on: /^special\.enhance$/, path: /^(?:task_id)?$/, rule: 'special.enhance.reply' },
  { on: /^special\.regenerate$/, path: /^(?:task_id)?$/, rule: 'special.regenerate.reply' },
  { on: /^c\.delete$/, path: /^(?:|task_id|action|status)$/, rule: 'c.delete.reply' },
  { on: /^special\.delete$/, path: /^(?:|task_id|action|status)$/, rule: 'special.delete.reply' },
  { on: /^c\.list$/, path: /^items$/, aspects: ['count'], rule: 'c.list.page-size' },
  { on: /^c\.list$/, path: /^query\.filter\.status$/, rule: 'c.list.status' },
  { on: /^c\.list$/, path: /^query\.filter\.task_type$/, rule: 'c.list.task-type' },
  { on: /^c\.list$/, path: /^query\./, rule: 'c.list.ids' },
  { on: /^special\.list$/, path: /^query\./, rule: 'special.list.parameters' },
  { on: c, path: /^items$/, aspects: ['count', 'order'], rule: 'C-list' },
  { on: /^c\.list$/, path: /^(?:|items|total)$/, rule: 'c.list.reply' },
  { on: /^special\.list$/, path: /^(?:|items|total)$/, rule: 'special.list.parameters' },
  { on: /^c\.get$/, path: /^(?:|task)$/, rule: 'c.get.reply' },
  { on: /^special\.get$/, path: /^(?:|task)$/, rule: 'special.get.reply' },
  { on: c, path: /^id$/, aspects: form, rule: 'C-ids' },
  { on: c, path: /^id$/, rule: 'c.task.id' },
  { on: c, path: /^model$/, rule: 'c.task.model' },
  { on: c, path: /^status$/, rule: 'c.task.status' },
  { on: /\.(?:get|list)$/, path: /^error(?:\.code|\.message)?$/, rule: 'c.task.error' },
  { on: c, path: /^content\.prompt$/, rule: 'c.task.prompt' },
  { on: c, path: /^content(?:\.url)?$/, rule: 'c.task.url' },
  { on: c, path: /^resolution$/, aspects: ['absent', 'more'], rule: 'C-task' },
  { on: c, path: /^resolution$/, rule: 'c.task.resolution' },
  { on: c, path: /^duration$/, rule: 'c.task.duration' },
  { on: c, path: /^ratio$/, aspects: ['value'], rule: 'C-ratio' },
  { on: c, path: /^ratio$/, rule: 'c.task.ratio' },
  { on: c, path: /^task_type$/, rule: 'c.task.type' },
  { on: c, path: /^modality$/, rule: 'c.task.modality' },
  {
    on: c,
    path: /^usage(?:\.(?:total|input|output)_seconds|\.input_image_count|\.\w*tokens)?$/,
    aspects: ['value', 'absent', 'more'],
    rule: 'C-usage',
  },
  {
    on: c,
    path: /^usage(?:\.(?:total|input|output)_seconds|\.input_image_count|\.\w*tokens)?$/,
    rule: 'c.task.usage',
  },
  { on: c, path: /^(?:created|updated)_at$/, aspects: form, rule: 'C-ids' },
  { on: c, path: /^(?:created|updated)_at$/, rule: 'c.task.times' },
  { on: c, path: /^request_id$/, aspects: form, rule: 'C-ids' },
  { on: c, path: /^link\.life$/, rule: 'A-downloads' },
]

const familyK: readonly RuleRow[] = [
  { on: /^k\.tasks/, path: /^data$/, aspects: ['type'], rule: 'k.tasks.array' },
  { on: /^k\.tasks/, path: /^data$/, rule: 'K-batch' },
  { on: /^k\.presets/, path: /^data$/, rule: 'k.presets.reply' },
  { on: k, path: /^(?:|code|message|request_id|data)$/, rule: 'k.create.reply' },
  {
    on: k,
    path: /^data\.(?:id|task_id|create_time|update_time|created_at|updated_at)$/,
    aspects: form,
    rule: 'K-ids',
  },
  {
    on: /^k\.(?:create|omni|motion)/,
    path: /^data\.status$/,
    aspects: ['value'],
    rule: 'k.create.submitted',
  },
  { on: /^k\.(?:create|omni|motion)/, path: /^data\.external_id$/, rule: 'K-external-id' },
  {
    on: /^k\.(?:create|omni|motion)/,
    path: /^data\.(?:id|status|create_time|update_time)$/,
    rule: 'k.create.data',
  },
  { on: /^k\.tasks/, path: /^data\.status$/, aspects: ['value'], rule: 'k.states.finish' },
  { on: /^k\.tasks/, path: /^data\.external_id$/, rule: 'K-external-id' },
  { on: /^k\.tasks/, path: /^data\.(?:id|status|create_time|update_time)$/, rule: 'k.tasks.item' },
  { on: /^k\.tasks/, path: /^data\.outputs\.duration$/, aspects: ['value'], rule: 'K-duration' },
  { on: /^k\.tasks/, path: /^data\.outputs\.(?:id|url|duration)$/, rule: 'k.tasks.outputs' },
  {
    on: /^k\.tasks/,
    path: /^data\.(?:outputs|outputs\.type|outputs\.watermark_url|message)$/,
    rule: 'K-outputs',
  },
  { on: /^k\.avatar\.create/, path: /^data\./, rule: 'K-avatar' },
  { on: /^k\.voice\.create/, path: /^data\./, rule: 'K-voice' },
  {
    on: /^k\.(?:avatar|voice|presets)/,
    path: /^data\.task_status$/,
    aspects: ['value'],
    rule: 'k.states.avatar',
  },
  { on: /^k\.avatar/, path: /^data\.task_result\.videos/, rule: 'k.avatar.videos' },
  { on: /^k\.voice/, path: /^data\.task_result\.voices/, rule: 'k.voice.voices' },
  { on: /^k\.presets/, path: /^data\.task_result\.elements/, rule: 'k.presets.element-id' },
  { on: /^k\.voice/, path: /^data\.(?:task_|created_at|updated_at)/, rule: 'k.voice.reply' },
  { on: /^k\.presets/, path: /^data\.(?:task_|created_at|updated_at)/, rule: 'k.presets.reply' },
  {
    on: k,
    path: /^data\.(?:task_id|task_status|task_status_msg|task_result|created_at|updated_at)$/,
    rule: 'k.avatar.data',
  },
  { on: k, path: /^link\.life$/, rule: 'A-downloads' },
]

const images: readonly RuleRow[] = [
  {
    on: image,
    path: /^(?:|model|created|data|usage)$/,
    aspects: ['absent', 'more', 'null', 'type', 'format'],
    rule: 'image.reply.fields',
  },
  { on: image, path: /^model$/, rule: 'image.reply.fields' },
  { on: image, path: /^data$/, rule: 'image.modes.one-base' },
  { on: image, path: /^data\.url$/, rule: 'image.reply.url' },
  { on: image, path: /^data\.b64_json/, rule: 'image.reply.b64' },
  { on: image, path: /^data\.size$/, aspects: ['value'], rule: 'I-size' },
  { on: image, path: /^data\.size$/, rule: 'image.reply.size' },
  { on: image, path: /^data\.output_format$/, rule: 'image.reply.format' },
  { on: image, path: /^data\.z_index$/, rule: 'image.reply.z-index' },
  { on: image, path: /^data\.bounding_box/, rule: 'image.reply.box' },
  { on: image, path: /^data\.(?:name|description)$/, rule: 'image.reply.names' },
  {
    on: image,
    path: /^usage\.(?:input_images|generated_images|output_tokens|total_tokens)$/,
    aspects: ['value'],
    rule: 'I-usage',
  },
  {
    on: image,
    path: /^usage\.(?:input_images|generated_images|output_tokens|total_tokens)$/,
    rule: 'image.reply.usage',
  },
  { on: image, path: /^link\.life$/, rule: 'image.request.link-life' },
]

/** All rows, in the order in which they are tried. */
export const ruleRows: readonly RuleRow[] = [
  ...common,
  ...familyA,
  ...familyB,
  ...familyC,
  ...familyK,
  ...images,
]
