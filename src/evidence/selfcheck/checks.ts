import { withValue } from '../spec/json.ts'
import { type Judgement, judge, partsOf, sentenceOf } from '../spec/judge.ts'
import type { Observation, SpecFamily } from '../spec/observation.ts'
import type { Answers, Asks, Predicate } from '../spec/predicates.ts'
import { statements } from '../spec/statements/index.ts'
import { type Gateway, Mismatch, must, mustBeError } from './gateway.ts'
import { freeJourney, journeys, plainRequests } from './journeys.ts'

/** A row of the specification that is checked over HTTP, in one family. */
export interface Check {
  /** The id of the row; the family's instead of `all`, and of `c` for the special variant. */
  id: string
  row: string
  family: SpecFamily
  says: string
  /** Where the specification says it. */
  cites: string
  /** True when a gateway that keeps the rule charges for the check. Refused requests cost nothing. */
  costs: boolean
  needs?: 'other account' | 'samples'
  /** Rejects with Mismatch when the gateway does not keep the rule, with NotShown when no reply showed it. */
  check(gateway: Gateway): Promise<void>
}

/** The gateway was too fast or too slow to show what the rule is about. */
export class NotShown extends Error {}

/** Every row that can be checked over HTTP, family by family. */
export const checks: readonly Check[] = (['a', 'b', 'c', 'special', 'k', 'image'] as const).flatMap(family =>
  statements.flatMap(({ id, says, line, section, seen }) => {
    const predicates = (seen[family] ?? []).filter(isChecked)
    if (predicates.length === 0) return []
    const needs = predicates.map(needsOf).find(need => need !== undefined)
    return [
      {
        id: id.replace(/^(?:all|c)\./, `${family}.`),
        row: id,
        family,
        says,
        cites: `line ${line}, "${section}"`,
        costs: predicates.some(isPaid),
        ...(needs && { needs }),
        async check(gateway: Gateway) {
          for (const predicate of predicates) await see(id, family, predicate, gateway)
        },
      },
    ]
  }),
)

/** Whether `selfcheck` sends requests that show a predicate. */
export function isChecked(predicate: Predicate): boolean {
  if (predicate.kind === 'answers') return predicate.ask !== undefined
  // Nobody waits for hours.
  if (predicate.kind === 'expires') return false
  return !('isElsewhere' in predicate && predicate.isElsewhere)
}

function needsOf(predicate: Predicate): Check['needs'] {
  if (predicate.kind === 'answers') return predicate.ask?.needs
  return predicate.kind === 'asks' ? predicate.given?.needs : undefined
}

/** Replies of operations that need no task. */
function isFreeView(view: string): boolean {
  return /\.error$|^(?:c|special|k\.presets)\.list$/.test(view)
}

function isPaid(predicate: Predicate): boolean {
  if (predicate.kind === 'asks' || predicate.kind === 'declared') return false
  if (predicate.kind === 'answers') return predicate.ask?.path.includes('{task}') ?? false
  return !(predicate.kind === 'fields' && isFreeView(predicate.view))
}

async function see(row: string, family: SpecFamily, predicate: Predicate, gateway: Gateway): Promise<void> {
  if (predicate.kind === 'asks') return refuses(row, family, predicate, gateway)
  if (predicate.kind === 'answers') return answered(row, family, predicate, gateway)
  const isFree = !isPaid(predicate)
  const mayBeMissed = ['moves', 'deletes', 'agrees'].includes(predicate.kind)
  // Of states, statuses and values, one is enough: many cost money, or a gateway that is busy.
  const isOneEnough = mayBeMissed || predicate.kind === 'declared'
  const nameOf = (part: string) => (predicate.kind === 'fields' ? (part.split(' ')[0] ?? '') : part)
  const left = new Set(isOneEnough ? [] : partsOf(predicate).map(nameOf))
  for (const run of isFree ? [freeJourney(family)] : journeys[family]) {
    const { observations } = await run(gateway)
    if (predicate.kind === 'declared')
      for (const observed of observations) if (observed.status >= 400) mustBeError(observed)
    const judged = mustHold(row, predicate, observations)
    for (const part of judged.flatMap(({ shows }) => shows)) left.delete(nameOf(part))
    if (left.size === 0 && judged.length > 0) return
  }
  const what = [...left].filter(Boolean).join(', ')
  throw new (mayBeMissed ? NotShown : Mismatch)(`No reply showed ${what || 'it'}`)
}

