import { formatDuration } from '../worlds/clock.ts'
import { type Calls, isAmong, type Range } from './amounts.ts'
import { type Rule, reaches, type Scenario } from './compile.ts'
import { downloadOperation } from './operations.ts'
import type { effectKinds, Latency, Then } from './then.ts'

/** An operation that makes a task, with the times that it takes when no scenario acts; virtual ms. */
export interface Maker {
  operation: string
  queuedMs: number
  runningMs: number
}

type Kind = (typeof effectKinds)[number]

/** At most so many calls are shown one by one. */
const mostCalls = 12

/**
 * What a create of each family would get under a scenario, call by call, and then the downloads: for
 * `scenarios check --dry-run`. Whether a prompt or a body fits, or a chance comes up, is not known here; such rules
 * are shown with their condition, followed by what happens otherwise.
 */
export function dryRun(scenario: Scenario, makers: readonly Maker[]): string {
  const parts = makers.map(maker => timeLine(scenario, maker.operation, maker))
  parts.push(timeLine(scenario, downloadOperation))
  const title = scenario.description ? `${scenario.name}: ${scenario.description.trim()}` : scenario.name
  return `${[title, ...parts].join('\n')}\n`
}

function timeLine(scenario: Scenario, operation: string, maker?: Maker): string {
  const rules = scenario.rules.filter(rule => rule.operations.has(operation))
  const shown: { from: number; to: number; text: string }[] = []
  for (let call = 1; call <= callsToShow(rules); call++) {
    const text = outcomesOf(rules, { call, operation, maker }).join('\n')
    const last = shown.at(-1)
    if (last?.text === text) last.to = call
    else shown.push({ from: call, to: call, text })
  }
  const lines = shown.map(
    ({ from, to, text }, i) => `  ${labelOf(from, to, i === shown.length - 1)}${indented(text)}`,
  )
  return [operation, ...lines].join('\n')
}

function labelOf(from: number, to: number, isLast: boolean): string {
  if (isLast) return (from === 1 ? 'every call' : `call ${from} on`).padEnd(14)
  return (from === to ? `call ${from}` : `calls ${from}-${to}`).padEnd(14)
}

function indented(text: string): string {
  return text.replaceAll('\n', `\n${' '.repeat(16)}`)
}

/** One more than the last call that any rule speaks of, so that the usual case is seen too. */
function callsToShow(rules: readonly Rule[]): number {
  return Math.min(mostCalls, Math.max(1, ...rules.map(({ calls }) => (calls ? lastOf(calls) + 1 : 1))))
}

function lastOf(calls: Calls): number {
  if (calls.kind === 'every') return calls.n * 2
  return Number.isFinite(calls.to) ? calls.to : calls.from
}

interface Case {
  call: number
  operation: string
  maker: Maker | undefined
}

/** The lines of one call. A refusal leaves no task to speak of, so it ends the list. */
function outcomesOf(rules: readonly Rule[], { call, operation, maker }: Case): string[] {
  const fitting = rules.filter(rule => !rule.calls || isAmong(rule.calls, call))
  const lines: string[] = []
  let isDoubtful = false
  const usual: Record<Kind, string | undefined> = {
    advanceMs: undefined,
    connection: undefined,
    refuse: undefined,
    task: maker && taskText({}, maker),
    media: maker ? undefined : 'the whole file',
  }
  for (const kind of ['advanceMs', 'connection', 'refuse', 'task', 'media'] as const) {
    const acting = fitting.filter(
      rule => rule.then[kind] !== undefined && reaches(rule.then, kind, operation),
    )
    const certain = acting.findIndex(rule => doubtsOf(rule) === '')
    const tried = certain < 0 ? acting : acting.slice(0, certain + 1)
    lines.push(...tried.map(rule => `${textOf(kind, rule.then, maker)} (${rule.name}${doubtsOf(rule)})`))
    if (certain >= 0 && kind === 'refuse') return lines
    isDoubtful ||= tried.length > 0 && (kind === 'refuse' || usual[kind] !== undefined)
    if (certain < 0 && usual[kind]) lines.push(isDoubtful ? `otherwise ${usual[kind]}` : usual[kind])
  }
  return lines
}

/** What else must hold for a rule to act, in words; empty when nothing. */
function doubtsOf({ conditions, during, probability }: Rule): string {
  const doubts = conditions.map(({ field, asked }) => `when ${field} is ${JSON.stringify(asked)}`)
  if (during) {
    const end = Number.isFinite(during.toMs) ? ` until ${formatDuration(during.toMs)}` : ''
    doubts.push(`from ${formatDuration(during.fromMs)}${end} after activation`)
  }
  if (probability !== undefined) doubts.push(`with a chance of ${Math.round(probability * 1000) / 10} %`)
  return doubts.map(doubt => `, ${doubt}`).join('')
}

function textOf(kind: Kind, then: Then, maker: Maker | undefined): string {
  switch (kind) {
    case 'advanceMs':
      return `the clock moves on by ${formatDuration(then.advanceMs ?? 0)}`
    case 'connection':
      return `connection: ${connectionText(then.connection ?? {})}`
    case 'refuse':
      return refusalText(then.refuse ?? {})
    case 'task':
      return taskText(then.task ?? {}, maker ?? { operation: '', queuedMs: 0, runningMs: 0 })
    case 'media':
      return `media: ${then.media?.kind}${then.media?.value === undefined ? '' : ` ${then.media.value}`}`
  }
}

function refusalText({ fault, status, proxyPage, retryAfterMs }: NonNullable<Then['refuse']>): string {
  const wait = retryAfterMs === undefined ? '' : `, try again after ${formatDuration(retryAfterMs)}`
  return `refused: ${fault ?? (proxyPage ? `proxy page ${proxyPage}` : `status ${status}`)}${wait}`
}

function connectionText({
  latency,
  reset,
  hang,
  garble,
  throttleBytesPerSecond,
}: NonNullable<Then['connection']>): string {
  const words = [
    latency !== undefined && `latency ${latencyText(latency)}`,
    reset && `reset ${reset}`,
    hang && 'hang',
    garble && 'garble',
    throttleBytesPerSecond && `${throttleBytesPerSecond} bytes/s`,
  ]
  return words.filter(Boolean).join(', ')
}

function latencyText(latency: Latency): string {
  if (typeof latency === 'number') return formatDuration(latency)
  return `p50 ${formatDuration(latency.p50)} p99 ${formatDuration(latency.p99)}`
}

function taskText(
  { queued, running, outcome = 'succeeded', error, goneMs }: NonNullable<Then['task']>,
  maker: Maker,
): string {
  const waits = queued ?? { from: maker.queuedMs, to: maker.queuedMs }
  const runs = running ?? { from: maker.runningMs, to: maker.runningMs }
  const ends = { from: waits.from + runs.from, to: waits.to + runs.to }
  const end = {
    succeeded: `${rangeText(ends)} succeeded`,
    failed: `${rangeText(ends)} failed${error?.code ? ` ${error.code}` : ''}`,
    cancelled: `${rangeText(ends)} cancelled`,
    expired: 'at its expiry expired',
    never: 'never ends',
  }[outcome]
  const gone = goneMs === undefined ? '' : `, record gone ${formatDuration(goneMs)} after its start`
  return `queued -> ${rangeText(waits)} running -> ${end}${gone}`
}

function rangeText({ from, to }: Range): string {
  return from === to ? formatDuration(from) : `${formatDuration(from)}..${formatDuration(to)}`
}
