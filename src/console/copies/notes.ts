import { isWhole } from '../parts/copy-as.ts'
import type { Means } from './effects.ts'
import { afterOf, awaitedBy, type Part } from './part.ts'

/** What a copy cannot carry over, a sentence each. The copy and the notice name it. */
export function notesOf({ trace, calls, tasks }: Part, means: Means): string[] {
  const nth = (id: number) => `request ${id}`
  const hands = trace.events.filter(({ kind }) => kind === 'by_hand')
  const of = (call: string) => hands.filter(({ action }) => action?.call === call)
  const isRule = means === 'rules'
  const left = calls.filter(({ client_left }) => client_left)
  const open = calls.filter(({ ended_at }) => ended_at === null)
  const digests = isRule ? [] : calls.filter(({ request }) => !isWhole(request.body))
  const expired = tasks.filter(({ states }) =>
    states.some(({ forced, state }) => forced && state === 'expired'),
  )
  const disabled = calls.filter(
    ({ counted, status, account }) => counted === false && status === 401 && account,
  )
  const unknown = calls.filter(
    ({ counted, status, account }) => counted === false && status === 401 && !account,
  )
  const links = calls.filter(({ operation, counted }) => operation === 'media.download' && counted === false)
  const headers = calls.filter(({ request }) => request.headers['x-emulator-scenario'] !== undefined)
  const waiting = calls.filter(call => afterOf(call) && !awaitedBy(trace, call))
  const ended = tasks.filter(({ links }) => links.some(({ ended_by_hand }) => ended_by_hand))
  const last = Math.max(0, ...calls.filter(({ counted }) => counted !== false).map(({ id }) => id))
  const lateMoves = hands.filter(({ action }) => action && action.moved_ms > 0 && action.after >= last)
  const made = tasks.filter(({ made_by_hand }) => made_by_hand)
  return [
    trace.incomplete !== undefined && `the trace is incomplete: ${trace.incomplete}`,
    trace.open.length > 0 && `${trace.open.length} open: requests without a reply yet are left out`,
    ...open.map(({ id }) => `${nth(id)} was still being answered`),
    ...waiting.map(
      ({ id }) => `${nth(id)}: its reply waited for that to a call which this run does not have`,
    ),
    ...left.map(({ id }) => `${nth(id)}: the client closed the connection; only the client can do so again`),
    ...digests.map(
      ({ id }) =>
        `${nth(id)}: the journal keeps digests of long texts and files; put your own in their place`,
    ),
    isRule &&
      expired.length > 0 &&
      'a task was forced to expire by hand; in the copy it expires when its time is over',
    isRule && made.length > 0 && `${made.length} made through the control API: a scenario makes no tasks`,
    isRule &&
      of('PATCH /accounts/:id').length > 0 &&
      'an account was changed by hand; the copy has the refusals that followed, not the change',
    isRule && disabled.length > 0 && 'a disabled key was refused; rules act only after the key was accepted',
    unknown.length > 0 &&
      isRule &&
      `${unknown.map(({ id }) => nth(id)).join(', ')}: a wrong key; the client must send it again`,
    ...(isRule
      ? []
      : links.map(
          ({ id }) =>
            `${nth(id)}: a link that was not the task's own, or carried a key; the copy leaves it out`,
        )),
    isRule &&
      headers.length > 0 &&
      'some requests named a scenario in X-Emulator-Scenario: it must be known in the new world',
    isRule &&
      ended.length > 0 &&
      'links were ended by hand; the copy refuses the downloads that followed, and findings about unread links may differ',
    isRule && lateMoves.length > 0 && 'the clock was moved on by hand after the last request',
    of('POST /assets').length + of('DELETE /assets/:id').length > 0 && 'assets were added or removed by hand',
    of('PATCH /clock').some(({ action }) => (action?.body as { mode?: string } | null)?.mode !== undefined) &&
      'the mode of the clock was changed by hand',
  ].filter(note => typeof note === 'string')
}
