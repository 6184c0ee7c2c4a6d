import { type FaultError, invalid } from '../faults/fault-error.ts'
import { shown } from '../wording/shown.ts'

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

/** Other names of formats that labels of data URIs use. */
const sameFormat: Readonly<Record<string, string>> = {
  jpg: 'jpeg',
  pjpeg: 'jpeg',
  tif: 'tiff',
  'x-ms-bmp': 'bmp',
  heif: 'heic',
}

/** Refuses a data URI whose label names another format than its bytes have. A label without a known format passes. */
export function checkLabel(param: string, reference: string, format: string): void {
  const label = /^data:([^;,]*)/.exec(reference.slice(0, 200))?.[1]
  if (label === undefined || label === 'application/octet-stream') return
  const named = label.replace(/^image\//, '')
  if ((sameFormat[named] ?? named) === (sameFormat[format] ?? format)) return
  throw invalid(param, `the data URI says ${label} and holds ${format}, must be image/${format}`)
}
