import { FaultError, invalid } from '../faults/fault-error.ts'
import { shown } from '../wording/shown.ts'
import type { MediaFacts } from '../worlds/media-facts.ts'

/** The store of one upstream: `oss` belongs to family B, `mm_file` to family C. */
export type VendorStore = 'oss' | 'mm_file'

/** The forms of a reference that a field allows besides a link, a data URI and an asset. */
interface ReferenceForms {
  store?: VendorStore
  /** Plain base64 without `data:`. */
  rawBase64?: boolean
}

/**
 * Checks the form of a reference: an http or https URL, a data URI or an `asset://` reference, without a blank before it
 * (A-references). Throws `invalid_parameter`.
 */
export function checkReference(param: string, reference: string, forms: ReferenceForms = {}): void {
  const scheme = schemeOf(reference.trimStart())
  if (scheme === undefined && forms.rawBase64) return
  const usable = ['http', 'https', 'data', 'asset', ...(forms.store ? [forms.store] : [])]
  if (scheme === undefined || !usable.includes(scheme)) throw notAReference(param, reference, forms)
  if (hasBlanks(reference, scheme))
    throw invalid(param, `${shown(reference)} has blanks around it, must be ${allowed(forms)} without blanks`)
}

function schemeOf(reference: string): string | undefined {
  return /^([a-z][a-z0-9+._-]*):/i.exec(reference.slice(0, 40))?.[1]?.toLowerCase()
}

/** Blanks after a data URI are allowed: tools that write base64 add line breaks, inside it too. */
function hasBlanks(reference: string, scheme: string): boolean {
  return reference.trimStart() !== reference || (scheme !== 'data' && reference.trimEnd() !== reference)
}

function notAReference(param: string, reference: string, forms: ReferenceForms): FaultError {
  return invalid(param, `${shown(reference)} is not allowed, must be ${allowed(forms)}`)
}

function allowed({ store, rawBase64 }: ReferenceForms): string {
  const forms = ['an http or https URL', 'a data URI', 'an asset:// reference']
  if (store) forms.push(`${/^o/.test(store) ? 'an' : 'a'} ${store}:// reference`)
  if (rawBase64) forms.push('base64')
  return `${forms.slice(0, -1).join(', ')} or ${forms.at(-1)}`
}

/** Other names that labels of data URIs have for a format, without `x-`. */
const sameFormat: Readonly<Record<string, string>> = {
  jpg: 'jpeg',
  pjpeg: 'jpeg',
  tif: 'tiff',
  'ms-bmp': 'bmp',
  heif: 'heic',
  mpeg: 'mp3',
  mpeg3: 'mp3',
  'mpeg-3': 'mp3',
  mpg: 'mp3',
  wave: 'wav',
  'vnd.wave': 'wav',
  'pn-wav': 'wav',
  aacp: 'aac',
  m4a: 'mp4',
  m4v: 'mp4',
  quicktime: 'mov',
  opus: 'ogg',
}

/**
 * Refuses a data URI whose label names another format than its bytes have (A-labels). application/octet-stream names none. Throws
 * `invalid_parameter`.
 */
export function checkLabel(
  param: string,
  reference: string,
  { kind, format }: Pick<MediaFacts, 'kind' | 'format'>,
): void {
  const label = /^data:([^;,]*)/i.exec(reference.slice(0, 200))?.[1]
  if (label === undefined || label === 'application/octet-stream') return
  const [type = '', name = ''] = label.split('/')
  if ([kind, 'application'].includes(type) && formatNamed(name) === formatNamed(format)) return
  throw new FaultError('invalid_parameter', {
    param,
    reason: `the data URI says ${label} and holds ${format}, must be ${kind}/${format}`,
    about: 'false_label',
  })
}

function formatNamed(name: string): string {
  const plain = name.replace(/^x-/, '')
  return sameFormat[plain] ?? plain
}
