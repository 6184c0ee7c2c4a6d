import { useEffect } from 'preact/hooks'
import {
  billText,
  callerOf,
  causeText,
  gridOf,
  type LifeRow,
  nameOfRow,
  notesOf,
  patienceLines,
  possibleVerdicts,
  type Row,
  replayLine,
  rowsOf,
  signs,
  subjectText,
  summaryOf,
  timeLine,
  worstFirst,
} from '../../explore/page.ts'
import { Button } from '../parts/button.tsx'
import { CopyButton } from '../parts/copy-button.tsx'
import { Json } from '../parts/json.tsx'
import { Panel } from '../parts/panel.tsx'
import { Scroll } from '../parts/table.tsx'
import { go } from '../store/address.ts'
import { control } from '../store/api.ts'
import { notify, report } from '../store/notices.ts'
import { ProcessLanes } from './process-lanes.tsx'
import type { Explored } from './read-report.ts'

interface Props {
  name: string
  report: Explored
  /** The name of the case that the address opens. */
  item: string | undefined
}

/** A report of `explore`: the matrix of calls and failures, or what patience was measured, then each case. */
export function ExploreReport({ name, report, item }: Props) {
  const bill = billText(report.totals)
  const rows = rowsOf(report)
  const show = (key: string) => go('reports', key)
  useEffect(() => {
    if (item !== undefined) document.getElementById(`case ${item}`)?.scrollIntoView({ block: 'start' })
  }, [item])
  const what = report.command === undefined ? subjectText(report) : <code>{report.command}</code>
  return (
    <>
      <Panel
        label="Summary"
        title={sentence(summaryOf(report))}
        aside={<span class="small quiet">{name}</span>}
      >
        <div class="body stack">
          {bill !== undefined && (
            <p>
              <strong>Bill: {bill}</strong>
            </p>
          )}
          {rows.length > 0 && (
            <p class="row">
              {Object.entries(report.totals).map(
                ([verdict, count]) =>
                  typeof count === 'number' && (
                    <span
                      key={verdict}
                      class={`pill tone-${toneOf(rows.find(row => row.verdict === verdict))}`}
                    >
                      {verdict.replaceAll('_', ' ')} {count}
                    </span>
                  ),
              )}
            </p>
          )}
          <p class="small quiet">
            {what}, seed {report.seed}, worlds opened at {report.now}, {(report.ms / 1000).toFixed(1)} s.{' '}
            {timeLine(report)}
          </p>
          {notesOf(report).map(note => (
            <p key={note} class="small">
              Note: {note}.
            </p>
          ))}
        </div>
      </Panel>
      {report.patience && <Sentences title="Patience" list={patienceLines(report.patience)} />}
      {rows.length > 0 && <Matrix cases={rows} show={show} />}
      {report.causes.length > 0 && <Causes report={report} show={show} />}
      {rows.length > 0 && (
        <Panel title={report.restarts.length > 0 ? 'Restarts' : 'Cases'}>
          {worstFirst(rows).map(row => (
            <Case key={nameOfRow(row)} row={row} report={report} isOpen={item === nameOfRow(row)} />
          ))}
        </Panel>
      )}
      <Sentences title="Not tried" list={report.not_tried.map(({ what, reason }) => `${what}: ${reason}`)} />
    </>
  )
}

function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

function Sentences({ title, list }: { title: string; list: readonly string[] }) {
  if (list.length === 0) return null
  return (
    <Panel title={title}>
      <ul class="body">
        {list.map(text => (
          <li key={text}>{text}</li>
        ))}
      </ul>
    </Panel>
  )
}

function Causes({ report, show }: { report: Explored; show: (name: string) => void }) {
  return (
    <Panel title="Causes">
      <ul class="body stack">
        {report.causes.map(cause => (
          <li key={causeText(cause)} class="row">
            <span class={`pill tone-${tones[cause.level]}`}>{cause.verdict.replaceAll('_', ' ')}</span>
            <strong>{causeText(cause)}</strong>
            {cause.cases.map(name => (
              <Button look="small" key={name} act={() => show(name)}>
                {name}
              </Button>
            ))}
          </li>
        ))}
      </ul>
    </Panel>
  )
}

interface MatrixProps {
  cases: readonly Row[]
  show: (name: string) => void
}

