import { useEffect, useMemo, useState } from 'preact/hooks'
import laneStyle from '../../../fixtures/report/lanes.css?inline'
import pageStyle from '../../../fixtures/report/report.css?inline'
import tokens from '../../../fixtures/report/tokens.css?inline'
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
import { Select } from '../parts/fields.tsx'
import { go } from '../store/address.ts'
import { control } from '../store/api.ts'
import { notify, report as reported } from '../store/notices.ts'

interface Props {
  name: string
  report: WrittenReport
  /** The name of the case that the address opens. */
  item: string | undefined
}

/** A report of `explore`: the page that its command writes. What this world can do with a case is above it. */
export function ExplorePage({ name, report, item }: Props) {
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
export function Unreadable({ name, reason }: { name: string; reason: string }) {
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
