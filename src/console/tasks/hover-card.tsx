import { signal } from '@preact/signals'
import type { TaskLine, TaskView } from '../../kits/views.ts'
import { preciseTime, span } from '../parts/format.ts'
import { Picture } from '../parts/picture.tsx'
import { StatePill } from '../parts/state-pill.tsx'
import { useFetched } from '../parts/use-fetched.ts'
import { control } from '../store/api.ts'
import { now } from '../store/clock.ts'
import { publishedName } from '../store/models.ts'
import { byId, bytesOfMedia, stateAt } from '../store/tasks.ts'
import { momentUnder } from './ghost.ts'
import { posterAddress } from './poster.tsx'

/** The row under the pointer or with the focus, where it is on the page, and the moment that is pointed at. */
interface Hover {
  id: string
  x: number
  y: number
  at: number | undefined
}

const hover = signal<Hover | undefined>(undefined)
let timer: ReturnType<typeof setTimeout> | undefined
const restMs = 350

function showLater(next: Hover): void {
  clearTimeout(timer)
  if (hover.peek()?.id === next.id) {
    hover.value = next
    return
  }
  hover.value = undefined
  timer = setTimeout(() => {
    hover.value = next
  }, restMs)
}

export function hideCard(): void {
  clearTimeout(timer)
  hover.value = undefined
}

/** Follows a mouse over the rows; touches open the task. */
export function followPointer(event: PointerEvent): void {
  const row = (event.target as Element).closest<HTMLElement>('.task-row')
  const id = row?.dataset.task
  if (event.pointerType === 'touch' || event.buttons !== 0 || id === undefined) {
    hideCard()
    return
  }
  const track = (event.target as Element).closest('.track')
  showLater({
    id,
    x: event.clientX,
    y: event.clientY,
    at: track ? momentUnder(track, event.clientX) : undefined,
  })
}

/** Follows the focus when the keyboard moved it. */
export function followFocus(event: FocusEvent): void {
  const row = event.target as HTMLElement
  const id = row.dataset.task
  if (id === undefined || !row.matches(':focus-visible')) return
  const { left, bottom } = row.getBoundingClientRect()
  showLater({ id, x: left + 16, y: bottom, at: undefined })
}

const cardPx = { width: 340, height: 330 }

/** Facts about the task under the pointer, and its result. */
export function HoverCard() {
  const place = hover.value
  const line = place && byId.value.get(place.id)
  if (!place || !line) return null
  const left = Math.max(8, Math.min(place.x + 14, innerWidth - cardPx.width - 8))
  const isLow = place.y + cardPx.height > innerHeight
  const vertical = isLow ? { bottom: `${innerHeight - place.y + 14}px` } : { top: `${place.y + 14}px` }
  return (
    <aside class="hover-card card" style={{ left: `${left}px`, ...vertical }} aria-hidden="true">
      <Preview key={line.id} line={line} />
      <div class="hover-facts">
        <strong class="hover-prompt" dir="auto">
          {line.prompt === '' ? 'no prompt' : line.prompt}
        </strong>
        <span class="small quiet">
          {[publishedName(line.model), line.model, line.kind, `account ${line.account}`]
            .filter((text, i, all) => text !== undefined && all.indexOf(text) === i)
            .join(' · ')}
        </span>
        {place.at !== undefined && <AtMoment line={line} at={place.at} />}
        <dl class="hover-states small">
          {line.states.map(({ at_ms, word, state }, i) => (
            <div key={`${at_ms}${word}`} class={`tone-${state}${at_ms > now.value ? ' quiet' : ''}`}>
              <dt>
                <span class="dot" />
                {word}
              </dt>
              <dd class="mono">
                {preciseTime(at_ms)}
                {i > 0 && ` +${span(at_ms - (line.states[i - 1]?.at_ms ?? at_ms))}`}
              </dd>
            </div>
          ))}
        </dl>
        {line.error && <span class="small tone-failed hover-error">{line.error.code}</span>}
      </div>
    </aside>
  )
}

function AtMoment({ line, at }: { line: TaskLine; at: number }) {
  const there = line.states[0] && at >= line.states[0].at_ms ? stateAt(line, at) : undefined
  return (
    <span class="row small">
      <span class="mono">{preciseTime(at)}</span>
      {there ? <StatePill state={there.state} word={there.word} /> : <span class="quiet">not yet made</span>}
    </span>
  )
}

const isStill = matchMedia('(prefers-reduced-motion: reduce)')

/** A video plays without sound, unless motion is reduced; a picture is shown as it is. */
function Preview({ line }: { line: TaskLine }) {
  const isDone = stateAt(line, now.value)?.state === 'succeeded'
  const { value } = useFetched(
    async () =>
      isDone ? await control<TaskView>('GET', `/tasks/${encodeURIComponent(line.id)}`) : undefined,
    [isDone],
  )
  const [file] = value?.media ?? []
  if (!isDone || !file || /^(?:mp3|wav)$/.test(file.ending)) return null
  const poster = posterAddress(line.id)
  if (!/^(?:mp4|mov)$/.test(file.ending) || isStill.matches)
    return <Picture key={poster} class="hover-picture" src={poster} alt="" />
  return (
    <video
      class="hover-picture"
      src={bytesOfMedia(line.id, file.name)}
      poster={poster}
      autoplay
      loop
      muted
      playsInline
    />
  )
}
