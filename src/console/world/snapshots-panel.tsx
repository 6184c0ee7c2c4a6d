import { useState } from 'preact/hooks'
import type { List, SnapshotView } from '../../kits/views.ts'
import { Button } from '../parts/button.tsx'
import { Empty } from '../parts/empty.tsx'
import { submits } from '../parts/fields.tsx'
import { Table } from '../parts/table.tsx'
import { useWorld } from '../parts/use-fetched.ts'
import { control } from '../store/api.ts'
import { notify, report } from '../store/notices.ts'
import { doWithUndo } from '../store/undo.ts'

export function SnapshotsPanel() {
  const [name, setName] = useState('')
  const { value } = useWorld<List<SnapshotView>>('/snapshots')
  const isName = /^(?!\.{1,2}$)[A-Za-z0-9._-]{1,64}$/.test(name)
  const save = () =>
    report(async () => {
      await control('POST', '/snapshots', { name })
      notify('done', `The snapshot ${name} is saved`)
    })
  return (
    <>
      <form class="body row" onSubmit={submits(save)}>
        <input
          class="field short"
          aria-label="Name of the snapshot"
          placeholder="name"
          aria-invalid={name !== '' && !isName}
          aria-describedby="snapshot-name"
          value={name}
          onInput={event => setName(event.currentTarget.value)}
        />
        <Button look="primary" disabled={!isName}>
          Save a snapshot
        </Button>
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
          isCards
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
                  <Button look="small" act={() => restore(snapshot)}>
                    Restore
                  </Button>
                  <Button look="small danger" act={() => remove(snapshot)}>
                    Delete
                  </Button>
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
