import { useState } from 'preact/hooks'
import { changeClock, clock, now } from '../store/clock.ts'
import { moveBy } from '../store/clock-moves.ts'
import type { ClockView } from '../store/shapes.ts'

const modes: Readonly<Record<ClockView['mode'], string>> = {
  realtime: 'Runs with the wall clock, at its rate.',
  manual: 'Stopped; it moves only when it is advanced.',
  auto: 'Stopped; it skips to a task’s next change when a poll sees nothing new.',
}

export function ClockPanel() {
  const [by, setBy] = useState('1m30s')
  const view = clock.value
  if (!view) return null
  return (
    <div class="body stack">
      <p class="big mono">{new Date(now.value).toISOString()}</p>
      <fieldset class="stack">
        <legend class="small quiet">Mode</legend>
        {(Object.keys(modes) as ClockView['mode'][]).map(mode => (
          <label key={mode} class="row choice-line">
            <input
              type="radio"
              name="mode"
              checked={view.mode === mode}
              onChange={event => void choose(event.currentTarget, mode)}
            />
            <strong>{mode}</strong>
            <span class="quiet">{modes[mode]}</span>
          </label>
        ))}
      </fieldset>
      <form
        class="row"
        onSubmit={event => {
          event.preventDefault()
          void moveBy(by)
        }}
      >
        <label class="row">
          Advance by
          <input class="field short" value={by} onInput={event => setBy(event.currentTarget.value)} />
        </label>
        <button type="submit" class="button primary">
          Advance
        </button>
        <span class="small quiet">250ms, 90s, 5m, 2h, 7d, 1h30m</span>
      </form>
    </div>
  )
}

/** A mode that was refused is not shown as chosen. */
async function choose(input: HTMLInputElement, mode: ClockView['mode']): Promise<void> {
  await changeClock({ mode })
  const chosen = clock.value?.mode
  for (const other of input.form?.querySelectorAll<HTMLInputElement>('[name=mode]') ?? [])
    other.checked = other.value === chosen
  input.checked = mode === chosen
}
