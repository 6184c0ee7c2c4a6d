import './clock-bar.css'
import { useState } from 'preact/hooks'
import { counted, day, span, timeOfDay } from '../parts/format.ts'
import { Icon } from '../parts/icons.tsx'
import { advance, changeClock, clock, isPlaying, now } from '../store/clock.ts'
import { notify } from '../store/notices.ts'
import { tasks } from '../store/tasks.ts'

const rates = [1, 10, 60]

/** Virtual time, and everything that moves it. */
export function ClockBar() {
  const view = clock.value
  if (!view) return <section class="clock" aria-label="Clock" />
  return (
    <section class="clock" aria-label="Clock">
      <div class="row clock-buttons">
        <button
          type="button"
          class="button primary icon"
          aria-label={isPlaying.value ? 'Pause the clock' : 'Let the clock run'}
          title={isPlaying.value ? 'Pause (space)' : 'Play (space)'}
          aria-keyshortcuts="Space"
          onClick={() => void playOrPause()}
        >
          <Icon name={isPlaying.value ? 'pause' : 'play'} />
        </button>
        <button
          type="button"
          class="button"
          aria-label="Next change"
          title="Advance to the next change of any task (n)"
          aria-keyshortcuts="n"
          onClick={() => void step()}
        >
          <Icon name="step" />
          <span class="wide-only">Next change</span>
        </button>
        <div class="group" role="group" aria-label="Speed">
          {rates.map(rate => (
            <button
              key={rate}
              type="button"
              class="button"
              aria-pressed={isPlaying.value && view.rate === rate}
              title={`Run ${rate} times as fast as the wall clock`}
              onClick={() => void changeClock({ mode: 'realtime', rate })}
            >
              ×{rate}
            </button>
          ))}
        </div>
      </div>
      <Slider />
      <div class="clock-time">
        <time dateTime={new Date(now.value).toISOString()}>{timeOfDay(now.value)}</time>
        <span class="small quiet">
          {day(now.value)} · {view.mode === 'realtime' ? `×${view.rate}` : view.mode}
        </span>
      </div>
    </section>
  )
}

export async function playOrPause(): Promise<void> {
  await changeClock({ mode: isPlaying.value ? 'manual' : 'realtime' })
}

/** To the next change of any task. */
export async function step(): Promise<void> {
  const changes = await advance({ until: 'next' })
  const [first] = changes
  if (!first) notify('done', 'Nothing is going to change: no task is waiting or running.')
  else if (changes.length > 1)
    notify('done', `${counted(changes.length, 'change')}: ${first.from} → ${first.to} and more`)
}

const steps = 200

/** Time ahead, up to the last change that is planned: let go of it, or press Enter, and time goes there. */
function Slider() {
  const [at, setAt] = useState(0)
  const reach = reachMs()
  const by = Math.round(((at / steps) * reach) / 1000) * 1000
  const commit = async () => {
    if (by <= 0) return
    setAt(0)
    const changes = await advance({ by })
    if (changes.length > 0) notify('done', `${span(by)} later: ${counted(changes.length, 'change')}`)
  }
  return (
    <div class="slider">
      <input
        type="range"
        min={0}
        max={steps}
        value={at}
        aria-label="Advance the clock"
        aria-valuetext={by === 0 ? 'now' : `${span(by)} ahead; Enter goes there`}
        onInput={event => setAt(Number(event.currentTarget.value))}
        onPointerUp={() => void commit()}
        onKeyDown={event => {
          if (event.key === 'Enter') void commit()
          if (event.key === 'Escape') setAt(0)
        }}
      />
      <span class="small quiet slider-words" aria-hidden="true">
        {by === 0 ? `drag to advance, up to ${span(reach)}` : `+${span(by)} → ${timeOfDay(now.value + by)}`}
      </span>
    </div>
  )
}

const shortestReachMs = 120_000
const longestReachMs = 7_200_000

/** As far as the last planned change within two hours, and two minutes at least. */
function reachMs(): number {
  let last = now.value + shortestReachMs
  for (const { states } of tasks.value.slice(0, 200)) {
    const end = states.at(-1)?.at_ms ?? 0
    if (end > last && end - now.value <= longestReachMs) last = end
  }
  return Math.ceil((last - now.value) / 60_000) * 60_000
}
