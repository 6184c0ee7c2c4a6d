import { now } from '../store/clock.ts'
import { ghost } from './ghost.ts'
import { place, ticks } from './time-scale.ts'
import { timeWindow } from './time-window.ts'

/** The lines behind all bars: round moments, now, and the ghost of now. They are drawn once, not in each row. */
export function TimeGrid({ tickCount }: { tickCount: number }) {
  const window = timeWindow.value
  const at = ghost.value
  return (
    <div class="time-grid" aria-hidden="true">
      <div class="track">
        {ticks(window, tickCount).map(tick => (
          <span key={tick} class="grid-line" style={{ left: `${place(tick, window)}%` }} />
        ))}
        <span class="now-line" style={{ left: `${place(now.value, window)}%` }} />
        {at !== undefined && <span class="ghost-line" style={{ left: `${place(at, window)}%` }} />}
      </div>
    </div>
  )
}
