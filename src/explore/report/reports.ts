import { readFileSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fixturePath, makeDirectory } from '../../emulator/ground.ts'
import { UsageError } from '../../emulator/options.ts'
import { tracePage } from '../../kits/client.ts'
import { nameOfRow, type Row } from '../judge/row.ts'
import { githubReport } from './github.ts'
import { junitReport } from './junit.ts'
import { type Report, replayOf } from './report.ts'
import { sarifReport } from './sarif.ts'
import { markdownReport, prettyReport } from './text-reports.ts'

/** The forms of a report. */
const forms = {
  pretty: prettyReport,
  json: jsonReport,
  junit: junitReport,
  markdown: markdownReport,
  github: (report: Report) => githubReport(report),
  sarif: (report: Report) => sarifReport(report),
}
export type Reporter = keyof typeof forms
export const reporters = Object.keys(forms) as Reporter[]

export function reportFor(
  report: Report,
  { reporter, isTerminal }: { reporter: Reporter; isTerminal: boolean },
): string {
  return forms[reporter](report, { isTerminal })
}

function jsonReport(report: Report): string {
  return `${JSON.stringify(report, (key, value) => (key === 'trace' ? undefined : value), 2)}\n`
}

/** Makes the folder of `--out` before the first run. Throws UsageError when it cannot be made. */
export async function makeOutFolder(folder: string): Promise<void> {
  try {
    await makeDirectory(folder)
  } catch (error) {
    throw new UsageError(`--out ${folder}: ${error instanceof Error ? error.message : error}`)
  }
}

/** Writes report.json, report.html, junit.xml and report.sarif into an existing folder, and for each problem its scenario, log and trace. Throws UsageError when the folder cannot be written. */
export async function writeReports(report: Report, folder: string): Promise<void> {
  try {
    await writeFile(join(folder, 'report.json'), jsonReport(report))
    await writeFile(join(folder, 'junit.xml'), junitReport(report))
    await writeFile(join(folder, 'report.sarif'), sarifReport(report))
    const [{ htmlReport }, { stringify }] = await Promise.all([import('./html.ts'), import('yaml')])
    const traces = new Map<Row, string>()
    const explored = replayOf(report)
    for (const row of report.problems) {
      await writeFile(join(folder, `${fileNameOf(row)}.yaml`), stringify(row.scenario))
      await writeFile(join(folder, `${fileNameOf(row)}.log`), `${row.log}\n`)
      const name = `${fileNameOf(row)}.trace.html`
      const kept = row.reused && report.reuse ? join(report.reuse.from, name) : undefined
      const trace =
        kept === undefined
          ? row.trace && (await tracePage({ ...row.trace, explored }).catch(() => undefined))
          : await readFile(kept, 'utf8').catch(() => undefined)
      if (trace === undefined) continue
      traces.set(row, name)
      await writeFile(join(folder, name), trace)
    }
    await writeFile(join(folder, 'report.html'), htmlReport(report, { ...pageParts(), traces }))
  } catch (error) {
    throw new UsageError(`--out ${folder}: ${error instanceof Error ? error.message : error}`)
  }
}

/** Styles of the console, and a script for browsers that do not open folded parts by themselves. */
function pageParts() {
  const style = ['tokens', 'report', 'lanes']
    .map(name => readFileSync(fixturePath(`report/${name}.css`), 'utf8'))
    .join('\n')
  const script = `const show = () => {
  const found = document.getElementById(decodeURIComponent(location.hash.slice(1)))
  const folded = found?.closest('details')
  if (folded) folded.open = true
}
addEventListener('hashchange', show)
show()
`
  return { style, script }
}

/** `a.create-1-task_expired`: a file name on every system. */
function fileNameOf(row: Row): string {
  return nameOfRow(row).replace(/ \+ /g, '+').replaceAll('#', '-').replaceAll(' ', '-')
}
