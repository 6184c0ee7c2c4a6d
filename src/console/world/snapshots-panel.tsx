import { useState } from 'preact/hooks'
import { Empty } from '../parts/empty.tsx'
import { Table } from '../parts/table.tsx'
import { useFetched } from '../parts/use-fetched.ts'
import { control, type Method } from '../store/api.ts'
import { notify, report } from '../store/notices.ts'
import type { Listed } from '../store/shapes.ts'

interface Snapshot {
  name: string
  now: string
  tasks: number
}

export function SnapshotsPanel() {
  const [name, setName] = useState('')
  const [done, setDone] = useState(0)
  const { value } = useFetched(() => control<Listed<Snapshot>>('GET', '/snapshots'), [done])
  const act = (method: Method, path: string, words: string, body?: unknown) =>
    report(async () => {
      await control(method, path, body)
      notify('done', words)
      setDone(done + 1)
    })
  return (
    <>
      <form
        class="body row"
        onSubmit={event => {
          event.preventDefault()
          void act('POST', '/snapshots', `${name} is kept`, { name })
        }}
      >
        <input
          class="field short"
          aria-label="Name of the snapshot"
          placeholder="name"
          value={name}
          onInput={event => setName(event.currentTarget.value)}
        />
        <button type="submit" class="button primary" disabled={name === ''}>
          Keep this moment
        </button>
      </form>
      {value?.items.length === 0 ? (
        <Empty title="No snapshots yet">
          <p>
            Keep the world as it is now, try something, and come back as often as you like: going back is the
            only way to turn the clock back.
          </p>
        </Empty>
      ) : (
        <Table
          label="Snapshots"
          rows={value?.items ?? []}
          keyOf={snapshot => snapshot.name}
          columns={[
            { name: 'Name', cell: snapshot => <strong>{snapshot.name}</strong> },
            { name: 'Virtual time', cell: snapshot => <span class="mono">{snapshot.now}</span> },
            { name: 'Tasks', isNumber: true, cell: snapshot => snapshot.tasks },
            {
              name: '',
              cell: snapshot => (
                <span class="row">
                  <button
                    type="button"
                    class="button small"
                    onClick={() =>
                      void act(
                        'POST',
                        `/snapshots/${snapshot.name}/restore`,
                        `The world is what it was at ${snapshot.name}`,
                      )
                    }
                  >
                    Restore
                  </button>
                  <button
                    type="button"
                    class="button small danger"
                    onClick={() =>
                      void act('DELETE', `/snapshots/${snapshot.name}`, `${snapshot.name} is gone`)
                    }
                  >
                    Take away
                  </button>
                </span>
              ),
            },
          ]}
        />
      )}
    </>
  )
}
