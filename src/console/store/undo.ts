import { counted } from '../parts/format.ts'
import { about, control, type Method } from './api.ts'
import { changes, readAll } from './live.ts'
import { attempt, notify, report } from './notices.ts'
import { entries } from './requests.ts'
import { tasks } from './tasks.ts'

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
    const newer = ofWorld ? newerWork() : () => ''
    const act = undo === undefined ? undefined : () => void bringBack(undo, newer)
    notify('done', words, { lifeMs: undoMs, ...(act && { action: { label: 'Undo', act } }) })
  })
}

/** What clients have done since now: `3 requests and 1 task`; empty when nothing. */
function newerWork(): () => string {
  const last = entries.peek()[0]?.id ?? 0
  const known = new Set(tasks.peek().map(({ id }) => id))
  return () =>
    [
      [entries.peek().filter(({ id }) => id > last).length, 'request'] as const,
      [tasks.peek().filter(({ id }) => !known.has(id)).length, 'task'] as const,
    ]
      .flatMap(([count, word]) => (count > 0 ? counted(count, word) : []))
      .join(' and ')
}

/** Undoes it. Where that discards newer work, it is named first, and a second click does it. */
async function bringBack(undo: string, newer: () => string): Promise<void> {
  const gone = newer()
  if (gone !== '')
    return notify('fault', `Undo also discards what came since: ${gone}`, {
      lifeMs: undoMs,
      action: { label: 'Undo all the same', act: () => void bringBack(undo, () => '') },
    })
  await report(async () => {
    await about('POST', `/undo/${undo}`)
    await readAll()
    notify('done', 'Undone')
  })
  changes.value++
}
