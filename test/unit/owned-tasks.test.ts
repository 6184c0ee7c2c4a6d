import fc from 'fast-check'
import { expect, it } from 'vitest'
import { OwnedTasks } from '../../src/emulator/worlds/owned-tasks.ts'
import type { Fact, Task } from '../../src/emulator/worlds/task.ts'
import { taskWith } from '../support/bare-task.ts'

const made = (id: string, createdAt: number, more: Partial<Task> = {}): Task => ({
  ...taskWith({}),
  id,
  createdAt,
  ...more,
})
const deleted: Fact = { kind: 'deleted', at: 0 }
const cancelled: Fact = { kind: 'cancelled', at: 0 }

it('a page is equal to filtering and counting all tasks, for every query, after any changes and removals', () => {
  const moments = fc.array(fc.integer({ min: 0, max: 20 }), { maxLength: 40 })
  const changes = fc.array(fc.tuple(fc.nat(39), fc.constantFrom(deleted, cancelled)), { maxLength: 30 })
  const asked = fc.record({
    since: fc.integer({ min: 0, max: 22 }),
    skip: fc.nat(30),
    count: fc.integer({ min: 1, max: 10 }),
    isFiltered: fc.boolean(),
  })
  fc.assert(
    fc.property(moments, changes, asked, (createdAt, facts, { since, skip, count, isFiltered }) => {
      const owned = new OwnedTasks()
      // Also in another order than that of creation: an imported state may have any order.
      const tasks = createdAt.map((at, index) => made(`t${index}`, at))
      for (const task of tasks) owned.add(task)
      for (const [index, fact] of facts) {
        const before = tasks[index]
        if (!before) continue
        const after = { ...before, facts: [...before.facts, fact] }
        owned.replace(before, after)
        tasks[index] = after
      }
      const isEven = (task: Task) => Number(task.id.slice(1)) % 2 === 0
      const wanted = tasks
        .filter(task => task.createdAt >= since && !task.facts.includes(deleted))
        .filter(task => !isFiltered || isEven(task))
        .reverse()
        .sort((a, b) => b.createdAt - a.createdAt)
      const page = owned.page({ since, skip, count, fits: isFiltered ? isEven : undefined })
      expect(page.total).toBe(wanted.length)
      expect(page.tasks).toEqual(wanted.slice(skip, skip + count))
      expect(owned.live.length + owned.removed.length).toBe(tasks.length)
    }),
  )
})

it('an external id finds the newest task that has it', () => {
  const owned = new OwnedTasks()
  owned.add(made('one', 1, { externalId: 'mine' }))
  owned.add(made('two', 2, { externalId: 'mine' }))
  owned.add(made('three', 3))
  expect([owned.idOf('mine'), owned.idOf('yours')]).toEqual(['two', undefined])
})

it('takes out a task as if it had not been made, and leaves its name to a newer one', () => {
  const owned = new OwnedTasks()
  const [older, newer] = [made('t0', 0, { externalId: 'mine' }), made('t1', 1, { externalId: 'mine' })]
  owned.add(older)
  owned.add(newer)
  owned.remove(older)
  expect([owned.live, owned.idOf('mine')]).toEqual([[newer], 't1'])
  owned.remove(newer)
  expect([owned.live, owned.idOf('mine')]).toEqual([[], undefined])
})
