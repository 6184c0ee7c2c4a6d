import { useState } from 'preact/hooks'
import type { Status } from '../../emulator/words.ts'
import type { TaskLine, TaskView } from '../../kits/views.ts'
import { Button } from '../parts/button.tsx'
import type { Sendable } from '../parts/copy-as.ts'
import { CurlButton } from '../parts/copy-button.tsx'
import { Select, submits } from '../parts/fields.tsx'
import { isOver } from '../parts/states.ts'
import { keyOf } from '../store/accounts.ts'
import { to } from '../store/address.ts'
import { control } from '../store/api.ts'
import { now } from '../store/clock.ts'
import { isNow, untilEnd } from '../store/clock-moves.ts'
import { notify, report } from '../store/notices.ts'
import { makerOf } from '../store/operations.ts'
import { taskTouched } from '../store/tasks.ts'
import { CopyRun, readRunOfTask } from '../trace/copy-actions.tsx'

interface Props {
  task: TaskView
  line: TaskLine
  state: Status
}

/** Actions on a task that the emulated API does not have. */
export function Actions({ task, line, state }: Props) {
  const over = isOver(state)
  return (
    <div class="row task-actions">
      {!over && <Hasten line={line} />}
      {!over && <Force task={task} />}
      {task.media.length > 0 && (line.links_end_ms ?? Number.POSITIVE_INFINITY) > now.value && (
        <Button icon="hourglass" title="End the links to its files now" act={() => expire(task)}>
          Expire its links
        </Button>
      )}
      <span class="grow" />
      <a class="button small" href={to('trace', task.id)}>
        Trace
      </a>
      <CopyRun part={() => readRunOfTask(task.id)} />
      <CurlButton call={callOf(task)} />
    </div>
  )
}

function Hasten({ line }: { line: TaskLine }) {
  const end = line.states.at(-1)
  if (!end || end.at_ms <= now.value) return null
  return (
    <Button
      look="primary"
      icon="end"
      title={`Advance until this task is ${end.word}`}
      act={() => untilEnd(line)}
    >
      Go to its end
    </Button>
  )
}

function Force({ task }: { task: TaskView }) {
  const words = task.can_become
  const failed = words[task.can_become_states.indexOf('failed')]
  const [chosen, setChosen] = useState(failed)
  const outcome = words.find(word => word === chosen) ?? words[0]
  const [code, setCode] = useState('')
  if (outcome === undefined) return null
  const isFailure = outcome === failed
  const force = () =>
    report(async () => {
      const error = isFailure && code !== '' ? { error: { code } } : {}
      const changed = await control<TaskView>('POST', `/tasks/${encodeURIComponent(task.id)}/force`, {
        status: outcome,
        ...error,
      })
      taskTouched(task.id)
      notify('done', `The task is ${changed.status} now`, { isTrue: () => isNow(task.id, changed.status) })
    })
  return (
    <form class="group force" aria-label="Force an outcome" onSubmit={submits(force)}>
      <Select label="Outcome" value={outcome} options={words} choose={setChosen} />
      {isFailure && (
        <input
          class="field"
          aria-label="Error code"
          placeholder="error code"
          value={code}
          onInput={event => setCode(event.currentTarget.value)}
        />
      )}
      <Button>Force</Button>
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

function callOf(task: TaskView): Sendable {
  const maker = makerOf(task.kind)
  const url = `${location.origin}${(maker?.path ?? '').replace('{model}', task.model)}`
  return { method: 'POST', url, key: keyOf(task.account), body: task.request }
}
