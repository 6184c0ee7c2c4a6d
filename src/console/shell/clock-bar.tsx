import { Button } from '../parts/button.tsx'
import { day, timeOfDay } from '../parts/format.ts'
import { changeClock, clock, isPlaying, now } from '../store/clock.ts'
import { moveBy, playOrPause, step, steps, untilIdle } from '../store/clock-moves.ts'

const rates = [1, 10, 60]

/** Virtual time, and the controls that move it. */
export function ClockBar() {
  const view = clock.value
  if (!view) return <section class="clock" aria-label="Clock" />
  return (
    <section class="clock" aria-label="Clock">
      <div class="row clock-buttons">
        <Button
          look="primary"
          icon={isPlaying.value ? 'pause' : 'play'}
          label={isPlaying.value ? 'Pause the clock' : 'Let the clock run'}
          title={isPlaying.value ? 'Pause (space)' : 'Play (space)'}
          aria-keyshortcuts="Space"
          act={playOrPause}
        />
      </div>
      <div class="clock-moves">
        <div class="group" role="group" aria-label="Speed">
          {rates.map(rate => (
            <Button
              key={rate}
              aria-pressed={isPlaying.value && view.rate === rate}
              title={`Run ${rate} times as fast as the wall clock`}
              act={() => changeClock({ mode: 'realtime', rate })}
            >
              ×{rate}
            </Button>
          ))}
          <Button
            aria-pressed={view.mode === 'auto'}
            title="Stopped; a poll that sees nothing new skips to the next change of its task"
            act={() => changeClock({ mode: 'auto' })}
          >
            auto
          </Button>
        </div>
        <Moves />
      </div>
      <div class="clock-time">
        <time dateTime={new Date(now.value).toISOString()}>{timeOfDay(now.value)}</time>
        <span class="small quiet">
          <span class="clock-day">{day(now.value)} · </span>
          {view.mode === 'realtime' ? `×${view.rate}` : view.mode}
        </span>
      </div>
    </section>
  )
}

/** Buttons that advance the clock: to the next change, by a length, until all tasks have finished. */
function Moves() {
  return (
    <>
      <Button
        icon="step"
        aria-label="Next change"
        title="Advance to the next change of any task (n)"
        aria-keyshortcuts="n"
        act={step}
      >
        <span class="wide-only">Next change</span>
      </Button>
      <div class="group" role="group" aria-label="Advance by">
        {steps.map(({ ms, label }) => (
          <Button key={ms} title={`Advance the clock by ${label.slice(1)}`} act={() => moveBy(ms)}>
            {label}
          </Button>
        ))}
      </div>
      <Button title="Advance until no task is going to change" act={untilIdle}>
        Until idle
      </Button>
    </>
  )
}
