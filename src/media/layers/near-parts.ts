import type { Labels } from './pixels.ts'

/** A gap up to this wide between two groups is a soft edge. Pixels. */
const widestGap = 2
/** A group with this part of its border beside a larger one is a part of it, such as a door of its house. */
const leastContact = 0.4

/** Joins groups of segments that only a soft edge divides: the parts of one thing. */
export function withNearParts(groups: readonly number[][], segments: Labels): number[][] {
  const groupOf = new Int32Array(segments.count).fill(-1)
  groups.forEach((group, index) => {
    for (const segment of group) groupOf[segment] = index
  })
  const { borders, areas, contacts } = measured(groups.length, groupOf, segments)
  const owner = groups.map((_, index) => index)
  for (const [pair, length] of contacts) {
    const [small, large] = [Math.floor(pair / groups.length), pair % groups.length]
    if ((areas[small] as number) >= (areas[large] as number)) continue
    if (length >= (borders[small] as number) * leastContact) owner[small] = large
  }
  // The owner of an owner is larger still, so that this ends.
  const find = (index: number): number => (owner[index] === index ? index : find(owner[index] as number))
  const joined: number[][] = groups.map(() => [])
  groups.forEach((group, index) => {
    const all = joined[find(index)]
    for (const segment of group) all?.push(segment)
  })
  return joined.filter(group => group.length > 0)
}

interface Measured {
  areas: Int32Array
  /** The lengths of the groups' borders. */
  borders: Int32Array
  /** By first group times the number of groups, plus second group: the length of the first one's border beside the second one. */
  contacts: Map<number, number>
}

function measured(count: number, groupOf: Int32Array, { width, height, of }: Labels): Measured {
  const [areas, borders] = [new Int32Array(count), new Int32Array(count)]
  const contacts = new Map<number, number>()
  const groupAt = (x: number, y: number) =>
    x < 0 || y < 0 || x >= width || y >= height ? -1 : (groupOf[of[y * width + x] as number] as number)
  const look = (group: number, [x, y]: readonly [number, number], [dx, dy]: readonly [number, number]) => {
    if (groupAt(x + dx, y + dy) === group) return
    borders[group] = (borders[group] as number) + 1
    for (let far = 1; far <= widestGap + 1; far++) {
      const other = groupAt(x + far * dx, y + far * dy)
      if (other < 0 || other === group) continue
      const pair = group * count + other
      contacts.set(pair, (contacts.get(pair) ?? 0) + 1)
      return
    }
  }
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const group = groupAt(x, y)
      if (group < 0) continue
      areas[group] = (areas[group] as number) + 1
      for (const step of steps) look(group, [x, y], step)
    }
  return { areas, borders, contacts }
}

const steps = [
  [1, 0],
  [-1, 0],
  [0, 1],
  [0, -1],
] as const
