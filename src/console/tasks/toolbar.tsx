import { counted } from '../parts/format.ts'
import { Icon } from '../parts/icons.tsx'
import { stateIcons, states } from '../parts/state-pill.tsx'
import { refusalText } from '../requests/why.ts'
import { to } from '../store/address.ts'
import { publishedOf } from '../store/models.ts'
import { familyTitles } from '../store/operations.ts'
import { refusedCreates } from '../store/requests.ts'
import type { State } from '../store/shapes.ts'
import { tasks } from '../store/tasks.ts'
import { counts, families, filters, narrow, owners } from './filters.ts'
import { pan, setZoom, zoom, zoomSteps } from './time-window.ts'

/** The filters of the list, and how much time is shown. */
export function Toolbar() {
  const { search, family, account, state } = filters.value
  return (
    <div class="page-head toolbar">
      <label class="search">
        <span class="unseen">Search tasks</span>
        <Icon name="search" />
        <input
          class="field"
          type="search"
          id="search"
          placeholder="Prompt, id or model"
          value={search}
          aria-keyshortcuts="/"
          onInput={event => narrow({ search: event.currentTarget.value })}
        />
      </label>
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
      <Choice
        label="Family"
        all="All families"
        value={family}
        options={families.value}
        title={familyText}
        choose={value => narrow({ family: value })}
      />
      {owners.value.length > 1 && (
        <Choice
          label="Account"
          all="All accounts"
          value={account}
          options={owners.value}
          title={id => id}
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
  const title = familyTitles.value.get(id) ?? id
  return names === '' ? title : `${title} (${names})`
}

/** A state without tasks is not offered, unless it is chosen. */
function isOffered(name: State): boolean {
  return (counts.value[name] ?? 0) > 0 || filters.value.state === name
}

interface ChoiceProps {
  label: string
  all: string
  value: string
  options: readonly string[]
  title: (id: string) => string
  choose: (value: string) => void
}

function Choice({ label, all, value, options, title, choose }: ChoiceProps) {
  return (
    <select
      class="field choice"
      aria-label={label}
      value={value}
      onChange={event => choose(event.currentTarget.value)}
    >
      <option value="">{all}</option>
      {options.map(id => (
        <option key={id} value={id}>
          {title(id)}
        </option>
      ))}
    </select>
  )
}

function Zoom() {
  if (tasks.value.length === 0) return null
  const known = zoom.value === 'fit' || zoomSteps.some(({ ms }) => ms === zoom.value)
  return (
    <div class="row nowrap zoom" role="group" aria-label="Time shown">
      <button
        type="button"
        class="button plain icon"
        aria-label="Earlier"
        title="Earlier"
        onClick={() => pan(-0.5)}
      >
        <Icon name="back" />
      </button>
      <select
        class="field choice"
        aria-label="Time shown"
        value={String(known ? zoom.value : 'other')}
        onChange={({ currentTarget: { value } }) => setZoom(value === 'fit' ? 'fit' : Number(value))}
      >
        <option value="fit">Fit</option>
        {zoomSteps.map(({ ms, label }) => (
          <option key={ms} value={ms}>
            {label}
          </option>
        ))}
        {!known && <option value="other">Moved</option>}
      </select>
      <button
        type="button"
        class="button plain icon"
        aria-label="Later"
        title="Later"
        onClick={() => pan(0.5)}
      >
        <Icon name="forward" />
      </button>
    </div>
  )
}
