import { type Patch, patchesOf, thicknessOf } from './patches.ts'
import type { Labels, Pixels } from './pixels.ts'
import { distance } from './segments.ts'

/** Patches thinner than this on average are soft edges or lines of another patch. Pixels. */
const thinnestPx = 2.3

/** How often slivers are looked for: in the first rounds they are often joined to each other. */
const rounds = 3

/** Joins each sliver to the neighbour with the most similar colour, so that soft edges do not become objects and do not connect objects. */
export function withoutSlivers(segments: Labels, picture: Pixels): Labels {
  let found = segments
  for (let round = 0; round < rounds; round++) {
    const next = joined(found, picture)
    if (!next) break
    found = next
  }
  return found
}

/** The segments after one round; undefined when there were no slivers. */
function joined(segments: Labels, picture: Pixels): Labels | undefined {
  const patches = patchesOf(segments, picture)
  const owner = Int32Array.from(patches, (_, label) => label)
  const find = (label: number): number => {
    const above = owner[label] ?? label
    return above === label ? label : find(above)
  }
  const slivers = patches
    .map((patch, label) => ({ patch, label }))
    .filter(({ patch }) => patch.area > 0 && thicknessOf(patch) < thinnestPx)
    .sort((a, b) => a.patch.area - b.patch.area)
  if (slivers.length === 0) return undefined
  for (const { patch, label } of slivers) {
    const near = nearest(patch, patches)
    if (near !== undefined && find(near) !== label) owner[label] = find(near)
  }
  return { ...segments, of: segments.of.map(find) }
}

const pair = new Uint8Array(8)

function nearest(patch: Patch, patches: readonly Patch[]): number | undefined {
  let [best, least]: [number | undefined, number] = [undefined, Number.POSITIVE_INFINITY]
  pair.set(patch.colour, 0)
  for (const [other, length] of patch.beside) {
    pair.set(patches[other]?.colour ?? [0, 0, 0, 0], 4)
    // A neighbour along the whole sliver is more likely than one at its end.
    const far = distance(pair, 0, 4) + 40 * (1 - length / (patch.area + 1))
    if (far < least) [best, least] = [other, far]
  }
  return best
}
