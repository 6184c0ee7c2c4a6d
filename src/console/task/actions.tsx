import { useState } from 'preact/hooks'
import { runOfTask } from '../copies/part.ts'
import { copyAs } from '../parts/copy-as.ts'
import { CopyButton } from '../parts/copy-button.tsx'
import { Icon } from '../parts/icons.tsx'
import { stateOfWord } from '../parts/state-pill.tsx'
import { keyOf } from '../store/accounts.ts'
import { to } from '../store/address.ts'
import { control } from '../store/api.ts'
import { advance, now } from '../store/clock.ts'
import { notify, report } from '../store/notices.ts'
import { makerOf } from '../store/operations.ts'
import type { State, TaskLine, TaskView } from '../store/shapes.ts'
import { isOver, taskTouched } from '../store/tasks.ts'
import { CopyRun } from '../trace/copy-run.tsx'
import { readTrace } from '../trace/read-trace.ts'

interface Props {
  task: TaskView
  line: TaskLine
  state: State
}

/** Actions on a task that the emulated API does not have. */
export function Actions({ task, line, state }: Props) {
  const over = isOver(state)
  return (
    <div class="row task-actions">
      {!over && <Hasten line={line} />}
      {!over && <Force task={task} />}
      {task.media.length > 0 && (
        <button
          type="button"
          class="button"
          onClick={() => void expire(task)}
          title="End the links to its files now"
        >
          <Icon name="hourglass" />
          Expire its links
        </button>
      )}
      <span class="grow" />
      <a class="button small" href={to('trace', task.id)}>
        <Icon name="run" />
        Trace
      </a>
      <CopyRun part={async () => runOfTask(await readTrace(task.id), task.id)} />
      <CopyButton worded label="Copy as curl" text={() => curlOf(task)} />
    </div>
  )
}

function Hasten({ line }: { line: TaskLine }) {
  const end = line.states.at(-1)
  if (!end || end.at_ms <= now.value) return null
  return (
    <button
      type="button"
      class="button primary"
      onClick={() => void advance({ by: Math.ceil(end.at_ms - now.value) })}
    >
      <Icon name="end" />
      Go to its end
    </button>
  )
}

function Force({ task }: { task: TaskView }) {
  const words = task.can_become
  const [chosen, setChosen] = useState(words.find(word => stateOfWord(word) === 'failed'))
  const outcome = words.find(word => word === chosen) ?? words[0]
  const [code, setCode] = useState('')
  if (outcome === undefined) return null
  const isFailure = stateOfWord(outcome) === 'failed'
  const force = () =>
    report(async () => {
      const error = isFailure && code !== '' ? { error: { code } } : {}
      const changed = await control<TaskView>('POST', `/tasks/${encodeURIComponent(task.id)}/force`, {
        status: outcome,
        ...error,
      })
      taskTouched(task.id)
      notify('done', `The task is ${changed.status} now`)
    })
  return (
    <form
      class="group force"
      aria-label="Force an outcome"
      onSubmit={event => {
        event.preventDefault()
        void force()
      }}
    >
      <select
        class="field"
        aria-label="Outcome"
        value={outcome}
        onChange={event => setChosen(event.currentTarget.value)}
      >
        {words.map(word => (
          <option key={word} value={word}>
            {word}
          </option>
        ))}
      </select>
      {isFailure && (
        <input
          class="field"
          aria-label="Error code"
          placeholder="error code"
          value={code}
          onInput={event => setCode(event.currentTarget.value)}
        />
      )}
      <button type="submit" class="button">
        Force
      </button>
    </form>
  )
}

async function expire({ id }: TaskView): Promise<void> {
  await report(async () => {
    await control('POST', `/tasks/${encodeURIComponent(id)}/expire-link`)
    taskTouched(id)
    notify('done', 'Its links have expired')
  })
}

function curlOf(task: TaskView): string {
  const maker = makerOf(task.kind)
  const url = `${location.origin}${(maker?.path ?? '').replace('{model}', task.model)}`
  return copyAs('curl', { method: 'POST', url, key: keyOf(task.account), body: task.request })
}
