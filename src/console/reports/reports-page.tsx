import { installedCommand } from '../../emulator/words.ts'
import './reports.css'
import { signal } from '@preact/signals'
import { useState } from 'preact/hooks'
import { Empty } from '../parts/empty.tsx'
import { FileButton } from '../parts/fields.tsx'
import { keep, kept } from '../store/kept.ts'
import { notify } from '../store/notices.ts'
import { useTitle } from '../store/title.ts'
import { ComparisonReport } from './comparison-report.tsx'
import { ExplorePage, Unreadable } from './explore-page.tsx'
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
