import { fromNow, preciseTime, span } from '../parts/format.ts'
import { now } from '../store/clock.ts'
import type { TaskLine } from '../store/shapes.ts'
import { Bar } from '../tasks/bar.tsx'
import { fitted, place } from '../tasks/time-scale.ts'

/** The task's own time line, with the moment of each change. */
export function Life({ line }: { line: TaskLine }) {
  // A synchronous call makes a task that is finished at once: it was never queued.
  const states = line.states.filter(({ at_ms }, i) => line.states[i + 1]?.at_ms !== at_ms)
  const { links_end_ms: linksEnd } = line
  const window = fitted([line], now.value)
  return (
    <div class="life panel">
      <div class="track" aria-hidden="true">
        <span class="now-line" style={{ left: `${place(now.value, window)}%` }} />
        <Bar states={line.states} linksEnd={linksEnd} window={window} now={now.value} />
      </div>
      <ol class="life-steps">
        {states.map(({ at_ms, word, state }, i) => {
          const before = states[i - 1]
          return (
            <li key={at_ms} class={`tone-${state}${at_ms > now.value ? ' quiet' : ''}`}>
              <span class="dot" />
              <strong>{word}</strong> <time class="mono">{preciseTime(at_ms)}</time>
              {before && <span class="small quiet"> +{span(at_ms - before.at_ms)}</span>}
            </li>
          )
        })}
        {linksEnd !== undefined && (
          <li class={`tone-expired${linksEnd > now.value ? ' quiet' : ''}`}>
            <span class="dot" />
            <strong>{linksEnd > now.value ? 'links end' : 'links ended'}</strong>{' '}
            <time class="mono">{preciseTime(linksEnd)}</time>{' '}
            <span class="small quiet">{fromNow(linksEnd, now.value)}</span>
          </li>
        )}
      </ol>
    </div>
  )
}
