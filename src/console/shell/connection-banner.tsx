import { Button } from '../parts/button.tsx'
import { preciseTime } from '../parts/format.ts'
import { Icon } from '../parts/icons.tsx'
import { world } from '../store/address.ts'
import { clock, now } from '../store/clock.ts'
import { connection, difference, isLost } from '../store/connection.ts'
import { openAgain } from '../store/live.ts'

/** The banner above the page: the emulator or the world is gone, or what has changed since it is back. */
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
  if (connection.value === 'absent')
    return (
      <div class="banner tone-failed" role="alert">
        <Icon name="trash" />
        <p class="grow">
          <strong>
            The world {world} is not open{clock.value && ' any more'}.
          </strong>{' '}
          {clock.value && 'What you see is from before and does not change. '}A request with its key opens it,
          without contents.
        </p>
        <Button look="small" act={openAgain}>
          Open it
        </Button>
      </div>
    )
  if (difference.value === undefined) return null
  return (
    <div class="banner tone-expired" role="alert">
      <Icon name="hourglass" />
      <p class="grow">{difference.value}</p>
      <Button look="small" act={() => (difference.value = undefined)}>
        Close
      </Button>
    </div>
  )
}
