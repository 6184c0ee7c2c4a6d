import { dayMarked } from '../../emulator/words.ts'
import type { StoryNext } from './task-views.ts'
import type { Trace, TraceCall, TraceEvent } from './trace-views.ts'

/** A trace as lines, in virtual time: calls, events and findings in order, then open requests. On a still clock the journal decides. */
export function traceText({ attempts, events, findings, open }: Trace): string {
  const calls = attempts.flatMap(({ operation, calls }) => calls.map(call => ({ ...call, operation })))
  const lines = [
    ...calls.map(call => ({ at: call.at, place: call.id, text: `${call.operation}  ${callText(call)}` })),
    ...events.map(event => ({
      at: event.at,
      place: placeOf(event, calls),
      text: `${event.kind}  ${event.task_id ? `${event.task_id}: ` : ''}${event.text}`,
    })),
    ...findings.map(({ at, kind, text }) => ({ at, place: Infinity, text: `finding  ${kind}: ${text}` })),
  ].sort((a, b) => a.at.localeCompare(b.at) || a.place - b.place || 0)
  const waiting = open.map(
    ({ operation, path, text, for_ms }) =>
      `open          ${operation}  ${path.split('?', 1)[0]}: ${text}, for ${(for_ms / 1000).toFixed(1)} s`,
  )
  return [...dayMarked(lines), ...waiting].join('\n')
}

/** The place of an event among the calls of its moment: after the call that caused it, else before all of them, since they meet what time has changed. */
function placeOf({ request_id, action }: TraceEvent, calls: readonly TraceCall[]): number {
  if (action) return action.after + 0.5
  const cause = calls.find(call => call.request_id === request_id)
  return cause ? cause.id + 0.1 : -1
}

/** A call as a line without its moment. */
function callText(call: TraceCall): string {
  const { method, path, status, fault, param, broken, client_left, acted, wait, key_label } = call
  const reply = status === 0 ? 'no reply' : `${status}${param ? ` (${fault}: ${param})` : ''}`
  return [
    `${method} ${path.split('?', 1)[0]} -> ${reply}`,
    key_label && `key ${key_label}`,
    broken && `broken: ${broken}`,
    client_left && 'the client left',
    acted,
    wait && `waited ${wait.kept_s} s of ${wait.asked_s} s asked`,
  ]
    .filter(Boolean)
    .join(', ')
}

/** What comes next for a task, in a sentence. `length` writes a time from `now` (epoch ms) on. */
export function nextText(
  { status, state, changes, reason, links }: StoryNext,
  now: number,
  length: (ms: number) => string,
): string {
  const steps = changes.flatMap(({ at_ms, status: to }) =>
    at_ms > now ? `${to === 'gone' ? 'its record is gone' : `becomes ${to}`} in ${length(at_ms - now)}` : [],
  )
  if (state === 'deleted') return 'nothing: its record was removed'
  if (steps.length > 0) return `${steps.join(', then ')}, ${reason}`
  if (state === 'queued' || state === 'running') return `nothing: it stays "${status}", ${reason}`
  const final = `nothing: it is "${status}", which is final`
  if (!links) return final
  if (links.end_ms <= now) return `${final}; its links have expired, and nothing renews them`
  const left = length(links.end_ms - now)
  return links.read
    ? `${final}; its links work for another ${left}`
    : `${final}; no client has read its links yet; they end in ${left}`
}
