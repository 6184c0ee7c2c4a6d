import { readFileSync } from 'node:fs'
import { fixturePath } from '../package/files.ts'
import { nameOfCall } from './case.ts'
import { signs } from './matrix.ts'
import { replayLine } from './replay.ts'
import { nameOfRow, type Report, type Row, staleText, summaryOf } from './report.ts'
import { isProblem, type Verdict, verdicts } from './verdict.ts'

/** The report as one HTML file that needs no network, in the style of the console: the matrix, and what happened in each case. */
export function htmlReport(report: Report): string {
  const style = ['tokens', 'report']
    .map(name => readFileSync(fixturePath(`report/${name}.css`), 'utf8'))
    .join('\n')
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Explore: ${text(summaryOf(report))}</title>
<style>
${style}</style>
</head>
<body>
<header>
<h1>${text(summaryOf(report))}</h1>
<p>${report.command === undefined ? 'A function' : `<code>${text(report.command)}</code>`}, seed ${report.seed}, worlds opened at ${text(report.now)}, ${(report.ms / 1000).toFixed(1)} s</p>
${report.differs ? `<p>Note: ${text(report.differs)}.</p>` : ''}
</header>
<main>
<section>
<h2>Matrix</h2>
<div class="scroll">${matrixTable(report)}</div>
<p class="legend">${verdicts.map(legendEntry).join(' ')}</p>
</section>
<section>
<h2>Cases</h2>
${sorted(report)
  .map(row => caseText(report, row))
  .join('\n')}
</section>
${notTried(report)}
</main>
<script>
const show = () => {
  const found = document.getElementById(decodeURIComponent(location.hash.slice(1)))
  if (found?.matches('details')) found.open = true
}
addEventListener('hashchange', show)
show()
</script>
</body>
</html>
`
}

/** Problems first, then warnings, then the others, each in the order in which they were played. */
function sorted({ cases }: Report): Row[] {
  const weight = ({ verdict, accepted }: Row) =>
    isProblem(verdict) && accepted === undefined ? 0 : verdict === 'rude' ? 1 : 2
  return [...cases].sort((one, other) => weight(one) - weight(other))
}

function matrixTable({ cases }: Report): string {
  const single = cases.filter(({ and }) => and === undefined)
  const calls = [...new Set(single.map(nameOfCall))]
  const ids = [...new Set(single.map(({ id }) => id))]
  const head = ids.map(id => `<th scope="col"><span>${text(id)}</span></th>`).join('')
  const rows = calls.map(call => {
    const cells = ids.map(id => cellOf(single.find(row => nameOfCall(row) === call && row.id === id)))
    return `<tr><th scope="row">${text(call)}</th>${cells.join('')}</tr>`
  })
  return `<table class="matrix"><thead><tr><td></td>${head}</tr></thead><tbody>${rows.join('')}</tbody></table>`
}

function cellOf(row: Row | undefined): string {
  if (!row) return '<td></td>'
  const label = `${nameOfRow(row)}: ${row.verdict}`
  const known = row.accepted === undefined ? '' : ' accepted'
  return `<td><a class="${classOf(row.verdict)}${known}" href="#${anchorOf(row)}" title="${text(`${label}. ${row.evidence}`)}" aria-label="${text(label)}">${signOf(row.verdict)}</a></td>`
}

/** The tick is drawn, since not every font has one. */
function signOf(verdict: Verdict): string {
  if (verdict !== 'recovered') return signs[verdict]
  return '<svg width="12" height="12" viewBox="0 0 12 12" aria-hidden="true"><path d="M2 6.5 5 9.5 10 3" fill="none" stroke="currentColor" stroke-width="1.6"/></svg>'
}

function legendEntry(verdict: Verdict): string {
  return `<span class="verdict ${classOf(verdict)}">${signOf(verdict)} ${verdict.replaceAll('_', ' ')}</span>`
}

function caseText(report: Report, row: Row): string {
  return `<details id="${anchorOf(row)}">
<summary><span class="verdict ${classOf(row.verdict)}">${row.verdict.replaceAll('_', ' ')}</span> <span class="name">${text(nameOfRow(row))}</span> <span class="evidence">${text(row.evidence)}</span></summary>
${row.accepted === undefined ? '' : `<p>Known: ${text(row.accepted)}</p>`}
<h3>Play it again</h3><pre>${text(replayLine(report, row))}</pre>
${part(
  'Findings',
  row.findings.map(finding => `${finding.kind}: ${finding.text}`),
)}
${part('Requests', row.requests ?? [])}
${(row.stories ?? []).map(story => part('Story of a task', [story])).join('')}
${part('Output', row.log === '' ? [] : [row.log])}
${part('Scenario', [JSON.stringify(row.scenario, null, 2)])}
</details>`
}

function part(title: string, lines: readonly string[]): string {
  return lines.length === 0 ? '' : `<h3>${title}</h3><pre>${text(lines.join('\n'))}</pre>`
}

function notTried({ not_tried, stale }: Report): string {
  const lines = [
    ...not_tried.map(({ what, reason }) => `${what}: ${reason}`),
    ...stale.map(one => `accepted, but it no longer occurs: ${staleText(one)}`),
  ]
  if (lines.length === 0) return ''
  return `<section><h2>Not tried</h2><ul>${lines.map(line => `<li>${text(line)}</li>`).join('')}</ul></section>`
}

function classOf(verdict: Verdict): string {
  return isProblem(verdict) ? 'problem' : verdict
}

function anchorOf(row: Row): string {
  return encodeURIComponent(nameOfRow(row).replaceAll(' ', '-').replaceAll('#', '-'))
}

function text(plain: string): string {
  return plain
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}
