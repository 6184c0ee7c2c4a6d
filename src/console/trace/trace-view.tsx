import './trace.css'
import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { Trace } from '../../kits/views.ts'
import { Button } from '../parts/button.tsx'
import { SearchField } from '../parts/fields.tsx'
import { counted, preciseTime, span as spanText } from '../parts/format.ts'
import { firstWhere, hasWords, wordsOf } from '../parts/lists.ts'
import { useWidth, VirtualList } from '../parts/virtual-list.tsx'
import { MomentPanel } from './moment-panel.tsx'
import { type Moment, momentsOf, toneOf } from './moments.ts'
import { finest, rowsOf, type Span, type TraceRow } from './rows.ts'

interface Props {
  trace: Trace
  actions: (moment: Moment) => ComponentChildren
  /** The address of a picture of a task's result. */
  pictureOf?: ((task: string) => string | undefined) | undefined
}

const narrow = 760
const rowHeights = { wide: 34, narrow: 52 }

/** One run of clients on one line of time: calls, tasks, links, money, findings, and a cursor that arrows move from moment to moment. */
export function TraceView({ trace, actions, pictureOf }: Props) {
  const [inWall, setWall] = useState(false)
  const [search, setSearch] = useState('')
  const [onlyFailed, setOnlyFailed] = useState(false)
  const [key, setKey] = useState<string | undefined>()
  const box = useRef<HTMLDivElement>(null)
  const width = useWidth(box, narrow + 1)
  const moments = useMemo(() => momentsOf(trace), [trace])
  const rows = useMemo(() => rowsOf(trace, moments, inWall), [trace, moments, inWall])
  const shown = useMemo(() => {
    const words = wordsOf(search)
    const about = new Map(
      moments.map(one => [one.key, `${one.title} ${one.text ?? ''} ${one.call?.path ?? ''}`]),
    )
    return rows.filter(
      row =>
        (!onlyFailed || isFailed(row)) &&
        hasWords(`${row.label} ${row.note} ${row.moments.map(one => about.get(one)).join(' ')}`, words),
    )
  }, [rows, moments, search, onlyFailed])
  const scale = useMemo(
    () => scaleOf(rows.flatMap(({ spans }) => spans.flatMap(({ from, to }) => [from, to]))),
    [rows],
  )
  const rowOf = useMemo(() => new Map(rows.flatMap(row => row.moments.map(one => [one, row.key]))), [rows])
  const index = Math.max(
    0,
    key === undefined ? firstOfInterest(moments) : moments.findIndex(one => one.key === key),
  )
  const moment = moments[index]
  const failures = moments.flatMap(({ tone }, i) => (tone === 'failed' ? i : []))
  const before = failures.findLast(i => i < index)
  const after = failures.find(i => i > index)
  // At once after the rendering: a key may come before the browser paints.
  useLayoutEffect(() => {
    const jump = (event: KeyboardEvent) => {
      const next = { f: after, F: before }[event.key]
      if (next === undefined || event.ctrlKey || event.metaKey || event.altKey || isEditing(event)) return
      event.preventDefault()
      setKey(moments[next]?.key)
    }
    addEventListener('keydown', jump)
    return () => removeEventListener('keydown', jump)
  }, [moments, before, after])
  if (!moment) return <p class="empty">No call has reached this world yet.</p>
  const current = rowOf.get(moment.key)
  const choose = (next: number) => setKey(moments[Math.min(moments.length - 1, Math.max(0, next))]?.key)
  const move = (event: KeyboardEvent) => {
    const by = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10 }[
      event.key
    ]
    const to = by === undefined ? { Home: 0, End: moments.length - 1 }[event.key] : index + by
    if (to === undefined || isEditing(event)) return
    event.preventDefault()
    event.stopPropagation()
    choose(to)
  }
  const timeOf = (one: Moment) => (inWall ? one.wall : one.at)
  const text = (time: number) => (inWall ? `${(time / 1000).toFixed(3)} s` : preciseTime(time))
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys of the cursor work in the whole part.
    <div class="trace" ref={box} onKeyDown={move}>
      <div class="trace-head">
        <Summary trace={trace} />
        <SearchField
          label="Search the trace"
          placeholder="Operation, prompt or id"
          value={search}
          search={setSearch}
        />
        {(
          [
            ['Only what failed', onlyFailed, setOnlyFailed],
            ['Wall time', inWall, setWall],
          ] as const
        ).map(([text, isOn, set]) => (
          <label key={text} class="row small">
            <input type="checkbox" class="switch" checked={isOn} onChange={() => set(!isOn)} />
            {text}
          </label>
        ))}
      </div>
      <div class="trace-cursor">
        <label class="unseen" for="trace-moment">
          Moment
        </label>
        <input
          id="trace-moment"
          type="range"
          min={0}
          max={moments.length - 1}
          value={index}
          aria-valuetext={`${index + 1} of ${moments.length}, ${text(timeOf(moment))}, ${moment.title}`}
          onInput={event => choose(Number(event.currentTarget.value))}
        />
        <Jump label="Previous failure (F)" icon="back" to={before} choose={choose} />
        <Jump label="Next failure (f)" icon="forward" to={after} choose={choose} />
        <span class="small quiet mono">
          {index + 1}/{moments.length} · {text(timeOf(moment))}
        </span>
      </div>
      <div class="trace-body">
        <section class="trace-lines" aria-label="Time line" style={{ '--cursor': scale.at(timeOf(moment)) }}>
          <Axis scale={scale} text={text} />
          <VirtualList
            items={shown}
            label="Attempts, tasks, links, money and findings"
            rowHeight={width <= narrow ? rowHeights.narrow : rowHeights.wide}
            keyOf={row => row.key}
            current={shown.findIndex(({ key }) => key === current)}
            row={(row, i) => (
              <Line
                row={row}
                scale={scale}
                isFirst={shown[i - 1]?.lane !== row.lane || shown[i - 1]?.service !== row.service}
                isCurrent={current === row.key}
                open={() => setKey(row.moments[0])}
              />
            )}
          />
          {shown.length === 0 && (
            <p class="quiet body">{search === '' ? 'Nothing failed.' : 'Nothing matches.'}</p>
          )}
          <p class="small quiet trace-note">
            Long rests are shortened. {spanText(Date.parse(trace.now) - (moments[0]?.at ?? 0))} of virtual
            time.
            {trace.incomplete ? ` Incomplete: ${trace.incomplete}.` : ''}
          </p>
        </section>
        <MomentPanel trace={trace} moment={moment} actions={actions} pictureOf={pictureOf} />
      </div>
    </div>
  )
}