async function refuses(row: string, family: SpecFamily, asks: Asks, gateway: Gateway): Promise<void> {
  const { method, path, body } = plainRequests[asks.operation] as (typeof plainRequests)[string]
  const plain = { ...body(gateway), ...asks.given?.change(gateway) }
  for (const [name, form] of Object.entries(asks.fields))
    for (const bad of form.bad) {
      const value: unknown = typeof bad === 'function' ? bad(gateway) : bad
      const sent = method === 'GET' ? { [name]: value } : changed(plain, name, value)
      const query = method === 'GET' ? `?${new URLSearchParams(sent as Record<string, string>)}` : ''
      const request = method === 'GET' ? {} : { body: sent }
      const { status, body: reply } = await gateway.ask(method, path(gateway) + query, request)
      const observed = {
        operation: asks.operation,
        family,
        body: JSON.parse(JSON.stringify(sent)),
        status,
        reply,
      }
      must(
        mustHold(row, asks, [observed]).length > 0,
        `The status is ${status}, and must be ${asks.statuses[0]}`,
      )
      mustBeError(observed)
    }
}

function changed(plain: object, name: string, value: unknown): unknown {
  return name === '' ? { ...plain, ...(value as object) } : withValue(plain, name, value)
}

async function answered(row: string, family: SpecFamily, { ask, ...rest }: Answers, gateway: Gateway) {
  if (!ask) return
  const { method = 'GET', authorization, body, needs } = ask
  const task = ask.path.includes('{task}') ? (await journeys[ask.taskOf ?? family][0]?.(gateway))?.id : ''
  const { status, body: reply } = await gateway.ask(
    method,
    ask.path.replace('model_k_30_turbo', gateway.model('model_k_30_turbo')).replace('{task}', task ?? ''),
    {
      ...(method === 'POST' && { body: body?.(gateway) ?? {} }),
      ...(authorization && { authorization: authorization(gateway.key) }),
      ...(needs === 'other account' && { key: gateway.otherKey ?? '' }),
    },
  )
  const observed: Observation = { operation: 'unknown', family, status, reply, about: [row] }
  mustHold(row, rest, [observed])
  if (status >= 400 && !ask.isNoPath) mustBeError(observed)
}

/** Rejects when an observation contradicts the row; resolves to what the observations say about it. */
function mustHold(row: string, predicate: Predicate, observations: readonly Observation[]): Judgement[] {
  const judged = observations.flatMap(observed => judge(row, predicate, observed))
  const wrong = judged.find(({ holds }) => !holds)
  if (wrong) throw new Mismatch(sentenceOf(wrong))
  return judged
}

export interface Finding {
  rule: Check
  outcome: 'ok' | 'failed' | 'skipped'
  reason?: string
}

/** Checks one rule after the other. A rule is skipped when something it needs is missing, or when it costs money that may not be spent. */
export async function walk(
  rules: readonly Check[],
  gateway: Gateway,
  { mayCost }: { mayCost: boolean },
  report: (finding: Finding) => void,
): Promise<Finding[]> {
  const findings: Finding[] = []
  for (const rule of rules) {
    const finding = await find(rule, gateway, mayCost)
    findings.push(finding)
    report(finding)
  }
  return findings
}

async function find(rule: Check, gateway: Gateway, mayCost: boolean): Promise<Finding> {
  const reason = whyNot(rule, gateway, mayCost)
  if (reason) return { rule, outcome: 'skipped', reason }
  try {
    await rule.check(gateway)
    return { rule, outcome: 'ok' }
  } catch (error) {
    if (error instanceof NotShown) return { rule, outcome: 'skipped', reason: error.message }
    return { rule, outcome: 'failed', reason: error instanceof Error ? error.message : String(error) }
  }
}

function whyNot(rule: Check, gateway: Gateway, mayCost: boolean): string | undefined {
  if (rule.costs && !mayCost) return 'it costs money; allow it with --yes'
  if (rule.needs === 'other account' && !gateway.otherKey)
    return 'it needs the key of another account: --other-key'
  if (rule.needs === 'samples' && !gateway.sample('landscape.jpg'))
    return 'it needs a video that the gateway can fetch, as the emulator has them'
  return undefined
}

/** The exit code and the last line. A walk without a checked rule has failed. */
export function summary(findings: readonly Finding[]): { code: number; text: string } {
  const count = (outcome: Finding['outcome']) => findings.filter(found => found.outcome === outcome).length
  const text = `${count('ok')} ok, ${count('failed')} failed, ${count('skipped')} skipped`
  if (count('failed') > 0) return { code: 1, text }
  return count('ok') > 0 ? { code: 0, text } : { code: 1, text: `${text}: nothing was checked` }
}

export function line({ rule, outcome, reason }: Finding): string {
  const head = `${outcome.padEnd(7)} ${rule.id.padEnd(26)} ${rule.says} (${rule.cites})`
  return reason === undefined ? head : `${head}\n        ${reason}`
}
