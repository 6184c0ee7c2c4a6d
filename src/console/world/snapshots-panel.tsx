import { useState } from 'preact/hooks'
import type { SnapshotView } from '../../client/types.ts'
import { Empty } from '../parts/empty.tsx'
import { Table } from '../parts/table.tsx'
import { useFetched } from '../parts/use-fetched.ts'
import { control } from '../store/api.ts'
import { changes } from '../store/live.ts'
import { notify, report } from '../store/notices.ts'
import type { Listed } from '../store/shapes.ts'
import { doWithUndo } from '../store/undo.ts'

export function SnapshotsPanel() {
  const [name, setName] = useState('')
  const [done, setDone] = useState(0)
  const { value } = useFetched(
    () => control<Listed<SnapshotView>>('GET', '/snapshots'),
    [done, changes.value],
  )
  const isName = /^(?!\.{1,2}$)[A-Za-z0-9._-]{1,64}$/.test(name)
  const save = () =>
    report(async () => {
      await control('POST', '/snapshots', { name })
      notify('done', `The snapshot ${name} is saved`)
      setDone(done + 1)
    })
  return (
    <>
      <form
        class="body row"
        onSubmit={event => {
          event.preventDefault()
          void save()
        }}
      >
        <input
          class="field short"
          aria-label="Name of the snapshot"
          placeholder="name"
          aria-invalid={name !== '' && !isName}
          aria-describedby="snapshot-name"
          value={name}
          onInput={event => setName(event.currentTarget.value)}
        />
        <button type="submit" class="button primary" disabled={!isName}>
          Save a snapshot
        </button>
        <span
          id="snapshot-name"
          class={`small ${name === '' || isName ? 'quiet' : 'tone-failed fault'}`}
          role="status"
        >
          A name has letters, digits, dots, - and _, at most 64 of them.
        </span>
      </form>
      {value?.items.length === 0 ? (
        <Empty title="No snapshots yet">
          <p>
            A snapshot keeps the world as it is now. You can restore it any number of times. Only a restore
            turns the clock back.
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
                  <button type="button" class="button small" onClick={() => void restore(snapshot)}>
                    Restore
                  </button>
                  <button type="button" class="button small danger" onClick={() => void remove(snapshot)}>
                    Delete
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

function remove({ name }: SnapshotView): Promise<boolean> {
  return doWithUndo({ path: `/snapshots/${name}`, words: `The snapshot ${name} was deleted` })
}

function restore({ name }: SnapshotView): Promise<boolean> {
  return doWithUndo({
    method: 'POST',
    path: `/snapshots/${name}/restore`,
    words: `The snapshot ${name} is restored`,
  })
}
