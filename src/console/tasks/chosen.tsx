import { computed, signal } from '@preact/signals'
import { useState } from 'preact/hooks'
import type { TaskLine } from '../../kits/views.ts'
import { Button } from '../parts/button.tsx'
import { Select, submits } from '../parts/fields.tsx'
import { counted } from '../parts/format.ts'
import { states } from '../parts/state-pill.tsx'
import { isOver } from '../parts/states.ts'
import { control } from '../store/api.ts'
import { now } from '../store/clock.ts'
import { complaint, notify } from '../store/notices.ts'
import { byId, stateAt, taskTouched } from '../store/tasks.ts'
import { shown } from './filters.ts'

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
  const open = tasks.filter(task => !isOver(stateAt(task, now.value)?.state ?? 'queued'))
  const linked = tasks.filter(
    task =>
      stateAt(task, now.value)?.state === 'succeeded' &&
      (task.links_end_ms ?? Number.POSITIVE_INFINITY) > now.value,
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

interface Act {
  path: 'force' | 'expire-link'
  body?: object
  words: (what: string) => string
}

/** Does the same to each task, and says how many were refused, and why the first of them. Then none is chosen. */
async function actOn(tasks: readonly TaskLine[], { path, body, words }: Act): Promise<void> {
  const refusals: string[] = []
  for (const { id } of tasks)
    try {
      await control('POST', `/tasks/${encodeURIComponent(id)}/${path}`, body)
      taskTouched(id)
    } catch (error) {
      refusals.push(complaint(error))
    }
  ids.value = new Set()
  const [reason] = refusals
  const rest = reason === undefined ? '' : `; ${refusals.length} refused: ${reason}`
  const what = counted(tasks.length - refusals.length, 'task')
  notify(reason === undefined ? 'done' : 'fault', `${words(what)}${rest}`)
}