/** The first moment that went wrong, else the first. */
function firstOfInterest(moments: readonly Moment[]): number {
  return moments.findIndex(({ lane, tone }) => tone === 'failed' && (lane === 'Calls' || lane === 'Findings'))
}

function isFailed({ tone, spans }: TraceRow): boolean {
  return tone === 'failed' || spans.some(span => span.tone === 'failed')
}

interface JumpProps {
  label: string
  icon: 'back' | 'forward'
  /** The index of the moment; undefined when there is none. */
  to: number | undefined
  choose: (index: number) => void
}

function Jump({ label, icon, to, choose }: JumpProps) {
  return (
    <Button
      look="small plain"
      icon={icon}
      label={label}
      disabled={to === undefined}
      act={() => to !== undefined && choose(to)}
    />
  )
}

function isEditing({ target }: KeyboardEvent): boolean {
  const element = target as HTMLElement
  return element.matches(
    'select, textarea, pre, [role="tab"], input:not([type="range"]):not([type="checkbox"])',
  )
}

function Summary({ trace }: { trace: Trace }) {
  const calls = trace.attempts.flatMap(attempt => attempt.calls)
  const failed = calls.filter(call => toneOf(call) === 'failed').length
  const parts = [
    counted(calls.length, 'call'),
    failed > 0 && `${failed} failed`,
    counted(trace.tasks.length, 'task'),
    trace.findings.length > 0 && counted(trace.findings.length, 'finding'),
    trace.open.length > 0 && `${trace.open.length} open`,
  ].filter(Boolean)
  return <p class={failed > 0 ? 'trace-sum tone-failed' : 'trace-sum'}>{parts.join(' · ')}</p>
}

