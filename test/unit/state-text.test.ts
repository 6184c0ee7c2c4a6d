import { Writable } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { piecesOf, sendInSlices } from '../../src/control/state-text.ts'
import type { FrozenState } from '../../src/worlds/frozen.ts'
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

/** A response that counts its writes, and the turns that others had between the first and the last of them. */
function countingResponse() {
  const seen = { text: '', writes: 0, turns: 0 }
  const response = Object.assign(
    new Writable({
      highWaterMark: 1e9,
      write(chunk, _, done) {
        seen.text += String(chunk)
        seen.writes++
        done()
      },
    }),
    { writeHead: () => {} },
  )
  return { seen, response: response as unknown as Parameters<typeof sendInSlices>[0] }
}

describe('a world as text', () => {
  it.each([0, 1, 5])('is what JSON.stringify gives, with %i tasks', tasks => {
    expect([...piecesOf(documentOf(tasks))].join('')).toBe(JSON.stringify(documentOf(tasks)))
  })

  it('is made in pieces of one record, whatever the number of tasks', () => {
    const longest = (tasks: number) =>
      Math.max(...[...piecesOf(documentOf(tasks))].map(piece => piece.length))
    expect(longest(2000)).toBeLessThan(longest(2) + 10)
  })

  it('is sent in slices, and others have a turn between any two of them (issue: export of a large world)', async () => {
    const { seen, response } = countingResponse()
    let isOver = false
    const others = (async () => {
      while (!isOver) {
        await nextTurn()
        seen.turns++
      }
    })()
    await sendInSlices(response, piecesOf(documentOf(1000)))
    isOver = true
    await others
    expect(seen.text).toBe(JSON.stringify(documentOf(1000)))
    expect(seen.writes).toBeGreaterThan(3)
    expect(seen.turns).toBeGreaterThanOrEqual(seen.writes)
  })
})
