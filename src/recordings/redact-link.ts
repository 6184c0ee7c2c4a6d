import type { Pseudonyms } from './pseudonyms.ts'
import { plainLinkParameter } from './secret-names.ts'

/** The host of files in a recording. Real hosts and paths contain names of accounts and projects. */
export const filesOrigin = 'https://files.redacted'

/**
 * The recorded form of a link to a file: a number for the file, its ending, and when the link ends. Host, path, signature and all
 * other parameters are left out. Links to the emulator's own samples keep their path, because the samples are public.
 */
export function redactLink(text: string, names: Pseudonyms): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:')) return filesOrigin
  if (url.origin === filesOrigin) return text
  const sample = /^\/__emulator\/samples\/([\w.-]+)$/.exec(url.pathname)
  if (sample) return `${filesOrigin}${url.pathname}`
  const ending = /\.([A-Za-z0-9]{2,5})$/.exec(url.pathname)?.[1]?.toLowerCase()
  // The emulator treats such names as a real person's face, and must refuse the repeated request too.
  const face = /real-face/i.test(text) ? '-real-face' : ''
  const name = names.name('link', url.origin + url.pathname)
  return `${filesOrigin}/${name}${face}${ending ? `.${ending}` : ''}${parametersOf(url, names)}`
}

function parametersOf(url: URL, names: Pseudonyms): string {
  const kept = [...url.searchParams].map(([name, value]) => {
    // Signatures are remembered, because an error text may repeat one.
    if (!plainLinkParameter.test(name) && value.length >= 12) names.hide('secret', value)
    const isPlain = plainLinkParameter.test(name) && /^[\w:.+-]{1,40}$/.test(value)
    return `${encodeURIComponent(/^[\w.-]{1,40}$/.test(name) ? name : 'parameter')}=${isPlain ? encodeURIComponent(value) : names.name('signature', value)}`
  })
  return kept.length > 0 ? `?${kept.join('&')}` : ''
}
