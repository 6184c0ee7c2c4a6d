import { computed, signal } from '@preact/signals'
import { useState } from 'preact/hooks'
import type { TaskLine } from '../../kits/views.ts'
import { Button } from '../parts/button.tsx'
import { Select, submits } from '../parts/fields.tsx'
import { counted } from '../parts/format.ts'
import { states } from '../parts/state-pill.tsx'
import { isOver } from '../parts/states.ts'
import { control } from '../store/api.ts'
import { complaint, notify, report } from '../store/notices.ts'
import { byId, readTasks, stateAt } from '../store/tasks.ts'
import { moment, shown } from './filters.ts'

const ids = signal<ReadonlySet<string>>(new Set())

/** The chosen tasks that are still in the world. */
export const chosen = computed(() => [...ids.value].flatMap(id => byId.value.get(id) ?? []))

/** Chooses a task, or takes it out again. */
export function Choose({ task: { id, prompt } }: { task: TaskLine }) {
  return (
    <input
      type="checkbox"
      class="choose"
      aria-label={`Choose ${prompt === '' ? id : prompt}`}
      checked={ids.value.has(id)}
      onChange={event => {
        const next = new Set(ids.value)
        if (event.currentTarget.checked) next.add(id)
        else next.delete(id)
        ids.value = next
      }}
    />
  )
}

const outcomes = states.filter(isOver)

/** What can be done to all chosen tasks at once. */
export function ChosenActions() {
  const [outcome, setOutcome] = useState('failed')
  const { value: tasks } = chosen
  const at = moment.value
  const open = tasks.filter(task => !isOver(stateAt(task, at)?.state ?? 'queued'))
  const linked = tasks.filter(
    task => stateAt(task, at)?.state === 'succeeded' && (task.links_end_ms ?? at) > at,
  )
  return (
    <>
      <strong role="status">{counted(tasks.length, 'task')} chosen</strong>
      <Button act={() => (ids.value = new Set(shown.value.map(({ id }) => id)))}>
        All {shown.value.length.toLocaleString('en')}
      </Button>
      <Button act={() => (ids.value = new Set())}>None</Button>
      <form
        class="group"
        aria-label="Force an outcome"
        onSubmit={submits(() =>
          actOn(open, {
            path: 'force',
            body: { status: outcome },
            words: what => `Forced ${what} to ${outcome}`,
          }),
        )}
      >
        <Select label="Outcome" value={outcome} options={outcomes} choose={setOutcome} />
        <Button disabled={open.length === 0}>Force {open.length}</Button>
      </form>
      <Button
        icon="hourglass"
        disabled={linked.length === 0}
        act={() => actOn(linked, { path: 'expire-link', words: what => `Ended the links of ${what}` })}
      >
        Expire links of {linked.length}
      </Button>
    </>
  )
}

/** Calls under way together. Browsers open six connections to a host, and the events hold one. */
const atOnce = 4

interface Act {
  path: 'force' | 'expire-link'
  body?: object
  words: (what: string) => string
}

/** Does the same to each task, and says how many were refused, and why the first of them. Then none is chosen. */
async function actOn(tasks: readonly TaskLine[], { path, body, words }: Act): Promise<void> {
  const refusals: string[] = []
  const rest = [...tasks]
  const actOnRest = async () => {
    for (let task = rest.shift(); task; task = rest.shift())
      try {
        await control('POST', `/tasks/${encodeURIComponent(task.id)}/${path}`, body)
      } catch (error) {
        refusals.push(complaint(error))
      }
  }
  await Promise.all(Array.from({ length: atOnce }, actOnRest))
  await report(readTasks)
  ids.value = new Set()
  const [reason] = refusals
  const but = reason === undefined ? '' : `; ${refusals.length} refused: ${reason}`
  const what = counted(tasks.length - refusals.length, 'task')
  notify(reason === undefined ? 'done' : 'fault', `${words(what)}${but}`)
}
