import { familyOf, readPrompt } from '../../families/index.ts'
import { at, isObject, withValue } from '../../spec/json.ts'
import type { Observed } from '../read/observed.ts'
import type { Step } from '../read/steps.ts'

/** Values that the service chooses, where a request can ask for the same value. */
interface Choice {
  /** Where the request leaves the choice to the service. */
  asked: readonly string[]
  isLeft(value: unknown): boolean
  /** Whether an input decides it, and not the service. */
  followsInput(body: Body): boolean
  /** Where the record shows the choice. */
  told: readonly string[]
}

const isAdaptive = (value: unknown) => value === undefined || value === null || value === 'adaptive'
const isAuto = (value: unknown) => value === undefined || value === null || value === -1

type Body = Record<string, unknown>

const choices: Readonly<Record<string, readonly Choice[]>> = {
  'a.create': [
    {
      asked: ['ratio'],
      isLeft: isAdaptive,
      followsInput: body => !['text', 'reference'].includes(taskOf(body)),
      told: ['ratio'],
    },
    {
      asked: ['duration'],
      isLeft: isAuto,
      followsInput: body => taskOf(body) === 'edit',
      told: ['duration'],
    },
  ],
  'b.create': [
    { asked: ['parameters', 'ratio'], isLeft: isAdaptive, followsInput: hasMedia, told: ['usage', 'ratio'] },
    {
      asked: ['parameters', 'duration'],
      isLeft: value => value === -1,
      followsInput: hasMedia,
      told: ['usage', 'output_video_duration'],
    },
  ],
}

/**
 * A body that asks for the values that the service chose, so that numbers can be compared: a random length or shape would
 * differ. Returns the body itself when the request left nothing open, or an input decides it.
 */
export function withChoices(step: Step, { seen }: Observed): unknown {
  if (step.body.kind !== 'json') return undefined
  const body = step.body.value
  const made = seen.find(({ status }) => status === 'succeeded')
  const rows = choices[step.operation]
  if (!made || !rows || !isObject(body)) return body
  const record = step.family === 'b' ? { ...made.record, usage: at(made.step.reply, 'usage') } : made.record
  return rows.reduce<unknown>((changed, { asked, isLeft, followsInput, told }) => {
    const value = at(record, ...told)
    return isLeft(at(changed, ...asked)) && !followsInput(body) && isAllowed(step, asked, value)
      ? withValue(changed, asked.join('.'), value)
      : changed
  }, body)
}

/** What a create of family A asks for: a new video of a text, of frames or of references, or work on a video. */
function taskOf({ content, omni_reference_task_type: declared }: Body): string {
  const items = Array.isArray(content) ? content.filter(isObject) : []
  const media = items.filter(({ type }) => type !== 'text')
  if (media.length === 0) return 'text'
  if (!media.every(({ role }) => String(role).startsWith('reference_'))) return 'frames'
  if (typeof declared === 'string' && declared !== 'auto') return declared
  const hasVideo = media.some(({ type }) => type === 'video_url')
  return hasVideo ? readPrompt(items.map(({ text }) => text ?? '').join('\n')).reading : 'reference'
}

function hasMedia(body: Body): boolean {
  const media = at(body, 'input', 'media')
  return Array.isArray(media) && media.length > 0
}

function isAllowed({ family, operation }: Step, asked: readonly string[], value: unknown): boolean {
  const schema = familyOf(family).endpoints.find(endpoint => endpoint.operation === operation)?.body
  const field = asked.reduce<unknown>((inner, name) => at(inner, 'properties', name), schema)
  const allowed = at(field, 'enum')
  if (Array.isArray(allowed)) return allowed.includes(value)
  return Number.isInteger(value)
}
