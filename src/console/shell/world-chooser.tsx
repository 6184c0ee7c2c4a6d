import './world-chooser.css'
import { useState } from 'preact/hooks'
import { Icon } from '../parts/icons.tsx'
import { useFetched } from '../parts/use-fetched.ts'
import { openWorld, world } from '../store/address.ts'
import { about } from '../store/api.ts'
import { isLive } from '../store/connection.ts'
import { report } from '../store/notices.ts'
import type { Listed, WorldView } from '../store/shapes.ts'

/** Past this many, names are typed and not picked. */
const mostOffered = 200

/** The world everything is about; picking another loads the page anew. */
export function WorldChooser() {
  const [opened, setOpened] = useState(0)
  const { value } = useFetched(() => about<Listed<WorldView>>('GET', '/worlds'), [opened])
  const ids = [...new Set([world, ...(value?.items ?? []).map(({ id }) => id)])].slice(0, mostOffered)
  return (
    <div class="row world-chooser">
      <span
        class={`live ${isLive.value ? 'tone-succeeded' : 'tone-failed'}`}
        role="img"
        aria-label={isLive.value ? 'Live' : 'Not connected'}
        title={isLive.value ? 'Live: changes appear as they happen' : 'Not connected: trying again'}
      />
      <select
        class="field"
        aria-label="World"
        value={world}
        onFocus={() => setOpened(opened + 1)}
        onChange={event => openWorld(event.currentTarget.value)}
      >
        {ids.map(id => (
          <option key={id} value={id}>
            {id}
          </option>
        ))}
      </select>
      <button
        type="button"
        class="button plain icon"
        aria-label="Open a new world"
        title="Open a new world"
        onClick={() => void addWorld()}
      >
        <Icon name="plus" />
      </button>
    </div>
  )
}

async function addWorld(): Promise<void> {
  await report(async () => openWorld((await about<WorldView>('POST', '/worlds', {})).id))
}
