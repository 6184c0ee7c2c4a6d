import { Empty, Reading } from '../parts/empty.tsx'
import { Icon } from '../parts/icons.tsx'
import { useFetched } from '../parts/use-fetched.ts'
import { to } from '../store/address.ts'
import { controlPath } from '../store/api.ts'
import { dialog } from '../store/dialogs.ts'
import { changes } from '../store/live.ts'
import { tasks } from '../store/tasks.ts'
import { hasPicture } from '../tasks/poster.tsx'
import { CopyActions, readTrace } from './copy-actions.tsx'
import { TraceView } from './trace-view.tsx'

/** The run of the world's clients, as it goes on; of one task when the address names it. */
export function TracePage({ task }: { task: string | undefined }) {
  const { value: trace, fault } = useFetched(() => readTrace(task), [changes.value])
  const query = task === undefined ? '' : `?task=${encodeURIComponent(task)}`
  const file = `${controlPath('/trace')}${query}${query === '' ? '?' : '&'}format=html`
  return (
    <div class="page trace-page">
      <header class="page-title row spread">
        <h1>{task === undefined ? 'Trace' : 'Trace of a task'}</h1>
        {trace && (
          <a class="button small" href={file} download={`trace-${trace.world}.html`}>
            <Icon name="save" />
            Save as a file
          </a>
        )}
      </header>
      {!trace && (fault === undefined ? <Reading what="the run" /> : <Empty title={fault} />)}
      {trace && (
        <TraceView
          trace={trace}
          actions={moment => (
            <>
              {moment.call && (
                <a class="button small" href={to('requests', String(moment.call.id))}>
                  Open the request
                </a>
              )}
              {task === undefined && trace.tasks.some(({ id }) => id === moment.task) && (
                <a class="button small" href={to('tasks', moment.task)}>
                  Open the task
                </a>
              )}
              <CopyActions
                trace={trace}
                moment={moment}
                breakIt={(operation, nth) => (dialog.value = { kind: 'break', operation, nth })}
              />
            </>
          )}
          pictureOf={id =>
            tasks.value.some(one => one.id === id && hasPicture(one.kind))
              ? controlPath(`/tasks/${encodeURIComponent(id)}/poster`)
              : undefined
          }
        />
      )}
    </div>
  )
}
