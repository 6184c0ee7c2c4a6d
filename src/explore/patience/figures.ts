// biome-ignore-all lint/suspicious/noThenProperty: the word of the scenario language, never awaited.
import {
  downloadOperation,
  makesTask,
  type ScenarioDocument,
  type ScenarioRule,
} from '../../emulator/words.ts'
import type { ObservedCall } from '../plan/plan.ts'

export const longestMs = 86_400_000

/** The lengths that are measured, and how each is played. */
export const lengths = ['outage.polls', 'outage.downloads', 'queue', 'answer'] as const
export type LengthName = (typeof lengths)[number]

/** The calls of the undisturbed run that the figures are about. */
export interface Calls {
  creates: ObservedCall[]
  polls: ObservedCall[]
  downloads: ObservedCall[]
}

export function callsFor(calls: readonly ObservedCall[]): Calls {
  const creates = calls.filter(({ operation }) => makesTask(operation))
  const downloads = calls.filter(({ operation }) => operation === downloadOperation)
  const firstMs = Math.min(...creates.map(({ request }) => request.at_ms))
  const polls = calls.filter(
    call =>
      !creates.includes(call) &&
      !downloads.includes(call) &&
      call.request.at_ms >= firstMs &&
      /\.(get|list)$/.test(call.operation),
  )
  const after = calls.indexOf(creates[0] as ObservedCall)
  return { creates, polls: polls.filter(call => calls.indexOf(call) > after), downloads }
}

/** Why a figure says nothing about this program; undefined when it can be measured. */
export function without(name: LengthName, { creates, polls, downloads }: Calls): string | undefined {
  if (creates.length === 0) return 'the program makes no task'
  if (name === 'outage.downloads') return downloads.length === 0 ? 'the program downloads nothing' : undefined
  if (name === 'answer') return undefined
  return polls.length === 0 ? 'the program polls no task' : undefined
}

/** The scenario in which a length is as given, ms. */
export function scenarioFor(name: LengthName, ms: number, calls: Calls): ScenarioDocument {
  return { name: 'patience', description: `${name} of ${ms} ms.`, rules: rulesFor(name, ms, calls) }
}

function rulesFor(name: LengthName, ms: number, { creates, polls, downloads }: Calls): ScenarioRule[] {
  const since = ([first]: ObservedCall[]) =>
    first && { since: { operation: first.operation, call: first.nth, for: `${ms}ms` } }
  switch (name) {
    case 'outage.polls':
      return operationsOf(polls).map(operation => ({
        when: { operation, ...since(polls) },
        then: { refuse: { fault: 'unavailable' } },
      }))
    case 'outage.downloads':
      return [
        {
          when: { operation: downloadOperation, ...since(downloads) },
          then: { connection: { reset: 'before_request' } },
        },
      ]
    case 'queue':
      return operationsOf(creates).map(operation => ({
        when: { operation },
        then: { task: { queued: `${ms}ms` } },
      }))
    case 'answer':
      return firstCalls({ creates, polls }).map(({ operation, nth }) => ({
        when: { operation, call: nth },
        then: { connection: { latency: `${ms}ms` } },
      }))
  }
}

/** The first call of each operation, after the create where it is a poll. */
export function firstCalls({ creates, polls }: Pick<Calls, 'creates' | 'polls'>): ObservedCall[] {
  const all = [...creates, ...polls]
  return operationsOf(all).flatMap(operation => all.find(call => call.operation === operation) ?? [])
}

/** The scenario in which one call gets no answer. */
export function silentScenario({ operation, nth }: ObservedCall): ScenarioDocument {
  return scenarioWith('no answer', { when: { operation, call: nth }, then: { connection: 'hang' } })
}

function scenarioWith(description: string, rule: ScenarioRule): ScenarioDocument {
  return { name: 'patience', description, rules: [rule] }
}

function operationsOf(calls: readonly ObservedCall[]): string[] {
  return [...new Set(calls.map(({ operation }) => operation))]
}

/** What happens to one of several tasks. */
export const mishaps = ['never_ends', 'silent_poll', 'refused'] as const
/** What happens to one of several tasks. */
export type Mishap = (typeof mishaps)[number]

export function mishapScenario(mishap: Mishap, { creates, polls }: Calls): ScenarioDocument | undefined {
  const [create, poll] = [creates[0], polls[0]]
  if (!create) return undefined
  if (mishap === 'silent_poll') return poll && silentScenario(poll)
  const then: ScenarioRule['then'] =
    mishap === 'never_ends' ? { task: { outcome: 'never' } } : { refuse: { fault: 'moderated' } }
  return scenarioWith(mishap, { when: { operation: create.operation, call: create.nth }, then })
}