/** The matrix: a row for each call, a column for each failure. */
function Matrix({ cases, show }: MatrixProps) {
  const { calls, ids, cell, callers } = gridOf(cases)
  return (
    <Panel title="Matrix">
      <ul class="row small quiet legend" aria-label="What the signs mean">
        {possibleVerdicts(cases)
          .toReversed()
          .map(verdict => (
            <li key={verdict}>
              <strong>{signs[verdict]}</strong> {verdict.replaceAll('_', ' ')}
            </li>
          ))}
      </ul>
      <Scroll label="Calls and failures">
        <table class="matrix">
          <thead>
            <tr>
              <td />
              {ids.map(id => (
                <th key={id} scope="col">
                  <span>{id}</span>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {calls.map(call => (
              <tr key={call}>
                <th scope="row">
                  {call} <Service name={callers(call)} />
                </th>
                {ids.map(id => {
                  const row = cell(call, id)
                  return <td key={id}>{row && <Cell row={row} show={show} />}</td>
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
    </Panel>
  )
}

/** The name of a service behind that of its call; nothing for a single program. */
function Service({ name }: { name: string }) {
  return name === '' ? null : <span class="quiet">{name}</span>
}

function Cell({ row, show }: { row: Row; show: MatrixProps['show'] }) {
  const label = `${nameOfRow(row)}${callerOf(row)}: ${row.verdict.replaceAll('_', ' ')}`
  return (
    <button
      type="button"
      class={`cell tone-${toneOf(row)}`}
      aria-label={label}
      title={`${label}. ${row.evidence}`}
      onClick={() => show(nameOfRow(row))}
    >
      <span aria-hidden="true">{signs[row.verdict] ?? '?'}</span>
    </button>
  )
}

function Case({ row, report, isOpen }: { row: Row; report: Explored; isOpen: boolean }) {
  const repeat = replayLine(report, row)
  return (
    <details id={`case ${nameOfRow(row)}`} class="case" open={isOpen}>
      <summary>
        <span class={`pill tone-${toneOf(row)}`}>{row.verdict.replaceAll('_', ' ')}</span>
        <strong>{nameOfRow(row)}</strong>
        <Service name={callerOf(row).trim()} />
        <span class="quiet">{row.evidence}</span>
      </summary>
      <div class="stack case-parts">
        {row.accepted !== undefined && <p>Known: {row.accepted}</p>}
        <p>
          End: {row.end.replaceAll('_', ' ')}. Bill: {row.bill.verdict}, {row.bill.settled} credits settled,{' '}
          {row.bill.undisturbed} undisturbed, {row.bill.lost} lost.
          {row.cause && ` Cause: ${causeText(row.cause)}.`}
        </p>
        <ProcessLanes row={row} services={report.services} />
        <Lines title="Both lives" lines={row.system ? [] : (row.lives ?? []).map(lifeText)} />
        <Lines title="Findings" lines={row.findings.map(({ kind, text }) => `${kind}: ${text}`)} />
        <Lines title="Requests" lines={row.requests ?? []} />
        {(row.stories ?? []).map(story => (
          <Lines key={story} title="Story of a task" lines={[story]} />
        ))}
        <Lines title="Output" lines={row.log === '' ? [] : [row.log]} />
        {(report.command !== undefined || report.services) && (
          <>
            <h3>Play it again</h3>
            <p class="row">
              <code>{repeat}</code>
              <CopyButton text={repeat} label="Copy the command" />
            </p>
          </>
        )}
        <h3 class="row">
          Scenario
          <Button look="small" act={() => switchOn(row.scenario)}>
            Switch it on in this world
          </Button>
        </h3>
        <Json value={row.scenario} label="Scenario" />
      </div>
    </details>
  )
}

/** `life 1: a.create#1 -> 200, a.get#1 held; killed there`. */
function lifeText({ calls, exit }: LifeRow, i: number, all: readonly LifeRow[]): string {
  const made = calls.map(
    call => `${call.operation}#${call.nth} ${call.status === 0 ? 'held' : `-> ${call.status}`}`,
  )
  const end = i < all.length - 1 ? 'killed there' : `ended with ${exit}`
  return `life ${i + 1}: ${made.join(', ') || 'no call'}; ${end}`
}

/** Adds a case's scenario to this world, where it acts at once. */
async function switchOn(scenario: Row['scenario']): Promise<void> {
  await report(async () => {
    const { name } = await control<{ name: string }>('POST', '/scenarios', scenario)
    notify('done', `${name} is active now`)
  })
}

function Lines({ title, lines }: { title: string; lines: readonly string[] }) {
  if (lines.length === 0) return null
  return (
    <>
      <h3>{title}</h3>
      <pre class="json case-lines">{lines.join('\n')}</pre>
    </>
  )
}

const tones = { problem: 'failed', warning: 'expired', good: 'succeeded' } as const

function toneOf(row: Row | undefined): string {
  if (row?.verdict === 'told') return 'running'
  return row ? tones[row.level] : 'failed'
}
