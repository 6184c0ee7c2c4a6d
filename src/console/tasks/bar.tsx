import type { TaskLine } from '../../kits/views.ts'
import { Icon } from '../parts/icons.tsx'
import { stateIcons } from '../parts/state-pill.tsx'
import { isOver } from '../parts/states.ts'
import type { StateChange } from '../store/tasks.ts'
import { fitted, place, type TimeWindow } from './time-scale.ts'

interface Props {
  states: TaskLine['states']
  /** When the links of the task end, epoch ms. */
  linksEnd: number | undefined
  window: TimeWindow
  now: number
}

interface Part {
  key: string
  tone: string
  shape: 'wait' | 'run'
  from: number
  to: number
}

/** The states of a task in virtual time; states to come are paler. */
export function Bar({ states, linksEnd, window, now }: Props) {
  const end = states.at(-1)
  const hasEnd = end !== undefined && isOver(end.state)
  return (
    <>
      {partsOf(states, now, window.to).map(part => (
        <Piece key={part.key} part={part} window={window} />
      ))}
      {linksEnd !== undefined && (
        <span
          class={`links-end${linksEnd > now ? ' coming' : ''}`}
          style={{ left: `${Math.min(102, Math.max(-2, place(linksEnd, window)))}%` }}
        />
      )}
      {hasEnd && <EndMark end={end} window={window} now={now} />}
    </>
  )
}

/** A task alone, in a line as long as its life, with now in it. */
export function OwnLine({ line: { states, links_end_ms }, now }: { line: TaskLine; now: number }) {
  const window = fitted([{ states }], now)
  return (
    <span class="track" aria-hidden="true">
      <span class="now-line" style={{ left: `${place(now, window)}%` }} />
      <Bar states={states} linksEnd={links_end_ms} window={window} now={now} />
    </span>
  )
}

/** The parts between two changes; the present part is cut in two at now. */
function partsOf(states: readonly StateChange[], now: number, horizon: number): Part[] {
  const end = states.at(-1)
  return states.flatMap((change, i): Part[] => {
    if (isOver(change.state)) return []
    const until = states[i + 1]?.at_ms ?? Math.max(horizon, now)
    const shape = change.state === 'queued' ? 'wait' : 'run'
    const past = { from: change.at_ms, to: Math.min(until, now) }
    const coming = { from: Math.max(change.at_ms, now), to: until }
    const isDone = end !== undefined && isOver(end.state) && end.at_ms <= now
    const tone = shape === 'run' && isDone ? end.state : change.state
    return [
      ...(past.to > past.from ? [{ key: `${i}`, tone, shape, ...past } as const] : []),
      ...(coming.to > coming.from
        ? [{ key: `${i}+`, tone: `${change.state} coming`, shape, ...coming } as const]
        : []),
    ]
  })
}

function Piece({ part, window }: { part: Part; window: TimeWindow }) {
  const from = Math.max(-1, place(part.from, window))
  const to = Math.min(101, place(part.to, window))
  if (to <= from) return null
  const [state = ''] = part.tone.split(' ')
  return (
    <span
      class={`piece ${part.shape} tone-${part.tone}`}
      data-piece={state}
      style={{ left: `${from}%`, width: `max(2px, ${to - from}%)` }}
    />
  )
}

function EndMark({ end, window, now }: { end: StateChange; window: TimeWindow; now: number }) {
  const at = place(end.at_ms, window)
  if (at < -1 || at > 101) return null
  return (
    <span class={`end-mark tone-${end.state}${end.at_ms > now ? ' coming' : ''}`} style={{ left: `${at}%` }}>
      <Icon name={stateIcons[end.state]} />
    </span>
  )
}
