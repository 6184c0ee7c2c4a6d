import type { Status } from '../../emulator/words.ts'
import { Button } from '../parts/button.tsx'
import { SearchField, Select } from '../parts/fields.tsx'
import { counted } from '../parts/format.ts'
import { Icon } from '../parts/icons.tsx'
import { stateIcons, states } from '../parts/state-pill.tsx'
import { refusalText } from '../requests/why.ts'
import { to } from '../store/address.ts'
import { publishedOf } from '../store/models.ts'
import { familyTitle } from '../store/operations.ts'
import { refusedCreates } from '../store/requests.ts'
import { tasks } from '../store/tasks.ts'
import { counts, families, filters, narrow, owners } from './filters.ts'
import { pan, setZoom, zoom, zoomSteps } from './time-window.ts'

/** The filters of the list, and how much time is shown. */
export function Toolbar() {
  const { search, family, account, state } = filters.value
  return (
    <div class="page-head toolbar">
      <SearchField
        label="Search tasks"
        placeholder="Prompt, id or model"
        value={search}
        search={words => narrow({ search: words })}
      />
      <div class="row" role="group" aria-label="State">
        {states.filter(isOffered).map(name => (
          <button
            key={name}
            type="button"
            class={`pill chip tone-${name}`}
            aria-pressed={state === name}
            onClick={() => narrow({ state: state === name ? '' : name })}
          >
            <Icon name={stateIcons[name]} />
            {name} {(counts.value[name] ?? 0).toLocaleString('en')}
          </button>
        ))}
        <RefusedChip />
      </div>
      <Select
        label="Family"
        look="choice"
        value={family}
        options={[['', 'All families'], ...families.value.map(id => [id, familyText(id)] as const)]}
        choose={value => narrow({ family: value })}
      />
      {owners.value.length > 1 && (
        <Select
          label="Account"
          look="choice"
          value={account}
          options={[['', 'All accounts'], ...owners.value]}
          choose={value => narrow({ account: value })}
        />
      )}
      <Zoom />
    </div>
  )
}

/** Creates that were refused made no task, so only this chip tells of them here. */
function RefusedChip() {
  const [newest] = refusedCreates.value
  if (!newest) return null
  return (
    <a
      class="pill chip tone-failed"
      href={to('requests', undefined, { kind: 'refused' })}
      title={`${counted(refusedCreates.value.length, 'create')} refused, the newest: ${refusalText(newest)}`}
    >
      <Icon name="cross" />
      refused {refusedCreates.value.length.toLocaleString('en')}
    </a>
  )
}

/** `Family A: … (doubao-seedance-2-5)`: the published names are better known than the letters. */
function familyText(id: string): string {
  const names = publishedOf(id).join(', ')
  const title = familyTitle(id)
  return names === '' ? title : `${title} (${names})`
}

/** A state without tasks is not offered, unless it is chosen. */
function isOffered(name: Status): boolean {
  return (counts.value[name] ?? 0) > 0 || filters.value.state === name
}

function Zoom() {
  if (tasks.value.length === 0) return null
  const known = zoom.value === 'fit' || zoomSteps.some(({ ms }) => ms === zoom.value)
  return (
    <div class="row zoom" role="group" aria-label="Time shown">
      <Button look="plain" icon="back" label="Earlier" act={() => pan(-0.5)} />
      <Select
        label="Time shown"
        look="choice"
        value={String(known ? zoom.value : 'other')}
        options={[
          ['fit', 'Fit'],
          ...zoomSteps.map(({ ms, label }) => [String(ms), label] as const),
          ...(known ? [] : [['other', 'Moved'] as const]),
        ]}
        choose={value => setZoom(value === 'fit' ? 'fit' : Number(value))}
      />
      <Button look="plain" icon="forward" label="Later" act={() => pan(0.5)} />
    </div>
  )
}
