import { signal } from '@preact/signals'
import { makesTask } from '../../emulator/words.ts'
import type { ClockView, RequestView } from '../../kits/views.ts'
import { counted } from '../parts/format.ts'
import { spaced } from '../parts/pace.ts'
import { world } from './address.ts'
import { about, control, controlPath, isAbsence } from './api.ts'
import { readClock, setClock } from './clock.ts'
import { connection, difference, isStale, openings } from './connection.ts'
import { attempt, dismissNoAnswer, report } from './notices.ts'
import { entries, entryArrived, firstPage, readEntries } from './requests.ts'
import { byId, readTasks, tasks, taskTouched } from './tasks.ts'

/** Counts the changes of the world, for panels that read again after a change. */
export const changes = signal(0)

const retryMs = 1000

let source: EventSource | undefined
/** The run of the emulator that the page last read from. */
let instance: string | undefined
/** What the page showed when the connection broke. */
let before: Contents | undefined
/** Whether the present stream was open. A stream that ends is opened again once before the connection counts as lost. */
let hasOpened = false

/**
 * Listens while the tab is visible: browsers allow few connections to a host, and a tab in the background would hold one. After
 * a break everything is read again, since events may have been missed.
 */
export function goLive(): void {
  document.addEventListener('visibilitychange', follow)
  follow()
}

function follow(): void {
  if (document.hidden) {
    source?.close()
    source = undefined
    if (!isStale.value) connection.value = 'resting'
  } else source ??= listen()
}

/** Opens the world of the page, which is not open or was dropped. No banner compares its contents with those before: the user knows that it is empty. */
export async function openAgain(): Promise<void> {
  before = undefined
  await report(() => about('POST', '/worlds', { id: world }))
  follow()
}

/** The world was dropped. A key or another caller may open it again. */
function dropped(): void {
  source?.close()
  source = undefined
  connection.value = 'absent'
  setTimeout(follow, retryMs)
}

function broken(): void {
  source?.close()
  source = undefined
  before ??= { instance, tasks: tasks.value, requests: entries.value }
  if (hasOpened) {
    hasOpened = false
    follow()
    return
  }
  void control('GET', '/clock')
    .catch(error => {
      // A stream that was opened meanwhile knows better.
      if (!source) connection.value = isAbsence(error) ? 'absent' : 'lost'
    })
    .then(() => setTimeout(follow, retryMs))
}

function listen(): EventSource {
  const opened = new EventSource(controlPath('/events'))
  opened.onopen = () => {
    hasOpened = true
    openings.value++
    connection.value = 'live'
    dismissNoAnswer()
    void readAll().then(compare)
  }
  opened.onerror = broken
  let isFirst = true
  const on = <T>(kind: string, act: (data: T) => void) =>
    opened.addEventListener(kind, event => {
      act(JSON.parse((event as MessageEvent<string>).data))
      // A stream begins with the present clock, which is no change: all is read anyway when a stream is opened.
      if (!isFirst) changed()
      isFirst = false
    })
  on<RequestView>('request', entry => {
    entryArrived(entry)
    const ids = entry.task_ids ?? (entry.task_id === undefined ? [] : [entry.task_id])
    if (makesTask(entry.operation) || /\.(delete|cancel)$/.test(entry.operation)) ids.forEach(taskTouched)
  })
  on<{ task_id: string }>('made', ({ task_id }) => taskTouched(task_id))
  on<ClockView>('clock', setClock)
  on<{ task_id: string; at_ms: number }>('transition', ({ task_id, at_ms }) => {
    // Planned changes are known already; only a change by a caller needs a reading.
    const isKnown = byId.value.get(task_id)?.states.some(state => state.at_ms === at_ms)
    if (!isKnown) taskTouched(task_id)
  })
  for (const kind of ['reset', 'restored']) on(kind, () => void readAll())
  opened.addEventListener('dropped', dropped)
  return opened
}

/** Reads everything again that the page shows. */
export async function readAll(): Promise<boolean> {
  const isRead = await attempt(async () => {
    const [health] = await Promise.all([
      about<{ instance: string }>('GET', '/health'),
      readClock(),
      readTasks(),
      readEntries(),
    ])
    if (before === undefined && instance !== undefined && instance !== health.instance)
      before = { instance, tasks: [], requests: [] }
    instance = health.instance
  })
  changes.value++
  return isRead
}

/** Compares the contents with those before the break, for the banner. */
function compare(isRead: boolean): void {
  if (!before || !isRead) return
  difference.value = differenceOf(before, { instance, tasks: tasks.value, requests: entries.value })
  before = undefined
}

const changed = spaced(1000, () => changes.value++)

/** What identifies a run of the emulator and the contents of a world. */
export interface Contents {
  /** The id of the run of the emulator; undefined until it is read. */
  instance: string | undefined
  tasks: readonly { id: string }[]
  requests: readonly { id: number; request_id: string }[]
}

/** What is different after a break, in a sentence; undefined when everything that the page showed still exists. */
function differenceOf(before: Contents, after: Contents): string | undefined {
  const isRestarted = before.instance !== undefined && before.instance !== after.instance
  const tasks = missing(before.tasks, after.tasks, ({ id }) => id)
  // Of a longer journal only the newest were read again: older ones are not gone.
  const readTo = after.requests.length < firstPage ? 0 : (after.requests.at(-1)?.id ?? 0)
  const comparable = before.requests.filter(({ id }) => id >= readTo)
  const requests = missing(comparable, after.requests, ({ request_id }) => request_id)
  if (!isRestarted && tasks === 0 && requests === 0) return undefined
  const gone = [
    ...(tasks > 0 ? [counted(tasks, 'task')] : []),
    ...(requests > 0 ? [counted(requests, 'request')] : []),
  ]
  const start = isRestarted ? 'The emulator was started again' : 'This world has other contents than before'
  if (gone.length === 0) return `${start}. All that was shown here is still there.`
  const are = tasks + requests === 1 ? 'is' : 'are'
  return `${start}: ${gone.join(' and ')} that ${tasks + requests === 1 ? 'was' : 'were'} shown here ${are} gone.`
}

function missing<T>(before: readonly T[], after: readonly T[], keyOf: (item: T) => string): number {
  const there = new Set(after.map(keyOf))
  return before.filter(item => !there.has(keyOf(item))).length
}
