import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { guidePages } from '../../src/emulator/guide/contents.ts'
import { root } from './fresh-build.ts'

/** A Markdown file that people read: the README or a page of the guide. */
export interface GuideFile {
  /** Below the root of the repository. */
  path: string
  text: string
}

/** A block of code in such a file. */
export interface Block {
  path: string
  /** Counted from 1 in its file. */
  nth: number
  language: string
  text: string
}

/** The files that are written by hand; the table of statements and the changelog have tests of their own. */
const written = guidePages()
  .map(({ path }) => path)
  .filter(path => path.startsWith('docs/') && path !== 'docs/fidelity.md')

/** The README and every page of the guide that is written by hand. */
export const guideFiles: readonly GuideFile[] = ['README.md', ...written].map(path => ({
  path,
  text: readFileSync(join(root, path), 'utf8'),
}))

/** Every block of code of a file. */
export function blocksOf({ path, text }: GuideFile): Block[] {
  return [...text.matchAll(/^( *)```(\w*)\n([\s\S]*?)^\1```$/gm)].map(
    ([, indent = '', language = '', block = ''], index) => ({
      path,
      nth: index + 1,
      language,
      text: block.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
    }),
  )
}

/** The name of the file that a block shows, from the comment in its first line: `// video.test.mjs`. */
export function fileNameOf({ text }: Block): string | undefined {
  return /^(?:\/\/|#|<!--) ([\w./-]+\.\w+)(?: -->)?\n/.exec(text)?.[1]
}
