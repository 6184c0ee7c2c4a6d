import { type FileHandle, open } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { onTestFinished, vi } from 'vitest'

/** Lets a test decide which writes the disk accepts. A refused write leaves half of its bytes behind, as on a full disk. */
export type Disk = {
  /** How often a file's data has been forced to the disk. */
  syncs: () => number
  refuse: (what: 'nothing' | 'writes' | 'writes and cuts') => void
}

export async function controlledDisk(): Promise<Disk> {
  const handle = await open(fileURLToPath(import.meta.url))
  const prototype: FileHandle = Object.getPrototypeOf(handle)
  await handle.close()
  const { write, truncate } = prototype
  let refused: Parameters<Disk['refuse']>[0] = 'nothing'
  const full = () => Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' })
  const syncs = vi.spyOn(prototype, 'datasync')
  const spies = [
    syncs,
    vi.spyOn(prototype, 'write').mockImplementation(async function (this: FileHandle, ...args: unknown[]) {
      if (refused === 'nothing') return Reflect.apply(write, this, args)
      const [buffer, offset, length, position] = args
      await Reflect.apply(write, this, [buffer, offset, Math.floor(Number(length) / 2), position])
      throw full()
    }),
    vi.spyOn(prototype, 'truncate').mockImplementation(async function (this: FileHandle, ...args: unknown[]) {
      if (refused === 'writes and cuts') throw full()
      return Reflect.apply(truncate, this, args)
    }),
  ]
  onTestFinished(() => {
    for (const spy of spies) spy.mockRestore()
  })
  return {
    syncs: () => syncs.mock.calls.length,
    refuse(what) {
      refused = what
    },
  }
}
