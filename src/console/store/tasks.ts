import { computed, signal } from '@preact/signals'
import type { List, TaskLine } from '../../kits/views.ts'
import { gathered } from '../parts/pace.ts'
import { control, controlPath } from './api.ts'
import { report } from './notices.ts'

export type StateChange = TaskLine['states'][number]

/** Every task of the world, newest first. */
export const tasks = signal<readonly TaskLine[]>([])
/** False until the first page of them has come. */
export const areTasksRead = signal(false)

export const byId = computed(() => new Map(tasks.value.map(task => [task.id, task])))

const pageSize = 1000
let reading = 0
/** The newest reading of the whole list. Tasks that change during it are read after it, because its pages may be older. */
let whole: Promise<unknown> = Promise.resolve()

/** Reads all tasks again, page by page; the old ones are shown until the whole list has come. */
export function readTasks(): Promise<void> {
  const done = readPages(++reading)
  whole = done.catch(() => undefined)
  return done
}

async function readPages(mine: number): Promise<void> {
  const found: TaskLine[] = []
  let cursor: string | undefined
  do {
    const page = await readPage(pageSize, cursor).catch(error => {
      // A newer reading has begun.
      if (mine === reading) throw error
    })
    if (!page || mine !== reading) return
    found.push(...page.items)
    cursor = page.next_cursor
    if (found.length <= pageSize || cursor === undefined) tasks.value = [...found]
    areTasksRead.value = true
  } while (cursor !== undefined)
}

async function readPage(limit: number, cursor: string | undefined): Promise<List<TaskLine>> {
  const from = cursor === undefined ? '' : `&cursor=${encodeURIComponent(cursor)}`
  return await control('GET', `/tasks?detail=line&limit=${limit}${from}`)
}

const gatherMs = 120

let touched: Promise<unknown> = Promise.resolve()

/**
 * Reads a task again that is new or was changed by a request. Tasks that are touched at the same time are read together; later ones
 * after them, because a late reply would put older states over newer ones.
 */
export const taskTouched = gathered<string>(gatherMs, ids => {
  touched = touched.then(() =>
    report(async () => {
      await whole
      await readTouched(new Set(ids))
    }),
  )
})

/** Most touched tasks are new, so they are at the head of the list. Many older ones make the whole list be read again. */
async function readTouched(ids: ReadonlySet<string>): Promise<void> {
  const known = byId.value
  const before = reading
  const fresh = [...ids].filter(id => !known.has(id)).length
  const head = (await readPage(Math.min(pageSize, Math.max(50, fresh * 2)), undefined)).items
  const heads = new Map(head.map(task => [task.id, task]))
  const older = [...ids].filter(id => !heads.has(id))
  if (older.length > 20) return await readTasks()
  const again = await Promise.all(older.map(readLine))
  // A newer reading of the whole list has begun.
  if (before !== reading) return
  const changed = new Map(again.filter(task => task !== undefined).map(task => [task.id, task]))
  const tail = tasks.value.filter(({ id }) => !heads.has(id)).map(task => changed.get(task.id) ?? task)
  tasks.value = [...head, ...tail]
}

/** Reads one older task as a line. Only lists have lines, so the list is read from the task before it. */
async function readLine(id: string): Promise<TaskLine | undefined> {
  const list = tasks.value
  const before = list[list.findIndex(task => task.id === id) - 1]
  const page = await readPage(1, before?.id)
  return page.items.find(task => task.id === id)
}

/** The state of a task at a moment, also in the future: its changes are planned. */
export function stateAt({ states }: Pick<TaskLine, 'states'>, now: number): StateChange | undefined {
  let current = states[0]
  for (const change of states) if (change.at_ms <= now) current = change
  return current
}

/** The address of a task's file in the control API, as it was made or as clients get it. A read from there does not count as a download. */
export function bytesOfMedia(id: string, name: string, as: 'made' | 'client' = 'made'): string {
  const query = as === 'made' ? '' : `?as=${as}`
  return `${controlPath(`/tasks/${encodeURIComponent(id)}/media/${encodeURIComponent(name)}`)}${query}`
}
