import type { ComponentChildren } from 'preact'
import type { Trace, TraceCall } from '../../kits/views.ts'
import { credits, preciseTime } from '../parts/format.ts'
import { RequestTabs } from '../requests/request-tabs.tsx'
import { type Moment, moneyAt, outcomeOf, stateAt } from './moments.ts'
import { stateTone } from './rows.ts'

interface Props {
  trace: Trace
  moment: Moment
  actions: (moment: Moment) => ComponentChildren
  pictureOf?: ((task: string) => string | undefined) | undefined
}

/** What is known of a moment: its request and reply, the state of its task, the money, a picture of the result. */
export function MomentPanel({ trace, moment, actions, pictureOf }: Props) {
  const { call, at, task: id, title, tone, text } = moment
  const task = trace.tasks.find(one => one.id === id)
  const state = task && stateAt(task, at)
  const money = moneyAt(trace, moment)
  const picture = task && state?.state === 'succeeded' ? pictureOf?.(task.id) : undefined
  return (
    <section class="trace-panel" aria-label="This moment">
      <header>
        <h2 class="row">
          <span class={`dot tone-${tone}`} aria-hidden="true" /> {title}
        </h2>
        <p class="small quiet mono">{preciseTime(at)}</p>
        {call && (
          <p class="mono path">
            {call.method} {call.path}
          </p>
        )}
      </header>
      {call && <CallNotes call={call} />}
      {text && <p class={`remark tone-${tone}`}>{text}</p>}
      <dl class="facts">
        {call?.service && (
          <>
            <dt>Sent by</dt>
            <dd>{call.service}</dd>
          </>
        )}
        {task && (
          <>
            <dt>Task</dt>
            <dd>
              <span class="mono">{task.id}</span>{' '}
              {state && <span class={`tag tone-${stateTone(state.state)}`}>{state.status}</span>}
            </dd>
          </>
        )}
        {task?.prompt && (
          <>
            <dt>Prompt</dt>
            <dd dir="auto">{task.prompt}</dd>
          </>
        )}
        <dt>Money so far</dt>
        <dd>
          {credits(money.settled)} settled, {credits(money.reserved)} reserved
        </dd>
      </dl>
      {picture && <img class="trace-picture" src={picture} alt={`The result of ${task?.id}`} />}
      <div class="row">{actions(moment)}</div>
      {call && <RequestTabs key={call.id} call={call} />}
    </section>
  )
}

const brokenWords: Readonly<Record<NonNullable<TraceCall['broken']>, string>> = {
  cut: 'The reply broke off before its end.',
  reset: 'The connection was reset: the client read no reply.',
  stalled: 'The reply stopped, and the connection stayed open.',
  empty: 'The reply had no content.',
  wrong_type: 'The reply was something else than what was asked for.',
  garbled: 'Bytes of the reply were wrong.',
}

function CallNotes({ call }: { call: TraceCall }) {
  return (
    <>
      {call.broken && (
        <p class="remark tone-failed">
          Broken ({outcomeOf(call)}): {brokenWords[call.broken]}
        </p>
      )}
      {call.client_left && (
        <p class="remark tone-failed">The client closed the connection before the reply was whole.</p>
      )}
      {call.wait && (
        <p class={`remark tone-${call.wait.kept_s >= call.wait.asked_s ? 'succeeded' : 'failed'}`}>
          The reply before asked for a wait of {call.wait.asked_s} s; the client waited {call.wait.kept_s} s.
        </p>
      )}
      {call.acted && <p class="remark tone-running">{call.acted}</p>}
      {!call.acted && call.status >= 400 && (
        <p class="remark tone-failed">
          A rule of the service itself
          {call.fault ? ` (${call.fault}${call.param ? `: ${call.param}` : ''})` : ''}: no scenario acted.
        </p>
      )}
    </>
  )
}
