import { day, timeOfDay } from '../parts/format.ts'
import { now } from '../store/clock.ts'
import { place, ticks } from './time-scale.ts'
import { timeWindow } from './time-window.ts'

/** Virtual time above the bars, with now on it. */
export function Axis({ tickCount }: { tickCount: number }) {
  const window = timeWindow.value
  const at = place(now.value, window)
  const isLong = window.to - window.from > 86_400_000
  const label = (ms: number) =>
    isLong ? `${day(ms).replace(/ \d{4}$/, '')} ${timeOfDay(ms).slice(0, 5)}` : timeOfDay(ms)
  return (
    <div class="axis" aria-hidden="true">
      <div class="axis-head small quiet">{day(now.value)}, UTC</div>
      <div class="track">
        {ticks(window, tickCount).map(tick => (
          <span key={tick} class="tick" style={{ left: `${place(tick, window)}%` }}>
            {label(tick)}
          </span>
        ))}
        {at >= 0 && at <= 100 ? (
          <span class="now-head" style={{ left: `${at}%` }}>
            now
          </span>
        ) : (
          <span class={`now-away ${at < 0 ? 'before' : 'after'}`}>{at < 0 ? '← now' : 'now →'}</span>
        )}
      </div>
      <div class="axis-tail" />
    </div>
  )
}
