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
  const [, ...parts] = guideText(contentsPath).split(/^## /m)
  return parts.map(part => ({ title: part.split('\n')[0] ?? '', pages: pagesIn(part) }))
}

/** Every page of the guide: each Markdown file that `llms.txt` links to. */
export function guidePages(): GuidePage[] {
  return guideSections().flatMap(({ pages }) => pages)
}

/** The text of a file of the package. */
export function guideText(path: string): string {
  return readFileSync(packagePath(path), 'utf8')
}

function pagesIn(part: string): GuidePage[] {
  return [...part.matchAll(/^- \[([^\]]+)\]\(([\w./-]+\.md)\)/gm)].map(([, title = '', path = '']) => ({
    name: posix.basename(path, '.md').toLowerCase(),
    title,
    path,
  }))
}

/** How a guide's links are written for the address of the page that contains them. */
export interface LinkStyle {
  /** The file of the text in the package; links in the file are relative to it. */
  from: string
  /** The text before the name of a page: '' on a page of the guide, `guide/` beside it, or an absolute address. */
  prefix: string
  /** The text after the name of a page: '.md' for a reader of Markdown. */
  suffix: '' | '.md'
}

/** Folders and files of the package that the guide may link to. They hold nothing that is not public. */
export const linkedFiles = ['docs', 'fixtures', 'scenarios', 'LICENSE'] as const

/** The address behind a link of a page; undefined for an address on the same page or outside the package, which stays as it is. */
export function guideLink(target: string, style: LinkStyle): string | undefined {
  if (/^(#|[a-z]+:)/.test(target)) return undefined
  const [file = '', hash] = target.split('#')
  const path = posix.join(posix.dirname(style.from), file)
  const page = guidePages().find(one => one.path === path)
  if (page) return addressOf(page, style) + (hash === undefined ? '' : `#${hash}`)
  const isLinked = linkedFiles.some(known => path === known || path.startsWith(`${known}/`))
  return isLinked ? `${style.prefix}files/${path}` : undefined
}

/** The address of a page. */
export function addressOf({ name }: GuidePage, { prefix, suffix }: Omit<LinkStyle, 'from'>): string {
  return prefix + name + suffix
}

/** A page's Markdown with links that work where it is served. */
export function withGuideLinks(markdown: string, style: LinkStyle): string {
  return markdown.replace(/\]\(([^()\s]+)\)/g, (link, target: string) => {
    const address = guideLink(target, style)
    return address === undefined ? link : `](${address})`
  })
}
