import { posix } from 'node:path'
import { type GuidePage, guidePages } from './contents.ts'

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
