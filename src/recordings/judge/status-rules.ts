import { downloadOperation } from '../../scenarios/operations.ts'
import { at } from '../json-path.ts'
import type { Step } from '../read/steps.ts'
import type { Replayed } from '../replay/replay.ts'

/** The row that says why the emulator answers a request with this status. */
export function statusRule(step: Step, own: Replayed): string | undefined {
  if (step.operation === downloadOperation) return 'A-downloads'
  if (step.operation === 'unknown')
    return /^\/v3\/(?:contents|images)/.test(step.path) ? 'a.path.prefix' : 'A-paths'
  const { status } = own
  if (status === 401) return keyRule(step)
  if (status === 403) return rightRule(own)
  if (status === 413) return step.family === 'image' ? 'image.errors.size' : 'A-body'
  if (status === 405) return 'A-paths'
  if (status === 429) return 'A-rate'
  if (status >= 500 && status !== 501) return undefined
  if (step.operation.endsWith('.delete')) return deleteRule(step, own)
  if (step.operation.endsWith('.get') || step.operation.endsWith('.cancel')) return queryRule(step, own)
  if (status === 400) return refusalRule(step, own)
  return acceptedRule(step)
}

function keyRule({ entry }: Step): string {
  const how = entry._gateway?.authorization
  if (how === 'none') return 'all.auth.missing'
  if (how === 'bearer') return 'all.auth.disabled'
  const value = entry.request.headers.find(({ name }) => name.toLowerCase() === 'authorization')?.value ?? ''
  return /^bearer\s/i.test(value) ? 'all.auth.whitespace' : 'all.auth.no-prefix'
}

function rightRule({ reply }: Replayed): string {
  const said = JSON.stringify(reply) ?? ''
  if (/PrivacyInformation|real face/i.test(said)) return 'all.service.face-refused'
  if (/SensitiveContent|DataInspection|sensitive|moderation|1301/i.test(said)) return 'all.auth.moderated'
  return /Arrearage|Overdue|balance/i.test(said) ? 'A-403' : 'all.auth.model-right'
}

function deleteRule({ family }: Step, own: Replayed): string {
  const action = at(own.reply, 'action')
  if (family === 'a') return 'A-delete'
  if (action === 'cancelled') return 'c.delete.queued'
  if (action === 'deleted') return `${family}.delete.finished`
  if (own.status === 501) return 'special.delete.running'
  if (own.status === 404) return 'C-unknown-task'
  return /invalid task_id/.test(JSON.stringify(own.reply)) ? 'C-unknown-task' : 'c.delete.running'
}

function queryRule({ family, operation, reply }: Step, own: Replayed): string | undefined {
  const isFound = own.status === 200
  if (operation === 'b.cancel') return 'B-cancel'
  switch (family) {
    case 'a':
      return isFound ? 'a.get.reply' : 'a.get.missing'
    case 'b':
      return at(own.reply, 'output', 'task_status') === 'UNKNOWN' ||
        at(reply, 'output', 'task_status') === 'UNKNOWN'
        ? 'b.states.unknown-missing'
        : 'b.get.task-id'
    case 'c':
      return isFound ? 'c.get.reply' : 'C-unknown-task'
    case 'special':
      return isFound ? 'special.get.reply' : 'special.get.namespace'
    case 'k':
      if (operation === 'k.tasks.get') return isFound ? 'k.tasks.array' : 'K-batch'
      if (!isFound) return 'K-not-found'
      return operation === 'k.voice.get' ? 'k.voice.reply' : 'k.avatar.data'
  }
  return undefined
}

const accepted: Readonly<Record<string, string>> = {
  'a.create': 'a.create.reply',
  'a.list': 'A-list',
  'b.create': 'b.create.reply',
  'b.list': 'B-list',
  'c.create': 'c.create.reply',
  'c.enhance': 'c.enhance.reply',
  'c.regenerate': 'c.regenerate.reply',
  'c.list': 'c.list.reply',
  'special.create': 'special.create.reply',
  'special.enhance': 'special.enhance.reply',
  'special.regenerate': 'special.regenerate.reply',
  'special.list': 'special.list.parameters',
  'k.create': 'k.create.reply',
  'k.avatar.create': 'K-avatar',
  'k.voice.create': 'K-voice',
  'k.omni.create': 'K-beyond',
  'k.motion.create': 'K-beyond',
  'k.presets.list': 'k.presets.reply',
  'image.generate': 'image.reply.fields',
}

