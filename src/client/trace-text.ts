import { dayMarked } from '../worlds/clock.ts'
import type { Trace, TraceCall } from './trace-views.ts'

/** A trace as lines, in virtual time: calls, events and findings in order, then open requests. */
export function traceText({ attempts, events, findings, open }: Trace): string {
  const lines = [
    ...attempts.flatMap(({ operation, calls }) =>
      calls.map(call => ({ at: call.at, text: `${operation}  ${callText(call)}` })),
    ),
    ...events.map(({ at, kind, text, task_id }) => ({
      at,
      text: `${kind}  ${task_id ? `${task_id}: ` : ''}${text}`,
    })),
    ...findings.map(({ at, kind, text }) => ({ at, text: `finding  ${kind}: ${text}` })),
  ].sort((a, b) => a.at.localeCompare(b.at))
  const waiting = open.map(
    ({ operation, path, text, for_ms }) =>
      `open          ${operation}  ${path.split('?', 1)[0]}: ${text}, for ${(for_ms / 1000).toFixed(1)} s`,
  )
  return [...dayMarked(lines), ...waiting].join('\n')
}

/** A call as a line without its moment. */
function callText({ method, path, status, broken, client_left, acted, wait, key_label }: TraceCall): string {
  const reply = status === 0 ? 'no reply' : String(status)
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
