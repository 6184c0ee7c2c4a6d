import { isObject } from '../../spec/json.ts'
import { isMediaDescription } from '../describe-media.ts'
import { filesOrigin } from '../redact/link.ts'
import type { Step } from './steps.ts'

/** Whether a request refers to a file that is not in the recording. */
export function hasForeignInput({ body }: Step): boolean {
  return body.kind === 'json' && !inputsIn(body.value).every(isKnownInput)
}

/** All values of a body that may be files: descriptions and links. */
export function inputsIn(value: unknown, key = ''): unknown[] {
  if (isMediaDescription(value)) return [value]
  if (typeof value === 'string')
    return /^(?:https?|asset|oss|mm_file):/.test(value) || key === 'element_id' ? [value] : []
  if (Array.isArray(value)) return value.flatMap(item => inputsIn(item, key))
  return isObject(value) ? Object.entries(value).flatMap(([name, inner]) => inputsIn(inner, name)) : []
}

/** The emulator has its own samples, and can make a picture of a described size. */
export function isKnownInput(input: unknown): boolean {
  if (isMediaDescription(input)) return input.type.startsWith('image/') && input.width !== undefined
  return typeof input === 'string' && input.startsWith(`${filesOrigin}/__emulator/samples/`)
}
