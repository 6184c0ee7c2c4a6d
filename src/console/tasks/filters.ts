import { computed, effect, signal } from '@preact/signals'
import { hasWords, wordsOf } from '../parts/search.ts'
import { control } from '../store/api.ts'
import { isPlaying, now } from '../store/clock.ts'
import { report } from '../store/notices.ts'
import type { Listed, State, TaskLine } from '../store/shapes.ts'
import { stateAt, tasks } from '../store/tasks.ts'

/** The filters of the list of tasks; empty = all tasks. */
export const search = signal('')
export const family = signal('')
export const account = signal('')
export const state = signal<State | ''>('')

/** The moment at which states are counted. While the clock runs it changes once a second, since counting ten thousand tasks takes time. */
const moment = computed(() => (isPlaying.value ? Math.floor(now.value / 1000) * 1000 : now.value))

function stateOf(task: TaskLine, at: number): State {
  return stateAt(task, at)?.state ?? 'queued'
}

function matches(task: TaskLine, words: readonly string[]): boolean {
  if (family.value !== '' && task.family !== family.value) return false
  if (account.value !== '' && task.account !== account.value) return false
  if (words.length === 0) return true
  const text = `${task.id} ${task.model} ${task.prompt} ${task.kind} ${task.label ?? ''}`
  return hasWords(text, words) || foundByEmulator.value.has(task.id)
}

/** Lines have only the beginning of a prompt, so the emulator searches the whole prompts. The ids that it found for the present search. */
const foundByEmulator = signal<ReadonlySet<string>>(new Set())
const mostFound = 1000
const quietMs = 200

effect(() => {
  const wanted = search.value.trim()
  foundByEmulator.value = new Set()
  if (wanted === '' || tasks.value.length === 0) return
  const timer = setTimeout(() => void report(() => askFor(wanted)), quietMs)
  return () => clearTimeout(timer)
})

async function askFor(wanted: string): Promise<void> {
  const path = `/tasks?detail=line&limit=${mostFound}&search=${encodeURIComponent(wanted)}`
  const { items } = await control<Listed<TaskLine>>('GET', path)
  if (search.value.trim() === wanted) foundByEmulator.value = new Set(items.map(({ id }) => id))
}

const matching = computed(() => {
  const words = wordsOf(search.value)
  const { value } = tasks
  return words.length === 0 && family.value === '' && account.value === ''
    ? value
    : value.filter(task => matches(task, words))
})

/** How many of the tasks that match the other filters are in each state. */
export const counts = computed(() => {
  const found: Partial<Record<State, number>> = {}
  for (const task of matching.value) {
    const is = stateOf(task, moment.value)
    found[is] = (found[is] ?? 0) + 1
  }
  return found
})

/** The tasks to show, newest first. */
export const shown = computed(() =>
  state.value === ''
    ? matching.value
    : matching.value.filter(task => stateOf(task, moment.value) === state.value),
)

export const families = computed(() => [...new Set(tasks.value.map(task => task.family))].sort())
export const owners = computed(() => [...new Set(tasks.value.map(task => task.account))].sort())

export const isNarrowed = computed(
  () => search.value !== '' || family.value !== '' || account.value !== '' || state.value !== '',
)

export function showAll(): void {
  search.value = ''
  family.value = ''
  account.value = ''
  state.value = ''
}
