import { readFile } from 'node:fs/promises'
import { once } from '../../media/once.ts'
import type { Box, Digest } from '../../media/recipe.ts'
import { fixturePath } from '../../package/files.ts'

/** An object of one of our samples, by name. Its box is in thousandths of the picture. */
export interface KnownObject {
  english: string
  chinese: string
  box: Box
}

/** The objects of a picture that is one of our samples (`fixtures/media/known-objects.json`); none of any other picture. */
export async function knownObjects(picture: Digest | undefined): Promise<readonly KnownObject[]> {
  return (picture && (await readTable()).get(picture)) || []
}

/** Read once: the table of the package does not change while the server runs. */
const readTable = once(async (): Promise<ReadonlyMap<Digest, readonly KnownObject[]>> => {
  const samples: { sha256: Digest; objects: readonly KnownObject[] }[] = JSON.parse(
    await readFile(fixturePath('media/known-objects.json'), 'utf8'),
  )
  return new Map(samples.map(({ sha256, objects }) => [sha256, objects]))
})

/** The object whose box is nearly this one: the area that both cover is at least six tenths of the area that either covers. */
export function objectAt(box: Box, objects: readonly KnownObject[]): KnownObject | undefined {
  return objects.find(object => overlap(box, object.box) > 0.6)
}

function overlap(a: Box, b: Box): number {
  const wide = Math.min(a[2], b[2]) - Math.max(a[0], b[0])
  const tall = Math.min(a[3], b[3]) - Math.max(a[1], b[1])
  const shared = Math.max(0, wide) * Math.max(0, tall)
  return shared / (areaOf(a) + areaOf(b) - shared)
}

function areaOf([left, top, right, bottom]: Box): number {
  return (right - left) * (bottom - top)
}
