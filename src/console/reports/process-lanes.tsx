import '../../../fixtures/report/lanes.css'
import { Fragment } from 'preact'
import { type Lane, lanesOf, type Row } from '../../explore/page.ts'

/** The processes of a system on one line of time; nothing for a single program. */
export function ProcessLanes({ row, services }: { row: Row; services: string[] | undefined }) {
  const found = lanesOf(row, services)
  if (!found) return null
  return (
    <>
      <h3>Processes on one line of time</h3>
      <div class="lanes">
        {found.lanes.map(lane => (
          <ProcessLane key={lane.process} lane={lane} />
        ))}
        <div class="lane lane-times" aria-hidden="true">
          <span />
          <div class="lane-line">
            {found.ticks.map(({ place, text }) => (
              <span key={place} style={{ left: percent(place) }}>
                {text}
              </span>
            ))}
          </div>
        </div>
      </div>
      <p class="small quiet">{found.note}</p>
    </>
  )
}

function ProcessLane({ lane: { process, calls, killedAt, startedAgain: again } }: { lane: Lane }) {
  return (
    <div class="lane">
      <span class="lane-name">{process}</span>
      <div class="lane-line">
        {calls.map(({ name, title, from, to, tone, isNamed, isOfCase }) => {
          const own = isOfCase ? ' of-case' : ''
          return (
            <Fragment key={title}>
              <span
                class={`lane-call ${tone}${own}`}
                title={title}
                style={{ left: percent(from), width: percent(to - from) }}
              />
              {isNamed && (
                <span class={`lane-call-name${own}`} style={{ left: percent(from) }}>
                  {name}
                </span>
              )}
            </Fragment>
          )
        })}
        {killedAt !== undefined && (
          <span class="lane-killed" style={{ left: percent(killedAt) }}>
            ✕ killed
          </span>
        )}
        {again && (
          <span class="lane-killed" style={{ left: percent(again.at) }} title={again.title}>
            ↻
          </span>
        )}
      </div>
    </div>
  )
}

function percent(part: number): string {
  return `${(100 * part).toFixed(2)}%`
}
