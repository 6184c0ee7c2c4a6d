import './world.css'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { Finding, List, SnapshotView, WorldView } from '../../kits/views.ts'
import { Button } from '../parts/button.tsx'
import { CopiedCode } from '../parts/copy-button.tsx'
import { Empty, NoSuchPage } from '../parts/empty.tsx'
import { submits } from '../parts/fields.tsx'
import { counted } from '../parts/format.ts'
import { groupsOf, timesOf } from '../parts/lists.ts'
import { Table } from '../parts/table.tsx'
import { useFetched, useWorld } from '../parts/use-fetched.ts'
import { openWorld, to, world } from '../store/address.ts'
import { about, control } from '../store/api.ts'
import { dialog } from '../store/dialogs.ts'
import { changes } from '../store/live.ts'
import { notify, report } from '../store/notices.ts'
import { entries } from '../store/requests.ts'
import { doWithUndo } from '../store/undo.ts'
import { activity } from '../store/worlds.ts'
import { AccountsPanel, LedgerPanel } from './accounts-panel.tsx'
import { AssetsPanel } from './assets-panel.tsx'

const panels = [
  {
    title: 'Worlds',
    about: 'Isolated gateways: each with its own clock, tasks and accounts.',
    Content: WorldsPanel,
  },
  { title: 'Accounts', about: 'Who may do what, and how much of it.', Content: AccountsPanel },
  { title: 'Ledger', about: 'Every charge: reserved, settled, refunded.', Content: LedgerPanel },
  { title: 'Assets', about: 'Files that requests refer to by asset://.', Content: AssetsPanel },
  { title: 'Snapshots', about: 'Saved states of this world.', Content: SnapshotsPanel },
  {
    title: 'Findings',
    about: 'What clients do that works here and fails or costs money with the real service.',
    Content: FindingsPanel,
  },
].map(panel => ({ ...panel, name: panel.title.toLowerCase() }))

/** The world itself, a panel for each of its parts. */
export function WorldPage({ item }: { item: string | undefined }) {
  const current = item === undefined ? panels[0] : panels.find(({ name }) => name === item)
  const nav = useRef<HTMLElement>(null)
  useLayoutEffect(() => {
    nav.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [current])
  if (!current)
    return (
      <NoSuchPage what={`panel “${item}” of a world`} page="world">
        The world
      </NoSuchPage>
    )
  return (
    <div class="page columns world">
      <nav ref={nav} aria-label="Parts of the world">
        <h1 class="small quiet">World {world}</h1>
        {panels.map(({ name, title }) => (
          <a key={name} href={to('world', name)} aria-current={name === current.name ? 'page' : undefined}>
            {title}
          </a>
        ))}
      </nav>
      <section class="panel" aria-label={current.title}>
        <header>
          <div>
            <h2>{current.title}</h2>
            <p class="small quiet">{current.about}</p>
          </div>
        </header>
        <current.Content />
      </section>
    </div>
  )
}

function WorldsPanel() {
  const { value } = useFetched(() => about<List<WorldView>>('GET', '/worlds'), [changes.value])
  const drop = (name: string) =>
    doWithUndo({ path: `/worlds/${name}`, words: `The world ${name} was dropped`, isGlobal: true })
  const reset = () =>
    doWithUndo({ method: 'POST', path: '/reset', words: `The world ${world} was reset`, ofWorld: true })
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

function SnapshotsPanel() {
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
    ofWorld: true,
  })
}

/** Kinds that cost money come first, whatever their number. */
const costly: readonly Finding['kind'][] = [
  'create_repeated',
  'created_again_while_running',
  'idempotency_ignored',
  'made_twice',
  'abandoned_task',
  'result_not_fetched',
]

function FindingsPanel() {
  const { value, fault } = useWorld<List<Finding>>('/findings')
  if (!value) return <Empty title={fault ?? 'Reading findings …'} />
  if (value.items.length === 0)
    return (
      <Empty title="No findings">
        <p>
          Findings tell what a client does wrong: it polls too fast, ignores Retry-After, sends its key to
          result links, or sends fields that are ignored.
        </p>
      </Empty>
    )
  return (
    <div class="findings">
      {grouped(value.items).map(([kind, list]) => (
        <details key={kind} class="case" open={list.length <= 5}>
          <summary>
            <span class={`pill tone-${costly.includes(kind) ? 'failed' : 'expired'}`}>
              {kind.replaceAll('_', ' ')}
            </span>
            <strong>{counted(timesOf(list), 'time')}</strong>
            {list.length > 5 && <span class="quiet grow cut">{list[0]?.text}</span>}
          </summary>
          <ul>
            {list.map((finding, i) => (
              <li key={i}>
                {finding.text} <Links finding={finding} />
              </li>
            ))}
          </ul>
        </details>
      ))}
    </div>
  )
}

/** The findings of each kind: costly kinds first, then by number. */
function grouped(findings: readonly Finding[]): [Finding['kind'], Finding[]][] {
  const groups = [...groupsOf(findings, ({ kind }) => kind)]
  const rank = (kind: Finding['kind']) => (costly.includes(kind) ? 0 : 1)
  return groups.sort((a, b) => rank(a[0]) - rank(b[0]) || timesOf(b[1]) - timesOf(a[1]))
}

function Links({ finding: { task_id, request_ids } }: { finding: Finding }) {
  const entry = entries.value.find(({ request_id }) => request_id === request_ids[0])
  return (
    <>
      {task_id !== undefined && <a href={to('tasks', task_id)}>the task</a>}{' '}
      {entry && <a href={to('requests', String(entry.id))}>the request</a>}
    </>
  )
}
