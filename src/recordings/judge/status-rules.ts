import { downloadOperation } from '../../scenarios/operations.ts'
import { answers } from '../../spec/assumptions/index.ts'
import { at } from '../../spec/json.ts'
import { namedBy } from '../../spec/sight.ts'
import type { Step } from '../read/steps.ts'
import type { Replayed } from '../replay/replay.ts'

/** The row whose case a request is, or the assumption that says why the emulator answers it with this status. */
export function statusRule(step: Step, own: Pick<Replayed, 'status' | 'reply'>): string | undefined {
  const { operation } = step
  if (operation === 'unknown')
    return /^\/v3\/(?:contents|images)/.test(step.path) ? 'a.path.prefix' : 'A-paths'
  if (operation !== downloadOperation) {
    const stated = statedRule(step, own)
    if (stated !== undefined) return stated
    if (own.status >= 500 && own.status !== 501) return undefined
  }
  const named = namedBy(own.reply) ?? String(at(own.reply, 'error', 'message') ?? '')
  return answers().find(({ statuses = [] }) =>
    statuses.some(
      ({ on, status, names }) =>
        on.test(operation) && status.test(String(own.status)) && (names?.test(named) ?? true),
    ),
  )?.id
}

/** Cases of which the specification speaks, and refusals that no single parameter explains. */
function statedRule(
  { body, entry, family, operation, reply }: Step,
  own: Pick<Replayed, 'status' | 'reply'>,
): string | undefined {
  const said = JSON.stringify(own.reply) ?? ''
  switch (own.status) {
    case 401:
      return keyRule(entry)
    case 403:
      return rightRule(said)
    case 413:
      return family === 'image' ? 'image.errors.size' : 'A-body'
    case 400:
      if (body.kind === 'broken' || body.kind === 'too_deep') return 'A-body'
      if (/TaskTypeConstraint/.test(said)) return 'A-task-type'
      return operation === 'a.create' && namedBy(own.reply) === 'resolution' && /group/.test(said)
        ? 'all.errors.resolution-group'
        : undefined
  }
  const isUnknown = [own.reply, reply].some(one => at(one, 'output', 'task_status') === 'UNKNOWN')
  if (operation === 'b.get' && isUnknown) return 'b.states.unknown-missing'
  return operation === 'a.get' && own.status === 404 ? 'a.get.missing' : undefined
}

function keyRule({ _gateway: facts, request }: Step['entry']): string {
  if (facts?.authorization === 'none') return 'all.auth.missing'
  if (facts?.authorization === 'bearer') return 'all.auth.disabled'
  const value = request.headers.find(({ name }) => name.toLowerCase() === 'authorization')?.value ?? ''
  return /^bearer\s/i.test(value) ? 'all.auth.whitespace' : 'all.auth.no-prefix'
}

function rightRule(said: string): string {
  if (/PrivacyInformation|real face/i.test(said)) return 'all.service.face-refused'
  if (/SensitiveContent|DataInspection|sensitive|moderation|1301/i.test(said)) return 'all.auth.moderated'
  return /Arrearage|Overdue|balance/i.test(said) ? 'A-403' : 'all.auth.model-right'
}
