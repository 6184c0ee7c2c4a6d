import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { piecesOf, sendInSlices } from '../../src/emulator/control/resources/state.ts'
import type { Outlet } from '../../src/emulator/pipeline/exchange.ts'
import type { FrozenState } from '../../src/emulator/worlds/world.ts'
import { taskWith } from '../support/bare-task.ts'

function stateOf(tasks: number): FrozenState {
  const clock = { mode: 'manual' as const, rate: 1, virtualMs: 0, wallMs: 0 }
  const opening = { seed: 1, clock, scenarios: [], byKey: false }
  const head = { opening, openedAt: 0, clock, draws: {}, active: [], counters: {} }
  const task = { ...taskWith({}), request: JSON.stringify({ prompt: 'é"\\'.repeat(300) }) }
  const list = Array.from({ length: tasks }, (_, index): [string, typeof task] => [`t${index}`, task])
  return { head, accounts: [], tasks: list, assets: [], downloads: [['t1/video', 2]], scenarios: [] }
}

const documentOf = (tasks: number) => ({
  format: 'f',
  version: 1,
  world: 'w',
  exported_at: 'now',
  state: stateOf(tasks),
  snapshots: ['a', 'b'].map(name => ({ name, at: 1, state: stateOf(tasks) })),
})

/** An outlet that counts what is written, and the turns that others had meanwhile. `slow`: its client must be waited for. */
function countingOutlet(slow = false) {
  const seen = { text: '', writes: 0, turns: 0, waits: 0, isEnded: false }
  const outlet: Outlet = {
    write(text) {
      seen.text += text
      seen.writes++
    },
    waitingBytes: slow ? 1e9 : 0,
    async drained() {
      seen.waits++
    },
    cut() {},
    end() {
      seen.isEnded = true
    },
    onClose() {},
  }
  return { seen, outlet }
}

describe('a world as text', () => {
  it.each([0, 1, 5])('equals JSON.stringify, with %i tasks', tasks => {
    expect([...piecesOf(documentOf(tasks))].join('')).toBe(JSON.stringify(documentOf(tasks)))
  })

  it('is made in pieces of one record, for any number of tasks', () => {
    const longest = (tasks: number) =>
      Math.max(...[...piecesOf(documentOf(tasks))].map(piece => piece.length))
    expect(longest(2000)).toBeLessThan(longest(2) + 10)
  })

  it('is sent in slices, and other requests are answered between two slices', async () => {
    const { seen, outlet } = countingOutlet()
    let isOver = false
    const others = (async () => {
      while (!isOver) {
        await nextTurn()
        seen.turns++
      }
    })()
    await sendInSlices(outlet, piecesOf(documentOf(1000)))
    isOver = true
    await others
    expect(seen.text).toBe(JSON.stringify(documentOf(1000)))
    expect(seen.writes).toBeGreaterThan(3)
    expect(seen.turns).toBeGreaterThanOrEqual(seen.writes)
    expect(seen.isEnded).toBe(true)
  })

  it('waits for a client that reads slowly', async () => {
    const { seen, outlet } = countingOutlet(true)
    await sendInSlices(outlet, piecesOf(documentOf(1000)))
    expect(seen.waits).toBe(seen.writes)
  })
})
