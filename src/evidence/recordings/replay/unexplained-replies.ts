import { type Fault, FaultError, familyOf } from '../../../emulator/gateway.ts'
import { at } from '../../spec/json.ts'
import { namedBy } from '../../spec/observation.ts'
import { headerOf } from '../har.ts'
import { hasForeignInput } from '../read/observed.ts'
import type { Step } from '../read/steps.ts'
import type { Replay, ReplayConditions, Rights } from './replay.ts'
import type { PlannedRefusal } from './replay-world.ts'

/** Reasons for which a gateway may refuse a correct request. */
const outside: readonly Fault[] = [
  'forbidden_model',
  'moderated',
  'insufficient_balance',
  'rate_limited',
  'too_large',
  'unavailable',
  'internal',
]

/**
 * What else a replay needs to give the recorded replies: a refusal whose reason is not in the recording is planned, and an
 * account's group is limited when a resolution was refused. Undefined when the first replay needs neither.
 */
export function conditionsOf(
  steps: readonly Step[],
  { replies, accountOf }: Replay,
): ReplayConditions | undefined {
  const refusals = new Map<Step, PlannedRefusal>()
  const accounts = new Map<string, Rights>()
  const allow = (step: Step, rights: Rights) =>
    accounts.set(accountOf(step), { ...accounts.get(accountOf(step)), ...rights })
  for (const step of steps) {
    const own = replies.get(step)
    if (!own || own.broken !== undefined || own.status === step.status) continue
    // A replay repeats within a second what a recording may spread over days.
    if (step.status < 300 && own.status === 429) allow(step, { requests_per_minute: null })
    if (step.status < 400) continue
    const group =
      own.status < 300 && step.status === 400
        ? groupOf(
            step,
            steps.filter(one => accountOf(one) === accountOf(step)),
          )
        : undefined
    if (group) allow(step, { resolutions: group })
    else if (own.status < 300) {
      const refusal = refusalOf(step)
      if (refusal) refusals.set(step, refusal)
    }
  }
  return refusals.size > 0 || accounts.size > 0 ? { refusals, accounts } : undefined
}

/** The fault whose error in this family is most like the recorded refusal. At least status or code must be equal. */
export function refusalOf(step: Step): PlannedRefusal | undefined {
  const { dialect } = familyOf(step.family)
  const faults = isAboutUnknown(step) ? [...outside, 'invalid_parameter' as const] : outside
  const nearest = faults
    .map(fault => {
      const { status, body } = dialect.error(new FaultError(fault), { requestId: '' })
      const isSameStatus = status === step.status
      // A code that other faults have too does not show the fault.
      const alike = codes.filter(
        path =>
          at(step.reply, ...path) !== undefined &&
          at(body, ...path) === at(step.reply, ...path) &&
          (isSameStatus || faultsWith(step, path) === 1),
      )
      return { fault, score: (isSameStatus ? 2 : 0) + alike.length }
    })
    .sort((one, other) => other.score - one.score)[0]
  if (!nearest || nearest.score === 0) return undefined
  const param = at(step.reply, 'error', 'param')
  const wait = headerOf(step.entry.response.headers, 'retry-after') ?? standardWait(step, nearest.fault)
  return {
    fault: nearest.fault,
    ...(typeof param === 'string' && param !== '' && { param }),
    ...(wait !== undefined && { retryAfter: `${/^\d+$/.test(wait) ? wait : 1}s` }),
  }
}

/** Whether the reason of a refusal is not in the recording: the file behind a link of another server, or a task from before. */
function isAboutUnknown(step: Step): boolean {
  const named = namedBy(step.reply)
  if (named === 'external_task_id') return true
  return hasForeignInput(step) && (named === undefined || /content|image|media|video|audio|url/.test(named))
}

/** How many faults have the recorded value at a place of their errors. */
function faultsWith({ family, reply }: Step, path: readonly string[]): number {
  const { dialect } = familyOf(family)
  return ([...outside, 'invalid_parameter', 'unauthenticated'] as const).filter(
    fault => at(dialect.error(new FaultError(fault), { requestId: '' }).body, ...path) === at(reply, ...path),
  ).length
}

/** A 429 has Retry-After (A-rate), unless a scenario of an emulator made it. */
function standardWait({ entry }: Step, fault: Fault): string | undefined {
  const rule = headerOf(entry.response.headers, 'x-emulator-rule') ?? ''
  const isScripted = rule.split(',').some(name => name !== '' && !/^prompt\/(?!refuse)/.test(name.trim()))
  return fault === 'rate_limited' && !isScripted ? '1' : undefined
}

const codes = [['error', 'code'], ['code'], ['error', 'type']]

/** For a refused resolution that the model has: the account's group has the resolutions that its other steps used. */
function groupOf(step: Step, steps: readonly Step[]): string[] | undefined {
  const refused = resolutionOf(step)
  const said = JSON.stringify(step.reply) ?? ''
  if (refused === undefined || !/resolution/i.test(said)) return undefined
  const allowed = new Set(steps.filter(({ status }) => status < 300).flatMap(one => resolutionOf(one) ?? []))
  if (allowed.has(refused)) return undefined
  const usual = ['480p', '720p', '1080p'].filter(one => one !== refused.toLowerCase())
  return [...new Set([...allowed, ...usual])]
}

export function resolutionOf({ body }: Step): string | undefined {
  if (body.kind !== 'json') return undefined
  const found =
    at(body.value, 'resolution') ??
    at(body.value, 'parameters', 'resolution') ??
    at(body.value, 'settings', 'resolution')
  return typeof found === 'string' ? found : undefined
}
