import type { MediaKind } from '../../worlds/media-facts.ts'

export interface Format {
  kind: MediaKind
  format: string
}

const endings: Record<MediaKind, readonly string[]> = {
  image: ['jpg', 'jpeg', 'png', 'webp', 'bmp', 'tif', 'tiff', 'gif', 'heic', 'heif', 'avif'],
  video: ['mp4', 'm4v', 'mov', 'webm', 'mkv'],
  audio: ['mp3', 'wav', 'aac', 'm4a', 'ogg', 'flac'],
  document: [
    'pdf',
    'txt',
    'md',
    'html',
    'doc',
    'docx',
    'xls',
    'xlsx',
    'ppt',
    'pptx',
    'key',
    'pages',
    'numbers',
  ],
}

const synonyms: Record<string, string> = { jpg: 'jpeg', tif: 'tiff', m4v: 'mp4' }

/** The formats by ending. A table, made when the module is loaded. */
const byEnding = new Map<string, Format>()
for (const kind of ['image', 'video', 'audio', 'document'] as const) {
  for (const ending of endings[kind]) byEnding.set(ending, { kind, format: synonyms[ending] ?? ending })
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
