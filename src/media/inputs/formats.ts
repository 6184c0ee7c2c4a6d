import type { MediaKind } from '../../emulator/ground.ts'

export interface Format {
  kind: MediaKind
  format: string
}

const endings = {
  image: 'jpg jpeg png webp bmp tif tiff gif heic heif avif',
  video: 'mp4 m4v mov webm mkv',
  audio: 'mp3 wav aac m4a ogg flac',
  document: 'pdf txt md html doc docx xls xlsx ppt pptx key pages numbers',
} as const satisfies Record<MediaKind, string>

const synonyms: Record<string, string> = { jpg: 'jpeg', tif: 'tiff', m4v: 'mp4' }

/** The formats by ending. A table, made when the module is loaded. */
const byEnding = new Map<string, Format>()
for (const kind of ['image', 'video', 'audio', 'document'] as const) {
  for (const ending of endings[kind].split(' '))
    byEnding.set(ending, { kind, format: synonyms[ending] ?? ending })
}

/** Formats whose media type has another name. */
const formatOfType: Readonly<Record<string, string>> = {
  'audio/mpeg': 'mp3',
  'audio/mp4': 'm4a',
  'audio/wav': 'wav',
  'audio/x-wav': 'wav',
  'image/pjpeg': 'jpeg',
  'video/quicktime': 'mov',
}

/** Endings of programs on servers, which may answer with any file. */
const programs = ['php', 'cgi', 'asp', 'com']

/**
 * The format that an ending means, for a file that is not read: one of our formats, or another one in the registry of media types.
 * `kind` is the first half of its media type. Undefined for an ending of no format, such as `.v2`.
 */
export async function namedByEnding(path: string): Promise<{ kind: string; format: string } | undefined> {
  const ending = /\.([a-z0-9]{1,12})$/i.exec(path)?.[1]?.toLowerCase()
  if (ending === undefined || programs.includes(ending)) return undefined
  const own = byEnding.get(ending)
  if (own) return own
  // Loaded when first needed: the registry is large, and most inputs are read or have a common ending.
  const { default: registry } = await import('mime-types')
  const type = registry.lookup(ending)
  if (type === false) return undefined
  const [kind = '', name = ''] = type.split('/')
  const format = formatOfType[type] ?? byEnding.get(name)?.format ?? ending
  return { kind, format }
}

/** The format by the ending of a path; undefined for an unknown ending. When the bytes are known, they decide instead. */
export function formatOfPath(path: string): Format | undefined {
  const ending = /\.([a-z0-9]{1,8})$/i.exec(path)?.[1]
  return ending === undefined ? undefined : byEnding.get(ending.toLowerCase())
}

/**
 * The format of a file by its first bytes, not by its label; undefined when it is unknown.
 * For mp4, mov, webm and ogg the kind is provisional: the tracks inside decide between video and audio.
 */
export function sniff(bytes: Buffer): Format | undefined {
  for (const [kind, format, offset, magic] of signatures) {
    if (startsWith(bytes, magic, offset)) return { kind, format }
  }
  return sniffRiff(bytes) ?? sniffBoxes(bytes) ?? sniffFrames(bytes) ?? sniffZip(bytes) ?? sniffText(bytes)
}

const signatures: readonly (readonly [Format['kind'], string, number, string])[] = [
  ['image', 'jpeg', 0, '\xff\xd8\xff'],
  ['image', 'png', 0, '\x89PNG\r\n\x1a\n'],
  ['image', 'gif', 0, 'GIF87a'],
  ['image', 'gif', 0, 'GIF89a'],
  ['image', 'tiff', 0, 'II*\0'],
  ['image', 'tiff', 0, 'MM\0*'],
  ['image', 'bmp', 0, 'BM'],
  ['video', 'webm', 0, '\x1aE\xdf\xa3'],
  ['audio', 'mp3', 0, 'ID3'],
  ['audio', 'ogg', 0, 'OggS'],
  ['audio', 'flac', 0, 'fLaC'],
  ['document', 'pdf', 0, '%PDF-'],
  ['document', 'doc', 0, '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1'],
]

