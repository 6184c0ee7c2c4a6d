import type { List, RequestView, TaskLine } from '../../kits/views.ts'
import { counted } from '../parts/format.ts'
import { about, control, type Method } from './api.ts'
import { changes, readAll } from './live.ts'
import { attempt, dismissOffers, notify, report } from './notices.ts'

/** Something to delete, reset or replace. */
interface Undoable {
  method?: Method
  /** Of the control API, for this world. */
  path: string
  words: string
  /** True for a path that does not belong to a world. */
  isGlobal?: true
  /** True when its undo puts the whole world back, with what clients do meanwhile. */
  ofWorld?: true
}

const undoMs = 10_000
/** The most requests, and tasks, that are counted. */
const most = 500

/** Does it at once and offers an undo for ten seconds. False when it was refused. */
export async function doWithUndo({
  method = 'DELETE',
  path,
  words,
  isGlobal,
  ofWorld,
}: Undoable): Promise<boolean> {
  const ask = isGlobal ? about : control
  return await attempt(async () => {
    const { undo } = await ask<{ undo?: string }>(method, `${path}?undo=true`)
    await readAll()
    if (ofWorld) dismissOffers()
    const newer = ofWorld ? await newerWork() : undefined
    const act = undo === undefined ? undefined : () => void bringBack(undo, newer)
    notify('done', words, { lifeMs: undoMs, ...(act && { action: { label: 'Undo', act } }) })
  })
}

/** What clients have done since now: `3 requests and 1 task`; empty when nothing. */
async function newerWork(): Promise<() => Promise<string>> {
  const before = await workNow()
  return async () => {
    const now = await workNow()
    const newIn = (list: 'requests' | 'tasks', word: string) => {
      const count = now[list].filter(id => !before[list].includes(id)).length
      if (count === 0) return []
      return [count === most ? `${most} ${word}s or more` : counted(count, word)]
    }
    return [...newIn('requests', 'request'), ...newIn('tasks', 'task')].join(' and ')
  }
}

/** What the world holds, as the server tells it: what the page has heard may be older, and a world that was reset gives the same ids again. */
async function workNow() {
  const [requests, tasks] = await Promise.all([
    control<List<RequestView>>('GET', `/requests?limit=${most}`),
    control<List<TaskLine>>('GET', `/tasks?detail=line&limit=${most}`),
  ])
  return { requests: requests.items.map(({ id }) => `${id}`), tasks: tasks.items.map(({ id }) => id) }
}

/** Undoes it. Where that discards newer work, it is named first, and a second click does it. */
async function bringBack(undo: string, newer?: () => Promise<string>): Promise<void> {
  await report(async () => {
    const gone = await newer?.()
    if (gone)
      return notify('fault', `Undo also discards what came since: ${gone}`, {
        lifeMs: undoMs,
        action: { label: 'Undo all the same', act: () => void bringBack(undo) },
      })
    await about('POST', `/undo/${undo}`)
    await readAll()
    notify('done', 'Undone')
  })
  changes.value++
}
