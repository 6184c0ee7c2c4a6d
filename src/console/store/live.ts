import { signal } from '@preact/signals'
import { controlPath } from './api.ts'
import { readClock, setClock } from './clock.ts'
import { report } from './notices.ts'
import { entryArrived, readEntries } from './requests.ts'
import type { ClockView, Entry } from './shapes.ts'
import { byId, readTasks, taskTouched } from './tasks.ts'

/** Whether the page hears of what happens. */
export const isLive = signal(false)

/** Counts every change of the world, for panels that read anew when something happened. */
export const changes = signal(0)

const operationsThatMake = /\.(create|enhance|regenerate|generate|delete|cancel)$/

let source: EventSource | undefined

/**
 * Listens while somebody looks: browsers grant a page's host few connections, and a tab in the background would hold one. After
 * a break everything is read anew, since nobody knows what was missed.
 */
export function goLive(): void {
  const follow = () => {
    if (document.hidden) {
      source?.close()
      source = undefined
      isLive.value = false
    } else source ??= listen()
  }
  document.addEventListener('visibilitychange', follow)
  follow()
}

function listen(): EventSource {
  const source = new EventSource(controlPath('/events'))
  source.onopen = () => {
    isLive.value = true
    void readAll()
  }
  source.onerror = () => {
    isLive.value = false
  }
  const on = <T>(kind: string, act: (data: T) => void) =>
    source.addEventListener(kind, event => {
      act(JSON.parse((event as MessageEvent<string>).data))
      changed()
    })
  on<Entry>('request', entry => {
    entryArrived(entry)
    const ids = entry.task_ids ?? (entry.task_id === undefined ? [] : [entry.task_id])
    if (operationsThatMake.test(entry.operation)) for (const id of ids) taskTouched(id)
  })
  on<ClockView>('clock', setClock)
  on<{ task_id: string; at_ms: number }>('transition', ({ task_id, at_ms }) => {
    // What time brings was known beforehand; only what somebody did is news.
    const isKnown = byId.value.get(task_id)?.states.some(state => state.at_ms === at_ms)
    if (!isKnown) taskTouched(task_id)
  })
  for (const kind of ['reset', 'restored', 'dropped']) on(kind, () => void readAll())
  return source
}

async function readAll(): Promise<void> {
  await report(() => Promise.all([readClock(), readTasks(), readEntries()]))
}

const restMs = 1000
let state: 'quiet' | 'resting' | 'waiting' = 'quiet'

/** The first event of a burst is told at once, the rest of it once a second. */
function changed(): void {
  if (state !== 'quiet') {
    state = 'waiting'
    return
  }
  changes.value++
  state = 'resting'
  setTimeout(() => {
    const isMore = state === 'waiting'
    state = 'quiet'
    if (isMore) changed()
  }, restMs)
}
