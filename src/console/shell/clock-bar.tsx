import './clock-bar.css'
import { day, timeOfDay } from '../parts/format.ts'
import { Icon } from '../parts/icons.tsx'
import { address } from '../store/address.ts'
import { changeClock, clock, isPlaying, now } from '../store/clock.ts'
import { moveBy, playOrPause, step, steps, untilEnd, untilIdle } from '../store/clock-moves.ts'
import { byId } from '../store/tasks.ts'
import { ClockSlider } from './clock-slider.tsx'

const rates = [1, 10, 60]

/** Virtual time, and the controls that move it. */
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
      </div>
      <div class="clock-moves">
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
          <button
            type="button"
            class="button"
            aria-pressed={view.mode === 'auto'}
            title="Stopped; a poll that sees nothing new skips to the next change of its task"
            onClick={() => void changeClock({ mode: 'auto' })}
          >
            auto
          </button>
        </div>
        <Moves />
      </div>
      <ClockSlider />
      <div class="clock-time">
        <time dateTime={new Date(now.value).toISOString()}>{timeOfDay(now.value)}</time>
        <span class="small quiet">
          {day(now.value)} · {view.mode === 'realtime' ? `×${view.rate}` : view.mode}
        </span>
      </div>
    </section>
  )
}

/** Buttons that advance the clock: to the next change, by a length, until all tasks have finished, until the task on the page has. */
function Moves() {
  const { page, item } = address.value
  const task = page === 'tasks' && item !== undefined ? byId.value.get(item) : undefined
  const end = task?.states.at(-1)
  return (
    <>
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
      <div class="group" role="group" aria-label="Advance by">
        {steps.map(({ ms, label }) => (
          <button
            key={ms}
            type="button"
            class="button"
            title={`Advance the clock by ${label.slice(1)}`}
            onClick={() => void moveBy(ms)}
          >
            {label}
          </button>
        ))}
      </div>
      <button
        type="button"
        class="button"
        title="Advance until no task is going to change"
        onClick={() => void untilIdle()}
      >
        Until idle
      </button>
      {task && end && end.at_ms > now.value && (
        <button
          type="button"
          class="button"
          title={`Advance until this task is ${end.word}`}
          onClick={() => void untilEnd(task)}
        >
          Until this task
        </button>
      )}
    </>
  )
}
