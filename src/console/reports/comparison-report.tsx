import type { ComponentChildren } from 'preact'
import type { ComparedRow, Comparison, Difference } from '../../evidence/recordings.ts'
import { counted } from '../parts/format.ts'
import { DifferenceTable } from '../requests/comparison.tsx'

/** A report of `compare`: contradicted rows, differences that no row claims, and confirmed rows. */
export function ComparisonReport({ name, verdict }: { name: string; verdict: Comparison }) {
  const { recordings, rows, unclaimed, compared } = verdict
  const withStatus = (status: ComparedRow['status']) => rows.filter(row => row.status === status)
  const contradicted = withStatus('contradicted')
  const confirmed = withStatus('confirmed')
  const partly = withStatus('partly')
  return (
    <>
      <Panel
        label="Summary"
        title={
          contradicted.length === 0 && unclaimed.length === 0
            ? 'Nothing is contradicted'
            : `${counted(contradicted.length, 'row')} contradicted, ${counted(unclaimed.length, 'difference')} that no row claims`
        }
        aside={<span class="small quiet">{name}</span>}
      >
        <div class="body stack">
          <p class="row">
            <span class="pill tone-succeeded">confirmed {confirmed.length}</span>
            <span class="pill">partly {partly.length}</span>
            <span class="pill tone-failed">contradicted {contradicted.length}</span>
            <span class="pill tone-expired">unclaimed {unclaimed.length}</span>
            <span class="pill">not seen {withStatus('not seen').length}</span>
          </p>
          <p class="small quiet">
            {counted(compared, 'comparison')} in{' '}
            {recordings.map(({ name, requests }) => `${name} (${counted(requests, 'request')})`).join(', ')}
          </p>
        </div>
      </Panel>
      {contradicted.length > 0 && (
        <Panel title="Contradicted">
          {contradicted.map(row => (
            <details key={row.id} class="case" open>
              <summary>
                <span class="pill tone-failed">{row.kind}</span>
                <strong>{row.id}</strong>
                <span class="quiet">{row.says}</span>
              </summary>
              <Differences list={row.differences} />
            </details>
          ))}
        </Panel>
      )}
      {unclaimed.length > 0 && (
        <Panel title="No row claims">
          <Differences list={unclaimed} />
        </Panel>
      )}
      <Seen title={`${counted(confirmed.length, 'row')} confirmed`} rows={confirmed} />
      <Seen title={`${counted(partly.length, 'row')} confirmed partly`} rows={partly} />
    </>
  )
}

function Seen({ title, rows }: { title: string; rows: readonly ComparedRow[] }) {
  return (
    <details class="panel case">
      <summary>
        <strong>{title}</strong>
      </summary>
      <ul class="case-parts">
        {rows.map(({ id, says, shown = [], missing = [] }) => (
          <li key={id}>
            <span class="mono">
              {[id, shown.join(', ')].filter(Boolean).join(': ')}
              {missing.length > 0 && ` of ${[...shown, ...missing].join(', ')}`}
            </span>{' '}
            <span class="quiet">{says}</span>
          </li>
        ))}
      </ul>
    </details>
  )
}

function Differences({ list }: { list: readonly Difference[] }) {
  return (
    <div class="body-text">
      <DifferenceTable
        heads={['recording', 'emulator']}
        list={list.map(({ request, path, recorded, emulated }) => ({
          path: `${request}: ${path}`,
          left: recorded,
          right: emulated,
        }))}
      />
    </div>
  )
}

interface Props {
  title: string
  /** The name of the part, where the title says something else. */
  label?: string
  /** Beside the title. */
  aside?: ComponentChildren
  children: ComponentChildren
}

/** A part of a page with a title. */
function Panel({ title, label = title, aside, children }: Props) {
  return (
    <section class="panel" aria-label={label}>
      <header>
        <h2>{title}</h2>
        {aside}
      </header>
      {children}
    </section>
  )
}
