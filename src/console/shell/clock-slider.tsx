import { computed } from '@preact/signals'
import { useState } from 'preact/hooks'
import { counted, span, timeOfDay } from '../parts/format.ts'
import { now } from '../store/clock.ts'
import { moveBy } from '../store/clock-moves.ts'
import { countBetween, marksIn, momentsOf } from '../store/moments.ts'
import { tasks } from '../store/tasks.ts'

const planned = computed(() => momentsOf(tasks.value))

const steps = 200
/** The most ticks that are drawn. */
const places = 100

/** The time ahead, up to the last planned change, with a tick for each change. Letting go of it, or Enter, moves the clock there. */
export function ClockSlider() {
  const [chosen, setChosen] = useState(0)
  const reach = reachMs()
  const by = Math.round(((chosen / steps) * reach) / 1000) * 1000
  const commit = () => {
    if (by <= 0) return
    setChosen(0)
    void moveBy(by)
  }
  const from = now.value
  const changes = counted(countBetween(planned.value, from, from + by), 'change')
  return (
    <div class="slider">
      <div class="slider-line">
        <div class="slider-ticks" aria-hidden="true">
          {marksIn(planned.value, { from, to: from + reach, after: from }, places).map(mark => (
            <span key={mark} style={{ left: `${mark}%` }} />
          ))}
        </div>
        <input
          type="range"
          min={0}
          max={steps}
          value={chosen}
          aria-label="Advance the clock"
          aria-valuetext={by === 0 ? 'now' : `${span(by)} ahead, ${changes}; Enter goes there`}
          onInput={event => setChosen(Number(event.currentTarget.value))}
          onPointerUp={commit}
          onKeyDown={event => {
            if (event.key === 'Enter') commit()
            if (event.key === 'Escape') setChosen(0)
          }}
        />
      </div>
      <span class="small quiet slider-words" aria-hidden="true">
        {by === 0 ? `up to +${span(reach)}` : `+${span(by)} to ${timeOfDay(from + by)}, ${changes}`}
      </span>
    </div>
  )
}

const shortestReachMs = 120_000
const longestReachMs = 7_200_000

/** The length of the slider: up to the last planned change within two hours, at least two minutes. */
function reachMs(): number {
  let last = now.value + shortestReachMs
  for (const { states } of tasks.value.slice(0, 200)) {
    const end = states.at(-1)?.at_ms ?? 0
    if (end > last && end - now.value <= longestReachMs) last = end
  }
  return Math.ceil((last - now.value) / 60_000) * 60_000
}
