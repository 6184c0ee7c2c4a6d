import { escaped as text } from '../../emulator/words.ts'
import { proxyLines } from '../as/proxy-observation.ts'
import { type CauseEntry, causeText, countText } from '../judge/causes.ts'
import { callerOf, nameOfRow, type Row, reusedText, worstFirst } from '../judge/row.ts'
import { levelOf, possibleVerdicts, type Verdict } from '../judge/verdicts.ts'
import { type Patience, patienceLines } from '../patience/patience.ts'
import { againLines } from './again.ts'
import { coverageLines } from './coverage.ts'
import { gridOf, signs } from './matrix.ts'
import { callsOfLives, type Lane, lanesOf } from './process-lanes.ts'
import {
  billText,
  notesOf,
  replayLine,
  rowsOf,
  staleText,
  subjectText,
  summaryOf,
  timeLine,
  type WrittenReport,
} from './report.ts'

/** What a page has beside its report. */
interface PageParts {
  /** Styles, in CSS. */
  style: string
  /** Without one, a browser opens the case that a link names, if it opens folded parts by itself. */
  script?: string
  /** Files beside the page, by case. */
  traces?: ReadonlyMap<Row, string>
}

/** The report as one HTML file that needs no network: the matrix, and what happened in each case. */
export function htmlReport(report: WrittenReport, { style, script, traces }: PageParts): string {
  const rows = rowsOf(report)
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
<p>${report.command === undefined ? text(subjectText(report)) : `<code>${text(report.command)}</code>`}, seed ${text(String(report.seed))}, worlds opened at ${text(report.now)}, ${(report.ms / 1000).toFixed(1)} s</p>
<p>${text(timeLine(report))}</p>
${(report.as ? proxyLines(report.as) : []).map(line => `<p>${text(line)}</p>`).join('\n')}
${billLine(report)}
${notesOf(report)
  .map(note => `<p>Note: ${sentence(note)}.</p>`)
  .join('\n')}
</header>
<main>
${report.patience ? patienceSection(report.patience) : matrixSection(rows)}
${causeList(report, rows)}
${report.coverage ? `<section><h2>Coverage</h2><pre>${text(coverageLines(report).join('\n'))}</pre></section>` : ''}
${report.again ? `<section><h2>Again</h2><pre>${text(againLines(report).join('\n'))}</pre></section>` : ''}
${caseList(report, rows, traces)}
${notTried(report)}
</main>
${script === undefined ? '' : `<script>\n${script}</script>\n`}</body>
</html>
`
}

/** A sentence of the report, in which backticks enclose what a user can type. */
function sentence(value: string): string {
  return text(value).replace(/`([^`]+)`/g, '<code>$1</code>')
}

function caseList(report: WrittenReport, rows: readonly Row[], traces: PageParts['traces']): string {
  if (rows.length === 0) return ''
  const title = report.restarts.length > 0 ? 'Restarts' : 'Cases'
  return `<section>\n<h2>${title}</h2>\n${worstFirst(rows)
    .map(row => caseText(report, row, traces?.get(row)))
    .join('\n')}\n</section>`
}

function matrixSection(rows: readonly Row[]): string {
  return `<section>
<h2>Matrix</h2>
<div class="scroll">${matrixTable(rows)}</div>
<p class="legend">${possibleVerdicts(rows).map(legendEntry).join(' ')}</p>
</section>`
}

function patienceSection(patience: Patience): string {
  const lines = patienceLines(patience).map(line => `<li>${text(line)}</li>`)
  return `<section><h2>Patience</h2><ul>${lines.join('')}</ul></section>`
}

function billLine({ totals }: WrittenReport): string {
  const bill = billText(totals)
  return bill === undefined ? '' : `<p><strong>Bill: ${text(bill)}</strong></p>`
}

function causeList({ causes }: WrittenReport, rows: readonly Row[]): string {
  if (causes.length === 0) return ''
  return `<section><h2>Causes</h2>\n${causes.map(cause => causePart(cause, rows)).join('\n')}</section>`
}

function causePart(cause: CauseEntry, cases: readonly Row[]): string {
  const rows = cause.cases.flatMap(name => cases.find(row => nameOfRow(row) === name) ?? [])
  const links = rows.map(row => `<a href="#${anchorOf(row)}">${text(nameOfRow(row))}</a>`)
  return `<details>
<summary><span class="verdict ${classOf(cause)}">${words(cause.verdict)}</span> <span class="name">${text(causeText(cause))}</span> <span class="evidence">${text(countText(cause, 'case'))}</span></summary>
<p>${text(rows[0]?.evidence ?? '')}</p>
<p>${links.join(', ')}</p>
</details>`
}

function matrixTable(cases: readonly Row[]): string {
  const { calls, ids, cell, callers } = gridOf(cases)
  const head = ids.map(id => `<th scope="col"><span>${text(id)}</span></th>`).join('')
  const rows = calls.map(call => {
    const cells = ids.map(id => cellOf(cell(call, id)))
    return `<tr><th scope="row">${text(call)}${serviceText(callers(call))}</th>${cells.join('')}</tr>`
  })
  return `<table class="matrix"><thead><tr><td></td>${head}</tr></thead><tbody>${rows.join('')}</tbody></table>`
}

/** The name of a service behind that of its call; nothing for a single program. */
function serviceText(service: string): string {
  return service === '' ? '' : ` <span class="service">${text(service)}</span>`
}

function cellOf(row: Row | undefined): string {
  if (!row) return '<td></td>'
  const label = `${nameOfRow(row)}${callerOf(row)}: ${row.verdict}${levelText(row)}`
  const known = row.accepted === undefined ? '' : ' accepted'
  return `<td><a class="${classOf(row)}${known}" href="#${anchorOf(row)}" title="${text(`${label}. ${row.evidence}`)}" aria-label="${text(label)}">${symbolOf(row.verdict)}</a></td>`
}

/** The tick is drawn, since not every font has one. */
function symbolOf(verdict: Verdict): string {
  if (levelOf(verdict) !== 'good' || verdict === 'told') return signs[verdict]
  return '<svg width="12" height="12" viewBox="0 0 12 12" aria-hidden="true"><path d="M2 6.5 5 9.5 10 3" fill="none" stroke="currentColor" stroke-width="1.6"/></svg>'
}

function legendEntry(verdict: Verdict): string {
  const look = classOf({ verdict, level: levelOf(verdict) })
  return `<span><span class="verdict ${look}">${symbolOf(verdict)}</span> ${words(verdict)}</span>`
}

function caseText(report: WrittenReport, row: Row, trace: string | undefined): string {
  return `<details>
<summary><span class="verdict ${classOf(row)}">${words(row.verdict)}${levelText(row)}</span> <span class="name">${text(nameOfRow(row))}${serviceText(callerOf(row).trim())}${reusedText(row)}</span> <span class="evidence">${text(row.evidence)}</span></summary>
${row.accepted === undefined ? '' : `<p>Known: ${text(row.accepted)}</p>`}
<p id="${anchorOf(row)}" class="case">End: ${words(row.end)}. Bill: ${words(row.bill.verdict)}, ${row.bill.settled} credits settled, ${row.bill.undisturbed} undisturbed, ${row.bill.lost} lost.${row.cause ? ` Cause: ${text(causeText(row.cause))}.` : ''}</p>
${trace === undefined ? '' : `<p><a href="${encodeURIComponent(trace)}">The trace of this run</a>: calls, waits, tasks, links and money on one line of time</p>`}
${lanesText(row, report)}
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

/** The processes of a system, or both lives of a program, on one line of time. */
function lanesText(row: Row, { services }: WrittenReport): string {
  const { lives } = row
  const found = lanesOf(row.system || !lives ? row : { ...row, system: callsOfLives(lives) }, services)
  if (!found) return ''
  const end = row.system || !lives ? '' : ` The second life ended with ${lives.at(-1)?.exit}.`
  const { lanes, ticks, note } = found
  const times = ticks.map(({ place, text: time }) => `<span style="${left(place)}">${text(time)}</span>`)
  return `<h3>${row.system || !lives ? 'Processes' : 'Both lives'} on one line of time</h3>
<div class="lanes">
${lanes.map(laneText).join('\n')}
<div class="lane lane-times" aria-hidden="true"><span></span><div class="lane-line">${times.join('')}</div></div>
</div>
<p class="note">${text(note + end)}</p>`
}

function laneText({ process, calls, killedAt, startedAgain: again }: Lane): string {
  const marks = calls.map(({ name, title, from, to, tone, isNamed, isOfCase }) => {
    const own = isOfCase ? ' of-case' : ''
    const width = `width:${percent(to - from)}`
    const bar = `<span class="lane-call ${tone}${own}" style="${left(from)};${width}" title="${text(title)}"></span>`
    return isNamed
      ? `${bar}<span class="lane-call-name${own}" style="${left(from)}">${text(name)}</span>`
      : bar
  })
  const killed =
    killedAt === undefined ? '' : `<span class="lane-killed" style="${left(killedAt)}">✕ killed</span>`
  const started = again
    ? `<span class="lane-killed" style="${left(again.at)}" title="${text(again.title)}">↻</span>`
    : ''
  return `<div class="lane"><span class="lane-name">${text(process)}</span><div class="lane-line">${marks.join('')}${killed}${started}</div></div>`
}

function left(place: number): string {
  return `left:${percent(place)}`
}

function percent(part: number): string {
  return `${(100 * part).toFixed(2)}%`
}

function part(title: string, lines: readonly string[]): string {
  return lines.length === 0 ? '' : `<h3>${title}</h3><pre>${text(lines.join('\n'))}</pre>`
}

function notTried({ not_tried, stale }: WrittenReport): string {
  const lines = [
    ...not_tried.map(({ what, reason }) => `${what}: ${reason}`),
    ...stale.map(one => `accepted, but it no longer occurs: ${staleText(one)}`),
  ]
  if (lines.length === 0) return ''
  return `<section><h2>Not tried</h2><ul>${lines.map(line => `<li>${text(line)}</li>`).join('')}</ul></section>`
}

/** The colour of a verdict, the same everywhere. Where a case counts as something else, it has an edge. */
function classOf({ verdict, level }: Pick<Row, 'verdict' | 'level'>): string {
  const own = levelOf(verdict)
  const colour = own === 'good' ? verdict : own
  return level === own ? colour : `${colour} as-${level}`
}

/** What a case counts as, where its verdict alone says something else. */
function levelText({ verdict, level }: Pick<Row, 'verdict' | 'level'>): string {
  return level === levelOf(verdict) ? '' : `, a ${level}`
}

function words(name: string): string {
  return text(name.replaceAll('_', ' '))
}

/** The name of a case in the page's address: a part inside its folded text, which browsers open for it. */
export function anchorOf(row: Row): string {
  return encodeURIComponent(nameOfRow(row).replaceAll(' ', '-').replaceAll('#', '-'))
}
