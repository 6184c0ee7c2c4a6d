import './reports.css'
import { signal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect, useMemo, useState } from 'preact/hooks'
import laneStyle from '../../../fixtures/report/lanes.css?inline'
import pageStyle from '../../../fixtures/report/report.css?inline'
import tokens from '../../../fixtures/report/tokens.css?inline'
import { installedCommand } from '../../emulator/words.ts'
import type { ComparedRow, Comparison, Difference } from '../../evidence/recordings.ts'
import {
  anchorOf,
  htmlReport,
  nameOfRow,
  type Row,
  replayLine,
  rowsOf,
  type WrittenReport,
  worstFirst,
} from '../../explore/page.ts'
import { Button } from '../parts/button.tsx'
import { CopyButton } from '../parts/copy-button.tsx'
import { Empty } from '../parts/empty.tsx'
import { FileButton, Select } from '../parts/fields.tsx'
import { counted } from '../parts/format.ts'
import { DifferenceTable } from '../requests/comparison.tsx'
import { go } from '../store/address.ts'
import { control } from '../store/api.ts'
import { keep, kept } from '../store/kept.ts'
import { notify, report as reported } from '../store/notices.ts'
import { useTitle } from '../store/title.ts'
import { type ReadReport, readReport } from './read-report.ts'

/** The report that was opened last. This browser keeps it. */
const opened = signal<ReadReport | undefined>(kept<ReadReport>('report'))
/** The most characters of a report that are kept after a reload. */
const mostKept = 4_000_000

/** Reports of `explore` and `compare`, opened from a file. Nothing is sent anywhere. */
export function ReportsPage({ item }: { item: string | undefined }) {
  const [isOver, setOver] = useState(false)
  const report = opened.value
  useTitle(report && `Report ${report.name}`)
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: files may be dropped anywhere; the button does the same.
    <div
      class={`page reports${isOver ? ' drop-here' : ''}`}
      onDragOver={event => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={event => {
        event.preventDefault()
        setOver(false)
        void open(event.dataTransfer?.files[0])
      }}
    >
      <div class="page-title row spread">
        <h1>Reports</h1>
        <FileButton label="Open a report" accept=".json,application/json" open={open} />
      </div>
      <Content report={report} item={item} />
    </div>
  )
}

async function open(file: File | undefined): Promise<void> {
  if (!file) return
  const report = readReport(file.name, await file.text())
  opened.value = report
  if (report.kind !== 'refused' && !keep('report', report, mostKept))
    notify('done', `${file.name} is too large to be kept after a reload`)
}

function Content({ report, item }: { report: ReadReport | undefined; item: string | undefined }) {
  switch (report?.kind) {
    case undefined:
      return <Nothing />
    case 'refused':
      return (
        <>
          <Unreadable {...report} />
          <Nothing />
        </>
      )
    case 'explore':
      return <ExplorePage name={report.name} report={report.report} item={item} />
    case 'compare':
      return <ComparisonReport name={report.name} verdict={report.report} />
  }
}

function Nothing() {
  return (
    <div class="drop-zone">
      <Empty title="Drop a report here">
        <p>What a client does about every possible failure, and how the emulator differs from a recording:</p>
        <pre class="json">
          {[
            `${installedCommand} explore --out report -- node client.mjs   # report/report.json`,
            `${installedCommand} compare recording.har --reporter json > compared.json`,
          ].join('\n')}
        </pre>
        <p>The file is read in this browser and sent nowhere.</p>
      </Empty>
    </div>
  )
}

interface Props {
  name: string
  report: WrittenReport
  /** The name of the case that the address opens. */
  item: string | undefined
}

/** A report of `explore`: the page that its command writes. What this world can do with a case is above it. */
function ExplorePage({ name, report, item }: Props) {
  const rows = useMemo(() => worstFirst(rowsOf(report)), [report])
  const row = rows.find(one => nameOfRow(one) === item)
  const address = useAddress(report)
  if (address === 'unreadable')
    return <Unreadable name={name} reason="Another version of explore wrote it." />
  const source = row ? `${address}#${anchorOf(row)}` : address
  return (
    <>
      <div class="row report-case">
        {rows.length > 0 && (
          <Select
            label="Case"
            value={row ? nameOfRow(row) : ''}
            options={[['', 'A case …'], ...rows.map(nameOfRow)]}
            choose={name => go('reports', name || undefined)}
          />
        )}
        {row && (
          <>
            <Button act={() => switchOn(row.scenario)}>Switch its scenario on in this world</Button>
            <CopyButton worded label="Copy the command that plays it" text={replayLine(report, row)} />
          </>
        )}
        <span class="small quiet">{name}</span>
      </div>
      {/* A report may come from anybody: no script runs in the frame. With the origin, its links to its own parts work. */}
      {address && (
        <iframe key={source} class="report-frame" title="Report" sandbox="allow-same-origin" src={source} />
      )}
    </>
  )
}

/** Says why nothing of a file is shown. */
function Unreadable({ name, reason }: { name: string; reason: string }) {
  return (
    <p class="remark tone-failed" role="alert">
      {name} cannot be shown. {reason}
    </p>
  )
}

/** The address of the report's page inside this browser; undefined at first. */
function useAddress(report: WrittenReport): string | undefined {
  const [address, setAddress] = useState<string>()
  useEffect(() => {
    const page = pageOf(report)
    if (page === undefined) return setAddress('unreadable')
    const made = URL.createObjectURL(new Blob([page], { type: 'text/html;charset=utf-8' }))
    setAddress(made)
    return () => URL.revokeObjectURL(made)
  }, [report])
  return address
}

/** The page of a report; undefined when it has other parts than reports of this version. */
function pageOf(report: WrittenReport): string | undefined {
  try {
    return htmlReport(report, { style: tokens + pageStyle + laneStyle })
  } catch {
    return undefined
  }
}

/** Adds a case's scenario to this world, where it acts at once. */
async function switchOn(scenario: Row['scenario']): Promise<void> {
  await reported(async () => {
    const { name } = await control<{ name: string }>('POST', '/scenarios', scenario)
    notify('done', `${name} is active now`)
  })
}

/** A report of `compare`: contradicted rows, differences that no row claims, and confirmed rows. */
function ComparisonReport({ name, verdict }: { name: string; verdict: Comparison }) {
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

interface PanelProps {
  title: string
  /** The name of the part, where the title says something else. */
  label?: string
  /** Beside the title. */
  aside?: ComponentChildren
  children: ComponentChildren
}

/** A part of a page with a title. */
function Panel({ title, label = title, aside, children }: PanelProps) {
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
