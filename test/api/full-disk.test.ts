import { expect, it, onTestFinished } from 'vitest'
import { openData } from '../support/data-gateway.ts'
import { tasksPath, textBody } from '../support/family-a.ts'
import { ownFolder } from '../support/folders.ts'
import { controlledDisk } from '../support/full-disk.ts'

it('a create that is refused with 500 on a full disk leaves no task, no charge and no used slot', async () => {
  const dir = ownFolder()
  const disk = await controlledDisk()
  const first = await openData(dir)
  const key = 'sk-emulator.throttled'
  const create = () => first.send('POST', tasksPath, textBody(), key)
  const itemsOf = async (path: string) =>
    ((await first.send('GET', `/__emulator${path}`)).body as unknown as { items: unknown[] }).items
  await create()
  const [slots, ledger] = [await itemsOf('/accounts'), await itemsOf('/ledger')]
  disk.refuse('writes')
  for (let i = 0; i < 5; i++) await expect(create()).rejects.toThrow(/500 .*could not be written/)
  expect(await itemsOf('/tasks')).toHaveLength(1)
  expect(await itemsOf('/ledger')).toEqual(ledger)
  expect(await itemsOf('/accounts')).toEqual(slots)
  disk.refuse('nothing')
  // Three requests a minute start at once; without their slots given back, these would be refused.
  for (let i = 0; i < 2; i++) await create()
  const list = (await first.send('GET', tasksPath, undefined, key)).body as unknown as { total: number }
  expect(list.total).toBe(3)
  await first.close()
  const second = await openData(dir)
  onTestFinished(() => second.close())
  const again = (await second.send('GET', tasksPath, undefined, key)).body as unknown as { total: number }
  expect(again.total).toBe(3)
})
