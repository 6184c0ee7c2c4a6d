import { downloadOperation } from '../../../emulator/words.ts'
import { answers } from '../../spec/assumptions/index.ts'
import { type Asked, casesOf } from '../../spec/cases.ts'
import { at } from '../../spec/json.ts'
import { namedBy, type SpecFamily } from '../../spec/sight.ts'
import type { Step } from '../read/steps.ts'
import type { Replayed } from '../replay/ask-emulator.ts'

/** The rows whose case a request is, or the assumption that says why the emulator answers it with this status. */
export function statusRules(
  step: Step,
  own: Pick<Replayed, 'status' | 'reply'>,
  maker?: Asked['maker'],
): readonly string[] {
  const { operation } = step
  const { status, reply } = own
  if (operation !== downloadOperation) {
    const stated = casesOf({
      operation,
      family: step.family as SpecFamily,
      path: step.path,
      status,
      reply,
      key: keyIn(step.entry),
      isUnreadable: step.body.kind === 'broken' || step.body.kind === 'too_deep',
      other: step.reply,
      maker,
    })
    if (stated.length > 0) return stated
    if (status >= 500 && status !== 501) return []
  }
  const named = namedBy(reply) ?? String(at(reply, 'error', 'message') ?? '')
  const assumed = answers().find(({ statuses = [] }) =>
    statuses.some(
      one => one.on.test(operation) && one.status.test(String(status)) && (one.names?.test(named) ?? true),
    ),
  )
  return assumed ? [assumed.id] : []
}

function keyIn({ _gateway: facts, request }: Step['entry']): Asked['key'] {
  if (facts?.authorization === 'none' || facts?.authorization === 'bearer') return facts.authorization
  const value = request.headers.find(({ name }) => name.toLowerCase() === 'authorization')?.value ?? ''
  return /^bearer\s/i.test(value) ? 'spaced' : 'bare'
}
