import { relative } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { root } from './fresh-build.ts'

/** Files whose tests mostly wait for programs that they start. */
const waiting =
  /^test\/((action|command-line|examples|kits|package|python|release|selfcheck)\.test\.ts$|(as|clients|explore|hard|recordings)\/)/

/** So many files that keep a core busy come between two that wait: cores are used while a test waits, and no long file comes last. */
const between = 2

/** Mixes files that wait with files that compute; of each kind, large files come first. */
export class MixedFiles extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    // The other projects come first. Files of one project follow each other, since these use one process.
    const isShared = ({ project }: TestSpecification) => project.name === 'service'
    const isWaiting = ({ moduleId }: TestSpecification) => waiting.test(relative(root, moduleId))
    const service = sorted.filter(isShared)
    const busy = service.filter(file => !isWaiting(file))
    return [
      ...sorted.filter(file => !isShared(file)),
      ...service.filter(isWaiting).flatMap(file => [file, ...busy.splice(0, between)]),
      ...busy,
    ]
  }
}
