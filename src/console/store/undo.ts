import { about, control, type Method } from './api.ts'
import { changes, readAll } from './live.ts'
import { attempt, notify, report } from './notices.ts'

/** Something to delete, reset or replace. */
interface Undoable {
  method?: Method
  /** Of the control API, for this world. */
  path: string
  words: string
  /** True for a path that does not belong to a world. */
  isGlobal?: true
}

const undoMs = 10_000

/** Does it at once and offers an undo for ten seconds. False when it was refused. */
export async function doWithUndo({ method = 'DELETE', path, words, isGlobal }: Undoable): Promise<boolean> {
  const ask = isGlobal ? about : control
  return await attempt(async () => {
    const { undo } = await ask<{ undo?: string }>(method, `${path}?undo=true`)
    await readAll()
    const act = undo === undefined ? undefined : () => void bringBack(undo)
    notify('done', words, { lifeMs: undoMs, ...(act && { action: { label: 'Undo', act } }) })
  })
}

async function bringBack(undo: string): Promise<void> {
  await report(async () => {
    await about('POST', `/undo/${undo}`)
    await readAll()
    notify('done', 'Undone')
  })
  changes.value++
}
