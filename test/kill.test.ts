import { expect, it } from 'vitest'
import { type EmulatorProcess, startProcess } from './support/emulator-process.ts'
import { tasksPath, textBody } from './support/family-a.ts'
import { ownFolder } from './support/folders.ts'

interface Creates {
  acknowledged: string[]
  /** Resolves when that many were acknowledged that were asked for. */
  enough: Promise<void>
  over: Promise<unknown>
}

/** Creates as fast as it can on several connections until the emulator is gone; gives the ids that were acknowledged. */
function createForever(emulator: EmulatorProcess, count: number): Creates {
  const acknowledged: string[] = []
  let tell = () => {}
  const enough = new Promise<void>(resolve => {
    tell = resolve
  })
  const loop = async () => {
    for (;;) {
      const reply = await emulator.call('POST', tasksPath, textBody()).catch(() => undefined)
      if (!reply) return
      if (reply.status === 200) acknowledged.push(reply.body.id)
      if (acknowledged.length >= count) tell()
    }
  }
  return { acknowledged, enough, over: Promise.all(Array.from({ length: 8 }, loop)) }
}

it('kill -9 during creates loses none that was acknowledged, three times in a row', async () => {
  const dir = ownFolder()
  const known: string[] = []
  for (let round = 0; round < 3; round++) {
    const emulator = await startProcess(['--data', dir, '--clock', 'manual'])
    const { acknowledged, enough, over } = createForever(emulator, 150)
    await Promise.race([enough, over])
    await emulator.end('SIGKILL')
    await over
    known.push(...acknowledged)
  }
  const last = await startProcess(['--data', dir, '--clock', 'manual'])
  expect(known.length).toBeGreaterThanOrEqual(450)
  expect(new Set(known).size).toBe(known.length)
  const missing: string[] = []
  for (const id of known) if ((await last.call('GET', `${tasksPath}/${id}`)).status !== 200) missing.push(id)
  expect(missing).toEqual([])
  // No task is incomplete: each stored task has exactly one reservation.
  const { items } = (await last.call('GET', '/__emulator/ledger')).body
  const reserved = items.map(({ task_id }: { task_id: string }) => task_id)
  expect(new Set(reserved).size).toBe(reserved.length)
  expect(reserved.length).toBeGreaterThanOrEqual(known.length)
  expect((await last.call('POST', tasksPath, textBody())).status).toBe(200)
})
