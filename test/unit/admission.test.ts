import { expect, it } from 'vitest'
import { failureOf } from '../../src/emulator/families/a-contents/present.ts'
import { noEffects } from '../../src/emulator/scenarios/scenario.ts'
import { assembleInMemory } from '../../src/emulator/server/emulator.ts'
import { type Admission, admit, type Draft } from '../../src/emulator/tasks/admission.ts'

const { services } = assembleInMemory({ clock: { mode: 'manual', rate: 1 }, now: 0 })
const world = services.worlds.open('default')
const admission: Admission = {
  world,
  account: services.worlds.account(world, 'default'),
  now: 0,
  requestId: 'r',
  body: {},
  effects: noEffects,
  trace: {},
}

/** A draft whose ids are so short that they must collide. */
const draft: Draft = {
  family: 'a',
  kind: 'a',
  model: 'model_a_20',
  job: {},
  queuedMs: [1000, 3000],
  runningMs: [8000, 20_000],
  charge: { reserved: 0, settled: 0 },
  failure: failureOf,
  id: random => random.text('abcd', 2),
}

it('gives every task an id of its own, also when few ids are possible (bug: two tasks of one second could share an id)', () => {
  const ids = Array.from({ length: 16 }, () => admit(admission, () => draft).id)
  expect(new Set(ids).size).toBe(16)
  expect(world.state.tasks.size).toBe(16)
})
