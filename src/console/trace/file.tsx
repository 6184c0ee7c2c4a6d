import { render } from 'preact'
import '../../../fixtures/report/tokens.css'
import '../styles/base.css'
import '../styles/controls.css'
import type { ExploredTrace } from '../../kits/views.ts'
import { Notices } from '../shell/notices.tsx'
import { CopyActions } from './copy-actions.tsx'
import { TraceView } from './trace-view.tsx'

// The page of a trace in a file: all of it is in the document.
const text = document.getElementById('trace')?.textContent ?? ''
const place = document.getElementById('console')
if (place) {
  if (text.trim() === '') place.textContent = 'There is no trace in this file.'
  else {
    const trace: ExploredTrace = JSON.parse(text)
    document.title = `Trace of the world ${trace.world}`
    render(
      <>
        <main class="page trace-file">
          <h1 class="page-title">
            Trace of <span class="mono">{trace.world}</span>
          </h1>
          <TraceView trace={trace} actions={moment => <CopyActions trace={trace} moment={moment} />} />
        </main>
        <Notices />
      </>,
      place,
    )
  }
}
