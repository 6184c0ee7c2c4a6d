import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../fresh-build.ts'
import { familyA } from './a.ts'
import { allFamilies } from './all.ts'
import { familyB } from './b.ts'
import { familyC } from './c.ts'
import { imageOperation } from './image.ts'
import { familyK } from './k.ts'
import { special } from './special.ts'

/** One test that shows a statement of the specification. */
export interface Link {
  /** The statement. */
  id: string
  /** The file, below `test`. */
  file: string
  /** Words of the test's name, or of the group it is in. */
  part: string
}

const families: Readonly<Record<string, Readonly<Record<string, string | readonly string[]>>>> = {
  all: allFamilies,
  a: familyA,
  b: familyB,
  c: familyC,
  special,
  k: familyK,
  image: imageOperation,
}

/** Every statement with each test that shows it. */
export const links: readonly Link[] = Object.entries(families).flatMap(([family, shown]) =>
  Object.entries(shown).flatMap(([name, tests]) =>
    [tests].flat().map(test => linkOf(`${family}.${name}`, test)),
  ),
)

function linkOf(id: string, test: string): Link {
  const [, file = '', part = ''] = /^(\S+) > (.*)$/.exec(test) ?? []
  const inApi = `api/${file}.test.ts`
  return { id, file: existsSync(join(root, 'test', inApi)) ? inApi : `${file}.test.ts`, part }
}
