import './world-chooser.css'
import { useEffect } from 'preact/hooks'
import { Select } from '../parts/fields.tsx'
import { counted } from '../parts/format.ts'
import { openWorld, to, world } from '../store/address.ts'
import { isLive } from '../store/connection.ts'
import { activity, followWorlds, readWorlds, worlds } from '../store/worlds.ts'

const mostOffered = 200

/** The world that the page shows. Another choice loads the page again. */
export function WorldChooser() {
  useEffect(followWorlds, [])
  const ids = [...new Set([world, ...worlds.value.map(({ id }) => id)])].slice(0, mostOffered)
  const active = activity.value
  return (
    <div class="row world-chooser">
      <span
        class={`dot live ${isLive.value ? 'tone-succeeded' : 'tone-failed'}`}
        role="img"
        aria-label={isLive.value ? 'Live' : 'Not connected'}
        title={isLive.value ? 'Live: changes appear as they happen' : 'Not connected: trying again'}
      />
      {active.size > 0 && (
        <a
          class="pill tone-running"
          href={to('world', 'worlds')}
          title={[...active].map(([id, count]) => `${id}: ${counted(count, 'new request')}`).join('\n')}
        >
          {active.size} active<span class="unseen"> in other worlds</span>
        </a>
      )}
      <Select
        label="World"
        value={world}
        options={ids.map(id => [id, active.has(id) ? `${id} (${active.get(id)} new)` : id] as const)}
        choose={openWorld}
        onFocus={() => void readWorlds()}
      />
    </div>
  )
}
