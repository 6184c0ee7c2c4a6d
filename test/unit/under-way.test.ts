import { expect, it } from 'vitest'
import { enter, leave, nothingUnderWay, type OpenRequest } from '../../src/emulator/worlds/under-way.ts'

const orders = [
  [0, 1, 2, 3],
  [3, 2, 1, 0],
  [1, 3, 0, 2],
  [2, 0, 3, 1],
]

it.each(orders)(
  'requests that end in the order %s, %s, %s, %s are open until they end, each once',
  (...order) => {
    const counts = nothingUnderWay()
    const requests = order.map(() => ({ place: -1 }) as OpenRequest)
    for (const one of requests) enter(counts, one)
    const left = new Set(requests)
    for (const index of order) {
      const one = requests[index] as OpenRequest
      expect(leave(counts, one)).toBe(true)
      expect(leave(counts, one)).toBe(false)
      left.delete(one)
      expect(new Set(counts.requests)).toEqual(left)
      expect(counts.requests).toHaveLength(left.size)
    }
  },
)
