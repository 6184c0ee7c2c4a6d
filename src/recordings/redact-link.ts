import type { Pseudonyms } from './pseudonyms.ts'
import { plainLinkParameter } from './secret-names.ts'

/** Where files lie in a recording: hosts and paths of buckets name accounts and projects. */
export const filesOrigin = 'https://files.redacted'

/**
 * A link to a file as a recording keeps it: which file it is, its ending, and when the link ends. Host, path, signature and all
 * other parameters are left out. The emulator's own samples keep their path, since everybody has them.
 */
export function redactLink(text: string, names: Pseudonyms): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:')) return filesOrigin
  if (url.origin === filesOrigin) return text
  const sample = /^\/__emulator\/samples\/([\w.-]+)$/.exec(url.pathname)
  if (sample) return `${filesOrigin}${url.pathname}`
  const ending = /\.([A-Za-z0-9]{2,5})$/.exec(url.pathname)?.[1]?.toLowerCase()
  // The emulator takes such names for a real person's face; what is refused for it must be refused again.
  const face = /real-face/i.test(text) ? '-real-face' : ''
  const name = names.name('link', url.origin + url.pathname)
  return `${filesOrigin}/${name}${face}${ending ? `.${ending}` : ''}${parametersOf(url, names)}`
}

function parametersOf(url: URL, names: Pseudonyms): string {
  const kept = [...url.searchParams].map(([name, value]) => {
    // Signatures are remembered, as an error text may repeat one.
    if (!plainLinkParameter.test(name) && value.length >= 12) names.hide('secret', value)
    const isPlain = plainLinkParameter.test(name) && /^[\w:.+-]{1,40}$/.test(value)
    return `${encodeURIComponent(/^[\w.-]{1,40}$/.test(name) ? name : 'parameter')}=${isPlain ? encodeURIComponent(value) : names.name('signature', value)}`
  })
  return kept.length > 0 ? `?${kept.join('&')}` : ''
}
