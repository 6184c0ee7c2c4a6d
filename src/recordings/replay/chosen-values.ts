import { familyOf } from '../../families/index.ts'
import { at, isObject, withValue } from '../../spec/json.ts'
import type { Observed } from '../read/observed.ts'
import type { Step } from '../read/steps.ts'

/** Values that the service chooses, where a request can ask for the same value. */
interface Choice {
  /** Where the request leaves the choice to the service. */
  asked: readonly string[]
  isLeft(value: unknown): boolean
  /** Where the record shows the choice. */
  told: readonly string[]
}

const isAdaptive = (value: unknown) => value === undefined || value === null || value === 'adaptive'
const isAuto = (value: unknown) => value === undefined || value === null || value === -1

const choices: Readonly<Record<string, readonly Choice[]>> = {
  'a.create': [
    { asked: ['ratio'], isLeft: isAdaptive, told: ['ratio'] },
    { asked: ['duration'], isLeft: isAuto, told: ['duration'] },
  ],
  'b.create': [
    { asked: ['parameters', 'ratio'], isLeft: isAdaptive, told: ['usage', 'ratio'] },
    {
      asked: ['parameters', 'duration'],
      isLeft: value => value === -1,
      told: ['usage', 'output_video_duration'],
    },
  ],
}

/**
 * A body that asks for the values that the service chose, so that numbers can be compared: a random length or shape would
 * differ. Only for requests of text, where no input decides. Returns the body itself when the request left nothing open.
 */
export function withChoices(step: Step, { seen }: Observed): unknown {
  if (step.body.kind !== 'json') return undefined
  const body = step.body.value
  const made = seen.find(({ status }) => status === 'succeeded')
  const rows = choices[step.operation]
  if (!made || !rows || !isObject(body) || hasMedia(body)) return body
  const record = step.family === 'b' ? { ...made.record, usage: at(made.step.reply, 'usage') } : made.record
  return rows.reduce<unknown>((changed, { asked, isLeft, told }) => {
    const value = at(record, ...told)
    return isLeft(at(changed, ...asked)) && isAllowed(step, asked, value)
      ? withValue(changed, asked.join('.'), value)
      : changed
  }, body)
}

function hasMedia(body: Record<string, unknown>): boolean {
  const media = at(body, 'input', 'media')
  const content = Array.isArray(body.content) ? body.content : []
  return (
    (Array.isArray(media) && media.length > 0) || content.some(item => isObject(item) && item.type !== 'text')
  )
}

function isAllowed({ family, operation }: Step, asked: readonly string[], value: unknown): boolean {
  const schema = familyOf(family).endpoints.find(endpoint => endpoint.operation === operation)?.body
  const field = asked.reduce<unknown>((inner, name) => at(inner, 'properties', name), schema)
  const allowed = at(field, 'enum')
  if (Array.isArray(allowed)) return allowed.includes(value)
  return Number.isInteger(value)
}
