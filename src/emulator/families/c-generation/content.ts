import { FaultError, invalid, missing } from '../../faults/fault.ts'
import { oneOf, shown } from '../../wording/shown.ts'
import type { ContentItem } from './schema.ts'

/** The mode that the combination of content items selects. */
export type Mode = 'text' | 'first_frame' | 'last_frame' | 'first_last_frame' | 'reference'
export type MediaSort = 'image' | 'video' | 'audio'
export type Role =
  | 'first_frame'
  | 'last_frame'
  | 'reference_image'
  | 'reference_video'
  | 'reference_audio'
  | 'base_video'

/** One media item. `param` is the path of its address in the request body. */
export interface MediaItem {
  sort: MediaSort
  role: Role
  url: string
  param: string
}

/** What the content of a request asks for. */
export interface Content {
  mode: Mode
  prompt: string
  /** All media, including a base video. */
  media: readonly MediaItem[]
}

/** The purpose of a content. A regeneration has a base video; its text may be longer or missing (C-regeneration). */
export type Purpose = 'generation' | 'regeneration'

const longestText: Readonly<Record<Purpose, number>> = { generation: 7000, regeneration: 40_000 }

/** C-content: the largest number of references, by sort and in total. */
const mostReferences = { image: 9, video: 3, audio: 3 }
const mostFiles = 12

const kinds = {
  image_url: { sort: 'image', roles: ['first_frame', 'last_frame', 'reference_image'] },
  video_url: { sort: 'video', roles: ['reference_video', 'base_video'] },
  audio_url: { sort: 'audio', roles: ['reference_audio'] },
} as const satisfies Record<string, { sort: MediaSort; roles: readonly Role[] }>

/** Reads the items and checks their combination (C-content). Throws the first fault. */
export function readContent(items: readonly ContentItem[], purpose: Purpose): Content {
  const prompt = promptOf(items, purpose)
  const images = items.filter(item => item.type === 'image_url').length
  const media = items.flatMap((item, index) =>
    item.type === 'text' ? [] : [mediaOf(item, { index, purpose, isOnlyImage: images === 1 })],
  )
  checkBaseVideos(media, purpose)
  const mode = modeOf(media)
  if (mode === 'reference') checkReferences(media)
  return { mode, prompt, media }
}

function promptOf(items: readonly ContentItem[], purpose: Purpose): string {
  const texts = items.flatMap((item, index) => {
    if (item.type !== 'text') return []
    if (item.text === undefined) throw missing(`content[${index}].text`)
    return item.text.trim() === '' ? [] : [{ text: item.text, index }]
  })
  if (texts.length > 1)
    throw invalid('content', `has ${texts.length} non-empty text items, must have exactly one`)
  const [found] = texts
  if (!found) {
    if (purpose === 'regeneration') return ''
    throw new FaultError('invalid_parameter', {
      param: 'content',
      message: 'invalid params, content must include a non-empty text item (prompt is required)',
    })
  }
  const length = [...found.text].length
  if (length > longestText[purpose])
    throw invalid(
      `content[${found.index}].text`,
      `has ${length} characters, must have at most ${longestText[purpose]}`,
    )
  return found.text
}

function mediaOf(
  item: ContentItem,
  { index, purpose, isOnlyImage }: { index: number; purpose: Purpose; isOnlyImage: boolean },
): MediaItem {
  const { type } = item
  if (type !== 'image_url' && type !== 'video_url' && type !== 'audio_url')
    throw invalid(
      `content[${index}].type`,
      `${shown(type)} is not allowed, ${oneOf(['text', ...Object.keys(kinds)])}`,
    )
  const address = item[type]?.url
  if (address === undefined) throw missing(`content[${index}].${type}.url`)
  const { sort, roles } = kinds[type]
  // A single image needs no role: it is the first frame.
  const given = item.role || (type === 'image_url' && isOnlyImage ? 'first_frame' : undefined)
  const usable: readonly Role[] =
    purpose === 'regeneration' ? roles : roles.filter(name => name !== 'base_video')
  if (given === undefined) throw missing(`content[${index}].role`)
  const role = usable.find(name => name === given)
  if (role === undefined)
    throw invalid(`content[${index}].role`, `${shown(given)} is not allowed here, ${oneOf(usable)}`)
  return { sort, role, url: address, param: `content[${index}].${type}.url` }
}

/** Spec, "Endpoints": a regeneration's content has "exactly one item with `role` = `base_video`". */
function checkBaseVideos(media: readonly MediaItem[], purpose: Purpose): void {
  const count = media.filter(item => item.role === 'base_video').length
  if (purpose === 'regeneration' && count !== 1)
    throw invalid('content', `has ${count} items with role base_video, must have exactly one`)
}

function modeOf(media: readonly MediaItem[]): Mode {
  const count = (role: Role) => media.filter(item => item.role === role).length
  const [first, last] = [count('first_frame'), count('last_frame')]
  const references = media.filter(isReference).length
  if (first + last > 0 && references > 0)
    throw invalid('content', 'first and last frames cannot be mixed with reference material')
  if (first > 1) throw invalid('content', `has ${first} items with role first_frame, must have at most one`)
  if (last > 1) throw invalid('content', `has ${last} items with role last_frame, must have at most one`)
  if (references > 0) return 'reference'
  if (first === 1) return last === 1 ? 'first_last_frame' : 'first_frame'
  return last === 1 ? 'last_frame' : 'text'
}

function isReference({ role }: MediaItem): boolean {
  return role.startsWith('reference_')
}

function checkReferences(media: readonly MediaItem[]): void {
  const references = media.filter(isReference)
  for (const [sort, most] of Object.entries(mostReferences)) {
    const count = references.filter(item => item.sort === sort).length
    if (count > most)
      throw invalid('content', `has ${count} items with role reference_${sort}, must have at most ${most}`)
  }
  if (references.length > mostFiles)
    throw invalid('content', `has ${references.length} reference files, must have at most ${mostFiles}`)
  if (references.every(item => item.sort === 'audio'))
    throw invalid(
      'content',
      'reference_audio needs at least one reference_image or reference_video beside it',
    )
}
