import { extensions } from 'mime-types'
import { late, readFixture } from '../../../emulator/ground.ts'
import type { Pseudonyms } from './pseudonyms.ts'

/** The host of files in a recording. Real hosts and paths contain names of accounts and projects. */
export const filesOrigin = 'https://files.redacted'

/** Parameters of a signed link. All others are numbered. */
const linkParameter =
  /^(?:x-(?:tos|amz|oss|goog|cos|obs|bce|ms|vendor|emulator)-(?:signature|security-token|credential|algorithm|date|expires|signedheaders|process)|signature|expires|(?:oss|aws)?accesskeyid|key-pair-id|policy|token|sig|se|sp|sv|sr|st|auth_key|part|range|response-content-(?:type|disposition))$/i

/** Values of a link that show only its end, or a part of the file, by the name of the parameter. */
const plainLinkValues: readonly (readonly [name: RegExp, form: RegExp])[] = [
  // A moment of these decades, and some days at most.
  [/^expires$/i, /^[12]\d{9}$/],
  [/^x-[a-z]+-expires$/i, /^\d{1,6}$/],
  [/^x-[a-z]+-date$/i, /^\d{8}T\d{6}Z$/],
  [/^x-[a-z]+-algorithm$/i, /^(?:AWS4|TOS4|OSS4|GOOG4|COS4)-HMAC-SHA(?:1|256)$/],
  [/^response-content-type$/i, /^(?:image|video|audio)\/(?:jpeg|png|webp|mp4|mpeg|wav)$/],
]

/** True for a text that is a link, or a reference to a file in another scheme. */
export function isLink(text: string): boolean {
  const scheme = /^([a-z][a-z0-9_+.-]*:)\/\/\S+$/i.exec(text)?.[1]?.toLowerCase()
  return scheme !== undefined && (/^https?:$/.test(scheme) || scheme === 'asset:' || schemes.has(scheme))
}

/**
 * The recorded form of a link to a file: a number for the file, its ending, and when the link ends. Host, path, signature and all
 * other parameters are left out. Links to the emulator's own samples keep their path, because the samples are public.
 */
export function redactLink(text: string, names: Pseudonyms): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const scheme = /^[a-z][a-z0-9_+.-]*:/i.exec(text)?.[0].toLowerCase()
  if (scheme === 'asset:') return `asset://${names.name('asset-redacted', text)}`
  if (!scheme || (!url && /^https?:$/.test(scheme))) return filesOrigin
  if (!url || !/^https?:$/.test(scheme))
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

/** An inline file, also after a blank, and in lines as encoders break them. */
const inlineFile =
  /\bdata:[\w.+-]{0,60}[/;][^,\s]{0,120},\s*[!-~]*(?:\s+[\w+/-]{40,}={0,2})*(?:\r?\n[\w+/=-]+(?=\r?\n|$))*/gi
/** A link ends before a blank, before punctuation of another script, and before punctuation after which the sentence goes on. */
const linkInText =
  /[a-z][a-z0-9_+.-]{0,30}:\/\/[^\s<>"'，。；：！？、（）【】《》「」“”…]*[^\s<>"'，。；：！？、（）【】《》「」“”….,;:!?)\]}]/gi
/** Parameters of a signed link that has no scheme. */
const signedValue =
  /((?<![\w.-])[\w.-]{0,40}(?:signature|token|credential|secret|api_?key|accesskeyid)=)[^&\s"'<>]+/gi

/** A text with the recorded forms of the links in it, and without its files. */
export function redactLinksIn(text: string, names: Pseudonyms): string {
  return text
    .replace(inlineFile, 'data:…')
    .replace(linkInText, link => redactLink(link, names))
    .replace(signedValue, '$1…')
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
