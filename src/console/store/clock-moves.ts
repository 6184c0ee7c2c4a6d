import type { ClockEvent, Duration, TaskLine } from '../../kits/views.ts'
import { counted, span, timeOfDay } from '../parts/format.ts'
import { advance, changeClock, isPlaying, now } from './clock.ts'
import { type NoticeOptions, notify } from './notices.ts'
import { byId, stateAt, tasks } from './tasks.ts'

/** The steps that the clock can be moved by at once, in ms. */
export const steps: readonly { ms: number; label: string }[] = [
  { ms: 10_000, label: '+10 s' },
  { ms: 60_000, label: '+1 m' },
  { ms: 600_000, label: '+10 m' },
  { ms: 3_600_000, label: '+1 h' },
]

export async function playOrPause(): Promise<void> {
  await changeClock({ mode: isPlaying.value ? 'manual' : 'realtime' })
}

/** To the next change of any task. */
export async function step(): Promise<void> {
  const changes = await advance({ until: 'next' })
  const [first] = changes ?? []
  if (!changes) return
  if (!first) tellNothing()
  else if (changes.length > 1)
    notify('done', `${counted(changes.length, 'change')}: from ${first.from} to ${first.to} and more`)
}

/** By a length of virtual time; a number counts ms. */
export async function moveBy(by: Duration): Promise<void> {
  const whole = typeof by === 'number' ? Math.ceil(by) : by
  tell(`Advanced by ${typeof by === 'number' ? span(by) : by}`, await advance({ by: whole }))
}

/** To a moment, epoch ms. */
export async function moveTo(at: number): Promise<void> {
  tell(`Moved to ${timeOfDay(at)}`, await advance({ to: Math.ceil(at) }))
}

/** Until no task is going to change any more. */
export async function untilIdle(): Promise<void> {
  const changes = await advance({ until: 'idle' })
  if (changes?.length === 0) tellNothing()
  else tell('Every task has finished', changes, { isTrue: isIdle })
}

/** Until the last planned change of a task. */
export async function untilEnd(line: TaskLine): Promise<void> {
  const end = line.states.at(-1)
  if (!end || end.at_ms <= now.value) return
  const changes = await advance({ to: Math.ceil(end.at_ms) })
  const { word } = stateAt(line, end.at_ms) ?? end
  tell(`The task is ${word}`, changes, { isTrue: () => isNow(line.id, word) })
}

/** Whether a task is in a state, in its family's word. */
export function isNow(id: string, word: string): boolean {
  const line = byId.value.get(id)
  return line !== undefined && stateAt(line, now.value)?.word === word
}

function isIdle(): boolean {
  return tasks.value.every(({ states }) => (states.at(-1)?.at_ms ?? 0) <= now.value)
}

/** Links end without a state that changes, so only a click on the notice goes there. */
function tellNothing(): void {
  const ends = tasks.value.flatMap(({ links_end_ms: end }) =>
    end !== undefined && end > now.value ? end : [],
  )
  const next = Math.min(...ends)
  notify('done', 'No task is waiting or running.', {
    isTrue: () => isIdle() && (ends.length === 0 || now.value < next),
    ...(ends.length > 0 && {
      action: {
        label: `To the next end of links, in ${span(next - now.value)}`,
        act: () => void moveTo(next),
      },
    }),
  })
}

function tell(what: string, changes: readonly ClockEvent[] | undefined, options?: NoticeOptions): void {
  if (changes) notify('done', `${what}: ${counted(changes.length, 'change')}`, options)
}
