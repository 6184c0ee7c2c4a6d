import type { List, WorldView } from '../../kits/views.ts'
import { Button } from '../parts/button.tsx'
import { CopiedCode } from '../parts/copy-button.tsx'
import { Table } from '../parts/table.tsx'
import { useFetched } from '../parts/use-fetched.ts'
import { openWorld, world } from '../store/address.ts'
import { about } from '../store/api.ts'
import { dialog } from '../store/dialogs.ts'
import { changes } from '../store/live.ts'
import { doWithUndo } from '../store/undo.ts'
import { activity } from '../store/worlds.ts'

export function WorldsPanel() {
  const { value } = useFetched(() => about<List<WorldView>>('GET', '/worlds'), [changes.value])
  const drop = (name: string) =>
    doWithUndo({ path: `/worlds/${name}`, words: `The world ${name} was dropped`, isGlobal: true })
  const reset = () => doWithUndo({ method: 'POST', path: '/reset', words: `The world ${world} was reset` })
  return (
    <>
      <div class="body row">
        <Button look="primary" act={() => (dialog.value = { kind: 'world' })}>
          Open a new world
        </Button>
        <span class="grow" />
        <Button look="danger" act={reset}>
          Reset the world {world}
        </Button>
      </div>
      <Table
        label="Worlds"
        isCards
        rows={value?.items ?? []}
        keyOf={row => row.id}
        columns={[
          {
            name: 'World',
            cell: row =>
              row.id === world ? (
                <>
                  <strong>{row.id}</strong> <span class="quiet">(this one)</span>
                </>
              ) : (
                <Button look="plain small" act={() => openWorld(row.id)}>
                  {row.id}
                </Button>
              ),
          },
          {
            name: 'Key',
            cell: row => <CopiedCode text={row.api_key} label="Copy the key" />,
          },
          {
            name: 'Clock',
            cell: row => `${row.clock.mode}${row.clock.mode === 'realtime' ? ` ×${row.clock.rate}` : ''}`,
          },
          { name: 'Scenarios', cell: row => row.scenarios.join(', ') || '–' },
          { name: 'Tasks', isNumber: true, cell: row => row.tasks.toLocaleString('en') },
          {
            name: 'Requests',
            isNumber: true,
            cell: row => {
              const fresh = activity.value.get(row.id)
              return (
                <>
                  {fresh !== undefined && <span class="pill tone-running">{fresh} new</span>}{' '}
                  {row.requests.toLocaleString('en')}
                </>
              )
            },
          },
          {
            name: '',
            cell: row =>
              row.id !== 'default' &&
              row.id !== world && (
                <Button look="small danger" act={() => drop(row.id)}>
                  Drop
                </Button>
              ),
          },
        ]}
      />
    </>
  )
}
