import './connection-banner.css'
import { preciseTime } from '../parts/format.ts'
import { Icon } from '../parts/icons.tsx'
import { clock, now } from '../store/clock.ts'
import { difference, isLost } from '../store/connection.ts'

/** Above everything: that the emulator went away, and what is different when it is back. */
export function ConnectionBanner() {
  if (isLost.value)
    return (
      <div class="banner tone-failed" role="alert">
        <Icon name="cross" />
        <p class="grow">
          <strong>The emulator does not answer.</strong>{' '}
          {clock.value
            ? `What you see is from ${preciseTime(now.value)} and does not change. `
            : 'Nothing could be read yet. '}
          The page asks again every second.
        </p>
      </div>
    )
  if (difference.value === undefined) return null
  return (
    <div class="banner tone-expired" role="alert">
      <Icon name="hourglass" />
      <p class="grow">{difference.value}</p>
      <button
        type="button"
        class="button small"
        onClick={() => {
          difference.value = undefined
        }}
      >
        Close
      </button>
    </div>
  )
}
