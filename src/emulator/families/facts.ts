import { facts as a } from './a-contents/models.ts'
import { facts as b } from './b-synthesis/models.ts'
import { facts as c, specialFacts as special } from './c-generation/variants.ts'
import type { FamilyFacts } from './family.ts'
import { facts as image } from './images/facts.ts'
import { facts as k } from './k-image-to-video/facts.ts'

const all: Readonly<Record<string, FamilyFacts>> = { a, b, c, special, k, image }

/** What other rooms know of a family; undefined for a word that is none. */
export function factsOfFamily(family: string): FamilyFacts | undefined {
  return Object.hasOwn(all, family) ? all[family] : undefined
}

/** True for a word that means that a task is not found. */
export function isUnknownWord(word: unknown): boolean {
  return Object.values(all).some(({ unknownWord }) => unknownWord !== undefined && unknownWord === word)
}
