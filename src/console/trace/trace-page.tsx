import { useEffect, useState } from 'preact/hooks'
import type { Trace } from '../../client/types.ts'
import { Icon } from '../parts/icons.tsx'
import { controlPath } from '../store/api.ts'
import { dialog } from '../store/dialogs.ts'
import { changes } from '../store/live.ts'
import { report } from '../store/notices.ts'
import { tasks } from '../store/tasks.ts'
import { CopyActions } from './copy-actions.tsx'
import { readTrace } from './read-trace.ts'
import { TraceView } from './trace-view.tsx'

/** The run of the world's clients, as it goes on; of one task when the address names it. */
export function TracePage({ task }: { task: string | undefined }) {
  const [trace, setTrace] = useState<Trace | undefined>()
  const query = task === undefined ? '' : `?task=${encodeURIComponent(task)}`
  useEffect(() => {
    let isWanted = true
    void report(() => readTrace(task)).then(read => {
      if (read && isWanted) setTrace(read)
    })
    return () => {
      isWanted = false
    }
  }, [changes.value, query])
  const file = `${controlPath('/trace')}${query}${query === '' ? '?' : '&'}format=html`
  return (
    <div class="trace-page">
      <header class="row spread">
        <h1>{task === undefined ? 'Trace' : 'Trace of a task'}</h1>
        <a class="button small" href={file} download={`trace-${trace?.world ?? 'world'}.html`}>
          <Icon name="save" />
          Save as a file
        </a>
      </header>
      {trace && (
        <TraceView
          trace={trace}
          actions={moment => (
            <CopyActions
              trace={trace}
              moment={moment}
              breakIt={(operation, nth) => (dialog.value = { kind: 'break', operation, nth })}
            />
          )}
          pictureOf={id =>
            tasks.value.some(one => one.id === id)
              ? controlPath(`/tasks/${encodeURIComponent(id)}/poster`)
              : undefined
          }
        />
      )}
    </div>
  )
}
