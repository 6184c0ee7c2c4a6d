import { Transform } from 'node:stream'

/** Translates between links of the gateway and links of the recorder. */
export interface LinkMap {
  /** The recorder's link for a link of the gateway. `base` is the address at which the client reaches the recorder. */
  toClient(link: string, base: string): string
  /** The gateway's address for a requested path, and whether a reply linked to it as a file. */
  target(pathAndQuery: string): { url: string; isFile: boolean } | undefined
  /** A client's text, with the links of the gateway restored. */
  restored(text: string, base: string): string
  /** True when a client has received a link of the recorder. */
  readonly isUsed: boolean
}

const prefix = '/__recorded/'
const mostLinks = 20_000

/** The links of a recorder in front of `upstream`. It forwards only to origins that replies contained. */
export function createLinkMap(upstream: URL): LinkMap {
  const origins = new Set<string>()
  const files = new Set<string>()
  const below = upstream.pathname.replace(/\/+$/, '')
  const root = upstream.origin + below
  return {
    get isUsed() {
      return files.size > 0
    },
    toClient(link, base) {
      const origin = originOf(link)
      if (origin === undefined) return link
      if (files.size < mostLinks) files.add(withoutQuery(link))
      if (link.startsWith(`${root}/`)) return base + link.slice(root.length)
      origins.add(origin)
      return `${base}${prefix}${Buffer.from(origin).toString('base64url')}${link.slice(origin.length)}`
    },
    target(path) {
      if (!path.startsWith(prefix)) {
        const url = root + path
        return { url, isFile: files.has(withoutQuery(url)) }
      }
      const [, encoded = '', rest = ''] = /^([A-Za-z0-9_-]+)(.*)$/s.exec(path.slice(prefix.length)) ?? []
      const origin = Buffer.from(encoded, 'base64url').toString()
      return origins.has(origin) ? { url: origin + (rest || '/'), isFile: true } : undefined
    },
    restored(text, base) {
      if (!text.includes(base)) return text
      return text.replaceAll(
        new RegExp(`${escaped(base)}(?:${escaped(prefix)}([A-Za-z0-9_-]+))?(?=[/?"#\\s]|$)`, 'g'),
        (whole, encoded: string | undefined) => {
          if (encoded === undefined) return root
          const origin = Buffer.from(encoded, 'base64url').toString()
          return origins.has(origin) ? origin : whole
        },
      )
    },
  }
}

function originOf(link: string): string | undefined {
  const origin = /^https?:\/\/[^/?#\s]+/i.exec(link)?.[0]
  return origin !== undefined && URL.canParse(link) ? origin : undefined
}

function withoutQuery(link: string): string {
  return link.split(/[?#]/, 1)[0] ?? link
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')
}

const wholeLink = /"(https?:(?:\\?\/){2}(?:[^"\\]|\\.)*)"/gi
/** The beginning of a link whose end has not arrived. */
const startOfLink = /^"(?:h|ht|htt|https?|https?:[^"]*)?$/is
/** Keys of texts that a person wrote: links in them are not changed. */
const writtenKey = /"[^"]*(?:prompt|text|description|message)"\s*:\s*$/i
const longestLink = 16_384
const lookBack = 80

/** Replaces links in a stream of JSON text. It holds back one link at most. */
export function rewriteLinks(rewritten: (link: string) => string): Transform {
  let held = ''
  let before = ''
  const replaced = (text: string) => {
    const seen = before + text
    const out = text.replace(wholeLink, (whole, _link: string, at: number) => {
      if (writtenKey.test(seen.slice(Math.max(0, before.length + at - lookBack), before.length + at)))
        return whole
      try {
        return JSON.stringify(rewritten(JSON.parse(whole)))
      } catch {
        return whole
      }
    })
    before = seen.slice(-lookBack)
    return out
  }
  return new Transform({
    // In latin1 every byte is one character, so a chunk may end inside a UTF-8 character.
    transform(chunk: Buffer, _encoding, done) {
      const text = held + chunk.toString('latin1')
      const at = text.lastIndexOf('"')
      const isOpen = at >= 0 && text.length - at < longestLink && startOfLink.test(text.slice(at))
      held = isOpen ? text.slice(at) : ''
      done(null, Buffer.from(replaced(isOpen ? text.slice(0, at) : text), 'latin1'))
    },
    flush(done) {
      done(null, Buffer.from(replaced(held), 'latin1'))
    },
  })
}
