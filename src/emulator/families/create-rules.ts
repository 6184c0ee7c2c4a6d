import { invalid } from '../faults/fault.ts'
import type { Schema } from '../http/validate.ts'
import { oneOf, shown } from '../wording/shown.ts'
import type { Account } from '../worlds/world.ts'

const address = {
  type: 'object',
  required: ['url'],
  properties: { url: { type: 'string', minLength: 1 } },
} as const satisfies Schema

/** A text field with these values. Others are refused by rules of the family, which say more than a schema can. */
export function valuesField(values: readonly string[], more = '') {
  return { type: 'string', description: `${values.join(', ')}${more}.`, 'x-values': values } as const
}

const roles = ['first_frame', 'last_frame', 'reference_image', 'reference_video', 'reference_audio']

/** The schema of `content[]` in families A and C: a text, or the address of a file and its role. */
export function contentItems(description: string, moreRoles = '') {
  return {
    type: 'array',
    minItems: 1,
    description,
    items: {
      type: 'object',
      required: ['type'],
      properties: {
        type: valuesField(['text', 'image_url', 'video_url', 'audio_url']),
        text: { type: 'string' },
        image_url: address,
        video_url: address,
        audio_url: address,
        role: valuesField(roles, moreRoles),
      },
    },
  } as const satisfies Schema
}

/** A field that the service refuses when it is sent. */
export function refusedField<const Why extends string>(why: Why) {
  return { description: `${why}; must not be sent.`, 'x-refused': true } as const
}

/** Spec, "Events" 1. */
export const callbackUrl = refusedField('Not supported')

/**
 * Spec, "Events" 1 and "Errors" rule 2: a request with `callback_url` is a 400. An empty string is allowed, since vendors'
 * examples send it for "no callback" (A-callback); the pipeline has removed nulls. `fields` are the places where a client may put
 * a callback.
 */
export function checkNoCallback(fields: Readonly<Record<string, unknown>>): void {
  for (const param in fields) {
    const value = fields[param]
    if (value !== undefined && value !== '')
      throw invalid(
        param,
        `callbacks are not supported, so ${shown(value)} must be left out; poll the query endpoint instead`,
      )
  }
}

/** Spec, "Family A: create request", resolution: the values that a group may use or not. */
const groupValues = ['480p', '720p', '1080p', '4k']

/**
 * Spec, "Errors" rule 1: a resolution that the account's group does not allow is a 400. Upper and lower case are the same: 1080p
 * and 1080P. A group that names only values of these four says nothing of other resolutions, such as 768P and 2K; an empty one allows none
 * (A-groups). `offered` are the resolutions of the model. Throws `invalid_parameter`.
 */
export function checkGroup(
  asked: { param: string; resolution: string; offered: readonly string[] },
  { resolutions }: Pick<Account, 'resolutions'>,
): void {
  if (resolutions === null) return
  const { param, resolution, offered } = asked
  const group = resolutions.map(value => value.toLowerCase())
  const namesOnlyThese = group.length > 0 && group.every(value => groupValues.includes(value))
  if (namesOnlyThese && !groupValues.includes(resolution.toLowerCase())) return
  const isInside = (value: string) => group.includes(value.toLowerCase())
  if (isInside(resolution)) return
  throw invalid(param, `${resolution} is outside the account's group, ${oneOf(offered.filter(isInside))}`)
}
