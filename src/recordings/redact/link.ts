import { extensions } from 'mime-types'
import { late, readFixture } from '../../package/files.ts'
import type { Pseudonyms } from './pseudonyms.ts'
import { linkParameter, plainLinkValues } from './secret-names.ts'

/** The host of files in a recording. Real hosts and paths contain names of accounts and projects. */
export const filesOrigin = 'https://files.redacted'

/**
 * The recorded form of a link to a file: a number for the file, its ending, and when the link ends. Host, path, signature and all
 * other parameters are left out. Links to the emulator's own samples keep their path, because the samples are public.
 */
export function redactLink(text: string, names: Pseudonyms): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const scheme = /^[a-z][a-z0-9+.-]*:/i.exec(text)?.[0].toLowerCase()
  if (!url || !scheme) return filesOrigin
  if (!/^https?:$/.test(scheme))
    return `${schemes.has(scheme) ? scheme : 'other:'}//${names.name('link', text)}`
  const sample = /^\/__emulator\/samples\/([\w.-]+)$/.exec(url.pathname)?.[1]
  if (sample !== undefined && samples().has(sample)) return `${filesOrigin}${url.pathname}`
  const ending = /\.([A-Za-z0-9]{2,5})$/.exec(url.pathname)?.[1]?.toLowerCase()
  // The emulator treats such names as a real person's face, and must refuse the repeated request too.
  const face = /real-face/i.test(text) ? '-real-face' : ''
  const name = names.name('link', url.origin + url.pathname)
  const shown = ending !== undefined && isKnownEnding(ending) ? `.${ending}` : ''
  return `${filesOrigin}/${name}${face}${shown}${parametersOf(url, names)}`
}

/** The beginning of references that requests may hold besides http links. */
const schemes: ReadonlySet<string> = new Set([
  'oss:',
  'mm_file:',
  's3:',
  'tos:',
  'gs:',
  'ftp:',
  'ws:',
  'wss:',
  'file:',
])

function parametersOf(url: URL, names: Pseudonyms): string {
  const kept = [...url.searchParams].map(([name, value]) => {
    const isPlain = plainLinkValues.some(([names, form]) => names.test(name) && form.test(value))
    // Signatures are remembered, because an error text may repeat one.
    if (!isPlain && value.length >= 12) names.hide('secret', value)
    const shown = linkParameter.test(name) ? name : names.name('parameter', name)
    return `${shown}=${isPlain ? encodeURIComponent(value) : names.name('signature', value)}`
  })
  return kept.length > 0 ? `?${kept.join('&')}` : ''
}

const samples = late(
  () => new Set(readFixture<{ file: string }[]>('media/samples/index.json').map(({ file }) => file)),
)
const endings = late(
  () =>
    new Set(
      Object.entries(extensions)
        .filter(([type]) => /^(?:image|video|audio|text)\/|\/(?:json|zip|pdf|octet-stream)$/.test(type))
        .flatMap(([, all]) => all),
    ),
)

/** Whether a media type of files has this ending. Any other ending may be a part of a secret. */
export function isKnownEnding(ending: string): boolean {
  return endings().has(ending)
}
