import { computed, effect, type ReadonlySignal, signal } from '@preact/signals'
import type { Status } from '../../emulator/words.ts'
import type { List, RequestView, TaskLine } from '../../kits/views.ts'
import { hasWords, wordsOf } from '../parts/lists.ts'
import { states } from '../parts/state-pill.tsx'
import { address, narrowTo, to } from '../store/address.ts'
import { control } from '../store/api.ts'
import { isPlaying, now } from '../store/clock.ts'
import { report } from '../store/notices.ts'
import { refusedCreates } from '../store/requests.ts'
import { stateAt, tasks } from '../store/tasks.ts'

/** The filters of the list of tasks; empty = all tasks. They are in the address, so that a link keeps them and they survive a reload. */
interface Filters {
  search: string
  family: string
  account: string
  state: Status | ''
}

/** The filters that were last seen on the list: they stay while a task is open. */
let last: Filters = { search: '', family: '', account: '', state: '' }

export const filters = computed<Filters>(() => {
  const { page, item, query } = address.value
  if (page !== 'tasks' || item !== undefined) return last
  const state = query.get('state') ?? ''
  const read: Filters = {
    search: query.get('q') ?? '',
    family: query.get('family') ?? '',
    account: query.get('account') ?? '',
    state: states.find(one => one === state) ?? '',
  }
  if (JSON.stringify(read) !== JSON.stringify(last)) last = read
  return last
})

export function narrow(change: Partial<Filters>): void {
  narrowTo(queryOf({ ...filters.peek(), ...change }))
}

/** The filters as a query for the address; empty ones are left out. */
function queryOf({ search, ...rest }: Filters): Record<string, string> {
  return Object.fromEntries(Object.entries({ q: search, ...rest }).filter(([, value]) => value !== ''))
}

/** The address of the list with its present filters. */
export function toTasks(): string {
  return to('tasks', undefined, queryOf(filters.value))
}

/** The moment at which states are counted. While the clock runs it changes once a second, since counting ten thousand tasks takes time. */
export const moment = computed(() => (isPlaying.value ? Math.floor(now.value / 1000) * 1000 : now.value))

function stateOf(task: TaskLine, at: number): Status {
  return stateAt(task, at)?.state ?? 'queued'
}

function matches(task: TaskLine, words: readonly string[]): boolean {
  const { family, account } = filters.value
  if (family !== '' && task.family !== family) return false
  if (account !== '' && task.account !== account) return false
  if (words.length === 0) return true
  const text = `${task.id} ${task.model} ${task.prompt} ${task.kind} ${task.label ?? ''}`
  return hasWords(text, words) || foundByEmulator.value.has(task.id)
}

const mostFound = 1000
const wantedSearch = computed(() => filters.value.search.trim())

/** Lines have only the beginning of a prompt, so the emulator searches the whole prompts. The ids that it found for the present search. */
const foundByEmulator = searched<string, ReadonlySet<string>>(
  () => (tasks.value.length === 0 ? undefined : wantedSearch.value || undefined),
  async search => {
    const path = `/tasks?detail=line&limit=${mostFound}&search=${encodeURIComponent(search)}`
    const { items } = await control<List<TaskLine>>('GET', path)
    return new Set(items.map(({ id }) => id))
  },
  new Set(),
)

/** The ids of refused requests that the emulator found for the present search: it knows all names of a model. */
const refusedFound = searched<string, ReadonlySet<number>>(
  () => (refusedCreates.value.length === 0 ? undefined : wantedSearch.value || undefined),
  async search => {
    const path = `/requests?kind=refused&search=${encodeURIComponent(search)}`
    return new Set((await control<List<RequestView>>('GET', path)).items.map(({ id }) => id))
  },
  new Set(),
)

/** The refused creates that match the filters, newest first: they made no task, and have no state. */
export const refused = computed(() => {
  const { family, account } = filters.value
  return refusedCreates.value.filter(
    ({ id, operation, account: by }) =>
      (family === '' || operation.startsWith(`${family}.`)) &&
      (account === '' || by === account) &&
      (wantedSearch.value === '' || refusedFound.value.has(id)),
  )
})

const matching = computed(() => {
  const { search, family, account } = filters.value
  const words = wordsOf(search)
  const { value } = tasks
  return words.length === 0 && family === '' && account === ''
    ? value
    : value.filter(task => matches(task, words))
})

/** How many of the tasks that match the other filters are in each state. */
export const counts = computed(() => {
  const found: Partial<Record<Status, number>> = {}
  for (const task of matching.value) {
    const is = stateOf(task, moment.value)
    found[is] = (found[is] ?? 0) + 1
  }
  return found
})

/** The tasks to show, newest first. */
export const shown = computed(() => {
  const { state } = filters.value
  return state === '' ? matching.value : matching.value.filter(task => stateOf(task, moment.value) === state)
})

export const families = computed(() => [...new Set(tasks.value.map(task => task.family))].sort())
export const owners = computed(() => [...new Set(tasks.value.map(task => task.account))].sort())

export const isNarrowed = computed(() => Object.values(filters.value).some(value => value !== ''))

export function showAll(): void {
  narrow({ search: '', family: '', account: '', state: '' })
}

const quietMs = 200

/** What the emulator finds for the present query, asked when the query rests: the page has not everything that can be searched. */
function searched<Q, F>(
  /** Reads signals; undefined when nothing is searched. */
  wanted: () => Q | undefined,
  ask: (query: Q) => Promise<F>,
  nothing: F,
): ReadonlySignal<F> {
  const found = signal(nothing)
  effect(() => {
    const query = wanted()
    found.value = nothing
    if (query === undefined) return
    let isWanted = true
    const search = async () => {
      const answer = await ask(query)
      if (isWanted) found.value = answer
    }
    const timer = setTimeout(() => void report(search), quietMs)
    return () => {
      isWanted = false
      clearTimeout(timer)
    }
  })
  return found
}