function startsWith(bytes: Buffer, magic: string, offset: number): boolean {
  return bytes.length >= offset + magic.length && text(bytes, offset, offset + magic.length) === magic
}

function text(bytes: Buffer, from: number, to: number): string {
  return bytes.toString('latin1', from, to)
}

function sniffRiff(bytes: Buffer): Format | undefined {
  if (!startsWith(bytes, 'RIFF', 0)) return undefined
  if (startsWith(bytes, 'WEBP', 8)) return { kind: 'image', format: 'webp' }
  return startsWith(bytes, 'WAVE', 8) ? { kind: 'audio', format: 'wav' } : undefined
}

const brands: Record<string, Format> = { 'qt  ': { kind: 'video', format: 'mov' } }
for (const brand of ['heic', 'heix', 'heim', 'heis']) brands[brand] = { kind: 'image', format: 'heic' }
for (const brand of ['mif1', 'msf1']) brands[brand] = { kind: 'image', format: 'heif' }
for (const brand of ['avif', 'avis']) brands[brand] = { kind: 'image', format: 'avif' }
for (const brand of ['M4A ', 'M4B ']) brands[brand] = { kind: 'audio', format: 'm4a' }

function sniffBoxes(bytes: Buffer): Format | undefined {
  const type = text(bytes, 4, 8)
  if (type === 'ftyp') return brands[text(bytes, 8, 12)] ?? { kind: 'video', format: 'mp4' }
  // QuickTime files older than the ftyp box begin with one of these.
  const isOldMovie = bytes.length > 16 && ['moov', 'mdat', 'wide', 'free', 'skip'].includes(type)
  return isOldMovie ? { kind: 'video', format: 'mov' } : undefined
}

/** MPEG audio and ADTS have no magic number, only a frame header that begins with eleven or twelve ones. */
function sniffFrames(bytes: Buffer): Format | undefined {
  if (bytes.length < 4) return undefined
  const head = bytes.readUInt16BE(0)
  if ((head & 0xfff6) === 0xfff0) return { kind: 'audio', format: 'aac' }
  const isLayer3 = (head & 0xffe6) === 0xffe2
  const rates = bytes.readUInt8(2)
  const isPossible = (rates & 0xf0) !== 0xf0 && (rates & 0x0c) !== 0x0c
  return isLayer3 && isPossible ? { kind: 'audio', format: 'mp3' } : undefined
}

/** Office files are ZIP archives; the names of their parts, which are not compressed, give the format. */
function sniffZip(bytes: Buffer): Format | undefined {
  if (!startsWith(bytes, 'PK\x03\x04', 0)) return undefined
  const parts: readonly (readonly [string, string])[] = [
    ['word/', 'docx'],
    ['xl/', 'xlsx'],
    ['ppt/', 'pptx'],
    ['.iwa', 'pages'],
  ]
  const found = parts.find(([name]) => bytes.includes(name, 0, 'latin1'))
  return found ? { kind: 'document', format: found[1] } : undefined
}

function sniffText(bytes: Buffer): Format | undefined {
  const start = bytes.subarray(0, 4096)
  if (start.length === 0 || start.some(byte => byte < 32 && ![9, 10, 12, 13].includes(byte))) return undefined
  if (!isUtf8(start)) return undefined
  const isPage = /^\s*(<!doctype html|<html)/i.test(start.toString('latin1'))
  return { kind: 'document', format: isPage ? 'html' : 'txt' }
}

function isUtf8(start: Buffer): boolean {
  try {
    // As a stream, so that a character that the sample cuts in half is not an error.
    new TextDecoder('utf-8', { fatal: true }).decode(start, { stream: true })
    return true
  } catch {
    return false
  }
}
