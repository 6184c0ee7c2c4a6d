import { downloadOperation } from '../../scenarios/operations.ts'
import { at } from '../../spec/json.ts'
import { namedBy } from '../../spec/sight.ts'
import type { Step } from '../read/steps.ts'
import type { Replayed } from '../replay/replay.ts'

/** The row whose case a request is, or the assumption that says why the emulator answers it with this status. */
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
  return accepted[step.operation]
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

function deleteRule({ family }: Step, own: Replayed): string | undefined {
  if (family === 'a') return 'A-delete'
  const isUnknown = own.status === 404 || /invalid task_id/.test(JSON.stringify(own.reply))
  return isUnknown ? 'C-unknown-task' : undefined
}

function queryRule({ family, operation, reply }: Step, own: Replayed): string | undefined {
  const isFound = own.status === 200
  if (operation === 'b.cancel') return 'B-cancel'
  if (family === 'b')
    return [own.reply, reply].some(one => at(one, 'output', 'task_status') === 'UNKNOWN')
      ? 'b.states.unknown-missing'
      : undefined
  if (isFound) return undefined
  if (operation === 'k.tasks.get') return 'K-batch'
  return missing[family]
}

const missing: Readonly<Record<string, string>> = {
  a: 'a.get.missing',
  c: 'C-unknown-task',
  special: 'C-unknown-task',
  k: 'K-not-found',
}

/** Accepted requests of which the specification shows no form. */
const accepted: Readonly<Record<string, string>> = {
  'a.list': 'A-list',
  'b.list': 'B-list',
  'k.avatar.create': 'K-avatar',
  'k.voice.create': 'K-voice',
  'k.omni.create': 'K-beyond',
  'k.motion.create': 'K-beyond',
}

/** The assumption by which a value is refused, by operation and parameter; none where the specification states it. The first that fits counts. */
const refusals: readonly (readonly [RegExp, RegExp, string?])[] = [
  [/./, /^model$/, 'A-unknown-model'],
  [/^[abck]|^special/, /callback_url/],
  [/^a\.list/, /./, 'A-list'],
  [/^a/, /^(?:frames|camera_fixed|draft|service_tier|priority|safety_identifier|tools)/, 'A-forbidden'],
  [/^a/, /^content./, 'A-content'],
  [/^b\.list/, /./, 'B-list'],
  [/^b/, /X-\w+-Async/i, 'B-header'],
  [/^b/, /media/, 'B-media'],
  [/^b/, /prompt/, 'B-prompt'],
  [/^b/, /parameters/, 'B-parameters'],
  [/^(?:c|special)\.list/, /./, 'C-list'],
  [/^special/, /^(?:duration|ratio|resolution)$/],
  [/^(?:c|special)\.regenerate/, /source_task_id|content/],
  [/^(?:c|special)/, /^ratio$/, 'C-ratio'],
  [/^(?:c|special)/, /^content/, 'C-content'],
  [/^(?:c|special)/, /./, 'C-required'],
  [/^k\.tasks/, /./, 'K-batch'],
  [/^k/, /contents/, 'K-contents'],
  [/^k/, /prompt/, 'K-prompt'],
  [/^k/, /external_task_id/, 'K-external-id'],
  [/^k/, /settings/, 'K-settings'],
]

function refusalRule(step: Step, own: Replayed): string | undefined {
  if (step.body.kind === 'broken' || step.body.kind === 'too_deep') return 'A-body'
  if (String(at(own.reply, 'error', 'code')).includes('TaskTypeConstraint')) return 'A-task-type'
  const named = namedBy(own.reply) ?? ''
  if (step.family === 'a' && named === 'resolution' && /group/.test(JSON.stringify(own.reply)))
    return 'all.errors.resolution-group'
  return refusals.find(([on, name]) => on.test(step.operation) && name.test(named))?.[2]
}
