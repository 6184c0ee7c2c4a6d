import './world.css'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { NoSuchPage } from '../parts/empty.tsx'
import { to, world } from '../store/address.ts'
import { AccountsPanel } from './accounts-panel.tsx'
import { AssetsPanel } from './assets-panel.tsx'
import { FindingsPanel } from './findings-panel.tsx'
import { LedgerPanel } from './ledger-panel.tsx'
import { SnapshotsPanel } from './snapshots-panel.tsx'
import { WorldsPanel } from './worlds-panel.tsx'

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