function Axis({ scale, text }: { scale: Scale; text: (time: number) => string }) {
  return (
    <div class="trace-axis" aria-hidden="true">
      <span class="trace-label" />
      <div class="trace-track">
        {scale.ticks.map(({ time, place }) => (
          <span key={time} class="trace-tick mono" style={{ left: `${place * 100}%` }}>
            {text(time).replace(/\.\d+( s)?$/, '$1')}
          </span>
        ))}
      </div>
    </div>
  )
}

interface LineProps {
  row: TraceRow
  scale: Scale
  isFirst: boolean
  isCurrent: boolean
  open: () => void
}

function Line({ row, scale, isFirst, isCurrent, open }: LineProps) {
  return (
    <div
      class={`trace-line ${isFirst ? 'first' : ''} ${isCurrent ? 'current' : ''} ${row.service !== undefined && !isFirst ? 'of-service' : ''}`}
    >
      <button type="button" class="trace-label" onClick={open} aria-current={isCurrent || undefined}>
        <span class={`dot tone-${row.tone}`} aria-hidden="true" />
        <span class="cut">
          <span class="unseen">{row.lane}: </span>
          <strong>{row.label}</strong> <span class="quiet">{row.note}</span>
        </span>
      </button>
      <div class="trace-track" aria-hidden="true">
        {visible(row.spans, scale).map(({ left, width, span }, i) => (
          <span
            key={`${i}-${span.from}`}
            class={`trace-span ${span.kind} tone-${span.tone}`}
            title={span.title}
            style={{ left: `${left * 100}%`, width: `${width * 100}%` }}
          />
        ))}
      </div>
    </div>
  )
}

/** The spans of a row with their places. Neighbours of one kind and colour that nobody could tell apart are one. */
function visible(spans: readonly Span[], scale: Scale): { left: number; width: number; span: Span }[] {
  const drawn: { left: number; width: number; span: Span }[] = []
  for (const span of spans) {
    const left = scale.at(span.from)
    const width = scale.at(span.to) - left
    const last = drawn.at(-1)
    const isSame = last && last.span.kind === span.kind && last.span.tone === span.tone
    if (last && isSame && span.kind !== 'state' && left - (last.left + last.width) < finest)
      last.width = Math.max(last.width, left + width - last.left)
    else drawn.push({ left, width, span })
  }
  return drawn
}

/** Places on a line for times, 0 to 1. */
interface Scale {
  at(time: number): number
  /** Times to write under the line, with their places. */
  ticks: { time: number; place: number }[]
}

/** A pause of this length takes one unit of the line; one ten times as long takes three and a half. Ms. */
const unitMs = 100
const mostTicks = 8
/** A later tick would be written beyond the edge. */
const lastTick = 0.88

/**
 * A line on which long rests are shortened: the space between two neighbouring times grows with the logarithm of their distance, so that
 * a burst of calls and a wait of hours can be seen on one line.
 */
function scaleOf(times: readonly number[]): Scale {
  const sorted = [...new Set(times)].sort((a, b) => a - b)
  const places = [0]
  for (let i = 1; i < sorted.length; i++)
    places.push((places[i - 1] ?? 0) + Math.log2(1 + ((sorted[i] ?? 0) - (sorted[i - 1] ?? 0)) / unitMs))
  const whole = places.at(-1) || 1
  const at = (time: number) => {
    if (time <= (sorted[0] ?? time)) return 0
    if (time >= (sorted.at(-1) ?? time)) return 1
    const next = firstWhere(sorted.length, i => (sorted[i] ?? 0) > time)
    const [from = 0, to = 0] = sorted.slice(next - 1)
    const [start = 0, end = 0] = places.slice(next - 1)
    return (start + ((end - start) * (time - from)) / (to - from || 1)) / whole
  }
  const ticks: Scale['ticks'] = []
  for (const time of sorted) {
    const place = at(time)
    const last = ticks.at(-1)
    if (place <= lastTick && (!last || place - last.place >= 1 / mostTicks)) ticks.push({ time, place })
  }
  return { at, ticks }
}
