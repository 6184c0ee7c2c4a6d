import { expect, it } from 'vitest'
import { lastRequestsOf } from '../../src/kits/testing/kit-emulator.ts'
import { callsOf } from '../support/explored-calls.ts'
import { startForTest } from '../support/start-for-test.ts'

const emulator = await startForTest({})

it('a failed test names the world that got the requests of a client with a wrong key', async () => {
  const world = await emulator.openWorld()
  for (let i = 0; i < 3; i++) await callsOf(emulator.world).list()
  expect(await lastRequestsOf(world, emulator.world)).toBe(
    `no request reached this world (${world.id}); 3 reached default\nGET /api/v3/contents/generations/tasks (a.list) -> 200 (3 times)`,
  )
  await callsOf(world).list()
  expect(await lastRequestsOf(world, emulator.world)).toContain(
    `Last requests of world ${world.id}:\nGET /api/v3`,
  )
})
