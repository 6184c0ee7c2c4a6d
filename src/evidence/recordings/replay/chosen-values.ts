import type { Choice } from '../../../emulator/gateway.ts'
import { at, withValue } from '../../spec/json.ts'
import { endpointOf, factsOf } from '../operation.ts'
import type { Observed } from '../read/observed.ts'
import type { Step } from '../read/steps.ts'

/**
 * A body that asks for the values that the service chose, so that numbers can be compared: a random length or shape would
 * differ. Returns the body itself when the request left nothing open, or an input decides it.
 */
export function withChoices(step: Step, { seen }: Observed): unknown {
  if (step.body.kind !== 'json') return undefined
  const made = seen.find(({ status }) => status === 'succeeded')
  if (!made) return step.body.value
  return choicesIn(step).reduce((changed, { asked, told }) => {
    const value = at({ ...Object(made.step.reply), ...made.record }, ...told.split('.'))
    return isAllowed(step, asked, value) ? withValue(changed, asked, value) : changed
  }, step.body.value)
}

/** The values that a request leaves to the service. */
export function choicesIn({ family, operation, body }: Step): Choice[] {
  const rows = factsOf(family).choices?.[operation] ?? []
  if (rows.length === 0 || body.kind !== 'json') return []
  const { value } = body
  const read = [endpointOf(operation)?.reads?.mode?.(value) ?? []].flat()
  return rows.filter(
    ({ asked, open, modes }) =>
      read.some(mode => modes.includes(mode)) && open.includes(at(value, ...asked.split('.')) ?? undefined),
  )
}

function isAllowed({ operation }: Step, asked: string, value: unknown): boolean {
  const path = asked.split('.').flatMap(name => ['properties', name])
  const allowed = at(endpointOf(operation)?.body, ...path, 'enum')
  return Array.isArray(allowed) ? allowed.includes(value) : Number.isInteger(value)
}
