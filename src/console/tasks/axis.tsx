import { useRef } from 'preact/hooks'
import { counted, day, fromNow, span, timeOfDay } from '../parts/format.ts'
import { Icon } from '../parts/icons.tsx'
import { now } from '../store/clock.ts'
import { countBetween, marksIn } from '../store/moments.ts'
import { commitGhost, ghost, ghostKey, momentUnder, shownMoments, turnWheel, useWheel } from './ghost.ts'
import { place, ticks } from './time-scale.ts'
import { timeWindow } from './time-window.ts'

/** Room for one label, px, and half the width of “now”. */
export const tickPx = 95
const nowPx = 19
/** The most planned changes that are drawn. */
const places = 240

/** Virtual time above the bars. Dragging on it moves the clock; the wheel shows more or less of it. */
export function Axis({ tickCount }: { tickCount: number }) {
  const track = useRef<HTMLDivElement>(null)
  useWheel(track, event => track.current && turnWheel(event, track.current))
  const window = timeWindow.value
  const nowPercent = place(now.value, window)
  const isLong = window.to - window.from > 86_400_000
  const label = (ms: number) =>
    isLong ? `${day(ms).replace(/ \d{4}$/, '')} ${timeOfDay(ms).slice(0, 5)}` : timeOfDay(ms)
  const percentOfPx = 100 / (tickCount * tickPx)
  /** Whether “now” would cover a label that begins this many percent before it. */
  const isCovered = (percent: number) =>
    percent > -nowPx * percentOfPx && percent < (nowPx + (isLong ? 105 : 55)) * percentOfPx
  const follow = (event: PointerEvent) => {
    if (track.current) ghost.value = momentUnder(track.current, event.clientX)
  }
  return (
    <div class="axis">
      <div class="axis-head small quiet">{day(now.value)}, UTC</div>
      <div
        ref={track}
        class="track axis-track"
        role="slider"
        tabIndex={0}
        aria-label="Time line"
        aria-valuemin={Math.round(window.from / 1000)}
        aria-valuemax={Math.round(window.to / 1000)}
        aria-valuenow={Math.round((ghost.value ?? now.value) / 1000)}
        aria-valuetext={ghostText() ?? `now, ${timeOfDay(now.value)}`}
        title="Drag to move the clock; turn the wheel to show more or less time"
        onPointerDown={event => {
          if (event.button !== 0) return
          event.currentTarget.setPointerCapture(event.pointerId)
          follow(event)
        }}
        onPointerMove={event => {
          if (event.currentTarget.hasPointerCapture(event.pointerId)) follow(event)
        }}
        onPointerUp={commitGhost}
        onPointerCancel={() => {
          ghost.value = undefined
        }}
        onBlur={() => {
          ghost.value = undefined
        }}
        onKeyDown={event => {
          if (event.ctrlKey || event.metaKey || event.altKey) return
          if (ghostKey(event.key)) event.preventDefault()
        }}
      >
        {ticks(window, tickCount).map(tick => (
          <span key={tick} class="tick" style={{ left: `${place(tick, window)}%` }}>
            {isCovered(nowPercent - place(tick, window)) ? '' : label(tick)}
          </span>
        ))}
        {marksIn(shownMoments.value, { ...window, after: now.value }, places).map(mark => (
          <span key={mark} class="planned" style={{ left: `${mark}%` }} />
        ))}
        {nowPercent >= 0 && nowPercent <= 100 ? (
          <span class="now-head" style={{ left: `${nowPercent}%` }}>
            now
          </span>
        ) : (
          <span class={`now-away ${nowPercent < 0 ? 'before' : 'after'}`}>
            {nowPercent < 0 && <Icon name="back" />}
            now
            {nowPercent > 100 && <Icon name="forward" />}
          </span>
        )}
        <Ghost />
      </div>
      <div class="axis-tail" />
    </div>
  )
}

function Ghost() {
  const at = ghost.value
  if (at === undefined) return null
  const left = place(at, timeWindow.value)
  return (
    <span class={`ghost-head${left > 70 ? ' leftwards' : ''}`} style={{ left: `${left}%` }}>
      {ghostText()}
    </span>
  )
}

/** `+2m 10s to 08:02:50, 3 changes`; undefined without a ghost. */
function ghostText(): string | undefined {
  const at = ghost.value
  if (at === undefined) return undefined
  if (at <= now.value) return `${fromNow(at, now.value)}: time goes forward only`
  const count = countBetween(shownMoments.value, now.value, at)
  return `+${span(at - now.value)} to ${timeOfDay(at)}, ${counted(count, 'change')}`
}

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
