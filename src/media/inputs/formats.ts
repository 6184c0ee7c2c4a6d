import type { MediaKind } from '../media-facts.ts'

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

const byEnding = new Map<string, Format>()
for (const kind of ['image', 'video', 'audio', 'document'] as const) {
  for (const ending of endings[kind]) byEnding.set(ending, { kind, format: synonyms[ending] ?? ending })
}

/** What the ending of a path promises, or undefined. A promise only: where bytes are at hand, the bytes tell. */
export function formatOfPath(path: string): Format | undefined {
  const ending = /\.([a-z0-9]{1,8})$/i.exec(path)?.[1]
  return ending === undefined ? undefined : byEnding.get(ending.toLowerCase())
}
