import { invalid } from '../faults/fault-error.ts'
import { oneOf } from '../wording/shown.ts'
import type { Account } from '../worlds/world.ts'

/**
 * Spec, "Errors" rule 1: a resolution that the account's group does not allow is a 400. Upper and lower case are the same: 1080p
 * and 1080P (A-groups). `offered` are the resolutions of the model. Throws `invalid_parameter`.
 */
export function checkGroup(
  asked: { param: string; resolution: string; offered: readonly string[] },
  { resolutions }: Pick<Account, 'resolutions'>,
): void {
  if (resolutions === null) return
  const { param, resolution, offered } = asked
  const group = resolutions.map(value => value.toLowerCase())
  const isInside = (value: string) => group.includes(value.toLowerCase())
  if (isInside(resolution)) return
  throw invalid(param, `${resolution} is outside the account's group, ${oneOf(offered.filter(isInside))}`)
}
