import { about, control, type Method } from './api.ts'
import { changes, readAll } from './live.ts'
import { notify, report } from './notices.ts'

/** Something to take away, and how to say that it is gone. */
interface Removal {
  method?: Method
  /** Of the control API, for this world. */
  path: string
  /** What was done, in a sentence. */
  words: string
  /** True for a path that is about no world in particular. */
  isGlobal?: true
}

const undoMs = 10_000

/** Takes something away in one click and offers to bring it back for ten seconds. False when it was refused. */
export async function takeAway({ method = 'DELETE', path, words, isGlobal }: Removal): Promise<boolean> {
  const ask = isGlobal ? about : control
  const done = await report(async () => {
    const { undo } = await ask<{ undo?: string }>(method, `${path}?undo=true`)
    await readAll()
    const act = undo === undefined ? undefined : () => void bringBack(undo)
    notify('done', words, { lifeMs: undoMs, ...(act && { action: { label: 'Undo', act } }) })
    return true
  })
  return done ?? false
}

async function bringBack(undo: string): Promise<void> {
  await report(async () => {
    await about('POST', `/undo/${undo}`)
    await readAll()
    notify('done', 'It is back as it was')
  })
  changes.value++
}