function acceptedRule({ operation }: Step): string | undefined {
  return accepted[operation]
}

/** The row by which a value is refused, by family and parameter. The first that fits counts. */
const refusals: readonly (readonly [RegExp, RegExp, string])[] = [
  [/./, /^model$/, 'A-unknown-model'],
  [/^[abck]|^special/, /callback_url/, 'all.errors.callback'],
  [/^a\.list/, /./, 'A-list'],
  [/^a/, /^resolution$/, 'all.errors.resolution-group'],
  [/^a/, /^ratio$/, 'a.create.ratio'],
  [/^a/, /^output_format$/, 'a.create.format'],
  [/^a/, /^omni_reference_task_type$/, 'a.create.task-type'],
  [/^a/, /^seed$/, 'a.create.seed'],
  [/^a/, /^execution_expires_after$/, 'a.create.expiry'],
  [/^a/, /^(?:frames|camera_fixed|draft|service_tier|priority|safety_identifier|tools)/, 'A-forbidden'],
  [/^a/, /^content$/, 'a.create.content'],
  [/^a/, /^content/, 'A-content'],
  [/^b\.list/, /./, 'B-list'],
  [/^b/, /X-\w+-Async/i, 'B-header'],
  [/^b/, /media/, 'B-media'],
  [/^b/, /prompt/, 'B-prompt'],
  [/^b/, /parameters/, 'B-parameters'],
  [/^(?:c|special)\.list/, /./, 'C-list'],
  [/^special/, /^duration$/, 'special.create.duration'],
  [/^special/, /^ratio$/, 'special.create.ratio'],
  [/^special/, /^resolution$/, 'special.create.resolution'],
  [/^(?:c|special)\.regenerate/, /source_task_id|content/, 'c.regenerate.exclusive'],
  [/^(?:c|special)/, /^ratio$/, 'C-ratio'],
  [/^(?:c|special)/, /^content/, 'C-content'],
  [/^(?:c|special)/, /./, 'C-required'],
  [/^k\.tasks/, /./, 'K-batch'],
  [/^k/, /contents/, 'K-contents'],
  [/^k/, /prompt/, 'K-prompt'],
  [/^k/, /external_task_id/, 'K-external-id'],
  [/^k/, /settings/, 'K-settings'],
  [/^image/, /^size$/, 'image.request.size-pixels'],
  [/^image/, /^stream$/, 'image.request.stream'],
  [/^image/, /^n$/, 'image.request.no-n'],
  [/^image/, /^tools$/, 'image.request.no-tools'],
  [/^image/, /^sequential/, 'image.request.no-group'],
  [/^image/, /^prompt$/, 'image.request.prompt'],
  [/^image/, /^background$/, 'image.request.background'],
  [/^image/, /^image/, 'image.request.image-count'],
]

function refusalRule(step: Step, own: Replayed): string {
  const param = paramOf(own)
  if (step.body.kind === 'broken' || step.body.kind === 'too_deep') return 'A-body'
  if (step.family === 'a' && param === 'duration' && step.body.kind === 'json')
    return durationRule(step.body.value)
  if (String(at(own.reply, 'error', 'code')).includes('TaskTypeConstraint')) return 'A-task-type'
  const row = refusals.find(([on, name]) => on.test(step.operation) && name.test(param))
  return row?.[2] ?? otherwise[step.family] ?? 'A-order'
}

const otherwise: Readonly<Record<string, string>> = {
  a: 'a.create.refusals',
  b: 'b.create.refusals',
  c: 'c.create.refusals',
  special: 'special.create.refusals',
  k: 'k.errors.4xx',
  image: 'image.errors.parameter',
}

function durationRule(body: unknown): string {
  return /2[_-]?5/.test(String(at(body, 'model'))) ? 'a.create.duration-25' : 'a.create.duration-20'
}

/** The parameter that the emulator's refusal names, in its field or in its message. */
function paramOf({ reply }: Replayed): string {
  const param = at(reply, 'error', 'param')
  if (typeof param === 'string' && param !== '') return param
  const message = String(at(reply, 'error', 'message') ?? at(reply, 'message') ?? '')
  return (
    /`([\w.[\]]+)`/.exec(message)?.[1] ??
    /(?:invalid params, |Field required: |request parameters: )([\w.[\]-]+)/.exec(message)?.[1] ??
    ''
  )
}
