import { useState } from 'preact/hooks'
import { signs } from '../../explore/matrix.ts'
import type { Row } from '../../explore/report.ts'
import { counted } from '../parts/format.ts'
import { Json } from '../parts/json.tsx'
import { type Explored, keyOfRow, sortedCases } from './read-report.ts'

/** A report of `explore`: the matrix of calls and failures, then each case. */
export function ExploreReport({ name, report }: { name: string; report: Explored }) {
  const [open, setOpen] = useState<string | undefined>(undefined)
  const bad = new Set(report.problems.map(keyOfRow))
  const show = (key: string) => {
    setOpen(key)
    requestAnimationFrame(() => document.getElementById(`case ${key}`)?.scrollIntoView({ block: 'start' }))
  }
  return (
    <>
      <section class="panel" aria-label="Summary">
        <header>
          <h2>
            {report.interrupted && 'Interrupted: '}
            {counted(report.problems.length, 'problem')} in {counted(report.cases.length, 'case')}
          </h2>
          <span class="small quiet">{name}</span>
        </header>
        <div class="body stack">
          <p class="row">
            {Object.entries(report.totals ?? {}).map(([verdict, count]) => (
              <span key={verdict} class={`pill tone-${toneOf(verdict)}`}>
                {verdict.replaceAll('_', ' ')} {count}
              </span>
            ))}
          </p>
          <p class="small quiet">
            {report.command === undefined ? 'A function' : <code>{report.command}</code>}, seed {report.seed},
            worlds opened at {report.now}, {(report.ms / 1000).toFixed(1)} s
          </p>
          {report.differs !== undefined && <p class="small">Note: {report.differs}.</p>}
        </div>
      </section>
      <Matrix cases={report.cases} bad={bad} show={show} />
      <section class="panel" aria-label="Cases">
        <header>
          <h2>Cases</h2>
        </header>
        {sortedCases(report).map(row => (
          <Case
            key={keyOfRow(row)}
            row={row}
            isBad={bad.has(keyOfRow(row))}
            isOpen={open === keyOfRow(row)}
          />
        ))}
      </section>
      {report.not_tried.length > 0 && (
        <section class="panel" aria-label="Not tried">
          <header>
            <h2>Not tried</h2>
          </header>
          <ul class="body">
            {report.not_tried.map(({ what, reason }) => (
              <li key={what}>
                {what}: {reason}
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  )
}

interface MatrixProps {
  cases: readonly Row[]
  bad: ReadonlySet<string>
  show: (key: string) => void
}

/** The matrix: a row for each call, a column for each failure. */
function Matrix({ cases, bad, show }: MatrixProps) {
  const single = cases.filter(({ and }) => and === undefined)
  const calls = [...new Set(single.map(callOf))]
  const ids = [...new Set(single.map(({ id }) => id))]
  const cells = new Map(single.map(row => [`${callOf(row)} ${row.id}`, row]))
  return (
    <section class="panel" aria-label="Matrix">
      <header>
        <h2>Matrix</h2>
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it. */}
      <div class="scroll-x" tabIndex={0} role="region" aria-label="Calls and failures">
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
                <th scope="row">{call}</th>
                {ids.map(id => {
                  const row = cells.get(`${call} ${id}`)
                  return (
                    <td key={id}>{row && <Cell row={row} isBad={bad.has(keyOfRow(row))} show={show} />}</td>
                  )
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}

function Cell({ row, isBad, show }: { row: Row; isBad: boolean; show: MatrixProps['show'] }) {
  const label = `${keyOfRow(row)}: ${row.verdict.replaceAll('_', ' ')}`
  return (
    <button
      type="button"
      class={`cell tone-${isBad ? 'failed' : toneOf(row.verdict)}`}
      aria-label={label}
      title={`${label}. ${row.evidence}`}
      onClick={() => show(keyOfRow(row))}
    >
      {signs[row.verdict] ?? '?'}
    </button>
  )
}

function Case({ row, isBad, isOpen }: { row: Row; isBad: boolean; isOpen: boolean }) {
  return (
    <details id={`case ${keyOfRow(row)}`} class="case" open={isOpen}>
      <summary>
        <span class={`pill tone-${isBad ? 'failed' : toneOf(row.verdict)}`}>
          {row.verdict.replaceAll('_', ' ')}
        </span>
        <strong>{keyOfRow(row)}</strong>
        <span class="quiet">{row.evidence}</span>
      </summary>
      <div class="stack case-parts">
        {row.accepted !== undefined && <p>Known: {row.accepted}</p>}
        <Lines title="Findings" lines={row.findings.map(({ kind, text }) => `${kind}: ${text}`)} />
        <Lines title="Requests" lines={row.requests ?? []} />
        {(row.stories ?? []).map(story => (
          <Lines key={story} title="Story of a task" lines={[story]} />
        ))}
        <Lines title="Output" lines={row.log === '' ? [] : [row.log]} />
        <h3>Scenario</h3>
        <Json value={row.scenario} label="Scenario" />
      </div>
    </details>
  )
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

const tones: Readonly<Record<string, string>> = { recovered: 'succeeded', told: 'running', rude: 'expired' }

function toneOf(verdict: string): string {
  return tones[verdict] ?? 'failed'
}

function callOf({ operation, nth }: Row): string {
  return `${operation}#${nth}`
}
