import { readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { packagePath } from '../package/files.ts'

/** A page of the guide. */
export interface GuidePage {
  /** Its name in addresses: `explore` for `/__emulator/guide/explore`. */
  name: string
  title: string
  /** Its file in the package, such as `docs/explore.md`. */
  path: string
}

/** A heading of the list of pages, and the pages below it. */
export interface GuideSection {
  title: string
  pages: GuidePage[]
}

/** The list of pages, by the convention of llmstxt.org: a file of the package, the first page of the guide, and what agents read. */
export const contentsPath = 'llms.txt'

/** The sections of the guide, in the order of `llms.txt`. */
export function guideSections(): GuideSection[] {
  const [, ...parts] = textOf(contentsPath).split(/^## /m)
  return parts.map(part => ({ title: part.split('\n')[0] ?? '', pages: pagesIn(part) }))
}

/** Every page of the guide: each Markdown file that `llms.txt` links to. */
export function guidePages(): GuidePage[] {
  return guideSections().flatMap(({ pages }) => pages)
}

/** The text of a file of the package. */
export function textOf(path: string): string {
  return readFileSync(packagePath(path), 'utf8')
}

function pagesIn(part: string): GuidePage[] {
  return [...part.matchAll(/^- \[([^\]]+)\]\(([\w./-]+\.md)\)/gm)].map(([, title = '', path = '']) => ({
    name: posix.basename(path, '.md').toLowerCase(),
    title,
    path,
  }))
}
