import { FaultError, invalid, missing } from '../../faults/fault.ts'
import { shown } from '../../wording/shown.ts'
import type { Model } from './models.ts'
import type { ContentItem } from './schema.ts'

/** The mode that the combination of content items selects; the names are upstream's. */
export type Mode = 't2v' | 'i2v' | 'flf2v' | 'r2v'
export type MediaSort = 'image' | 'video' | 'audio'

/** One media item. `param` is the path of its address in the request body. */
export interface MediaItem {
  sort: MediaSort
  role: 'first_frame' | 'last_frame' | 'reference'
  url: string
  param: string
}

/** What the content of a create request asks for. */
export interface Content {
  mode: Mode
  prompt: string
  media: readonly MediaItem[]
}

const kinds = { image_url: 'image', video_url: 'video', audio_url: 'audio' } as const
const mixing = 'first/last frame content cannot be mixed with reference media content'

/** Reads the content items and checks their combination (A-content). Throws the first fault, in upstream's words. */
export function readContent(items: readonly ContentItem[], model: Model): Content {
  const texts: string[] = []
  const raw: RawItem[] = []
  items.forEach((item, index) => {
    if (item.type === 'text') texts.push(textOf(item, index))
    else raw.push(mediaOf(item, index))
  })
  const prompt = texts.filter(text => text.trim() !== '').join('\n')
  if (raw.length === 0) return textOnly(prompt)
  const media = withRoles(raw)
  const mode = modeOf(media)
  if (mode === 'r2v') checkCounts(media, model)
  return { mode, prompt, media }
}

function textOnly(prompt: string): Content {
  if (prompt === '') throw invalid('content', 'text must not be empty when there is no media')
  return { mode: 't2v', prompt, media: [] }
}

interface RawItem {
  sort: MediaSort
  role: string | undefined
  url: string
  param: string
}

function textOf(item: ContentItem, index: number): string {
  if (item.text === undefined) throw missing(`content[${index}].text`)
  return item.text
}

function mediaOf(item: ContentItem, index: number): RawItem {
  const { type } = item
  if (type !== 'image_url' && type !== 'video_url' && type !== 'audio_url') {
    throw invalid(
      `content[${index}].type`,
      `${shown(type)} is not supported, must be one of text, image_url, video_url, audio_url`,
    )
  }
  const url = item[type]?.url
  if (url === undefined) throw missing(`content[${index}].${type}.url`)
  const role = item.role === '' ? undefined : item.role
  return { sort: kinds[type], role, url, param: `content[${index}].${type}.url` }
}

function withRoles(raw: readonly RawItem[]): MediaItem[] {
  const images = raw.filter(item => item.sort === 'image')
  const others = raw.length - images.length
  // A single image needs no role: it is the first frame.
  if (images.length > 1 && images.some(item => item.role === undefined))
    throw invalid('content', 'role must be specified for image contents')
  return raw.map(item => {
    const { sort, url, param } = item
    if (sort === 'image') return { sort, url, param, role: imageRole(item.role, others) }
    if (item.role !== `reference_${sort}`)
      throw invalid('content', `reference media mode requires ${sort} role to be reference_${sort}`)
    return { sort, url, param, role: 'reference' }
  })
}

function imageRole(role: string | undefined, others: number): MediaItem['role'] {
  switch (role) {
    case undefined:
      if (others > 0) throw invalid('content', mixing)
      return 'first_frame'
    case 'first_frame':
    case 'last_frame':
      return role
    case 'reference_image':
      return 'reference'
    default:
      throw invalid(
        'content',
        `invalid role specified for image content: ${shown(role)}, must be one of first_frame, last_frame, reference_image`,
      )
  }
}

function modeOf(media: readonly MediaItem[]): Mode {
  const count = (role: MediaItem['role']) => media.filter(item => item.role === role).length
  const [first, last, references] = [count('first_frame'), count('last_frame'), count('reference')]
  if (first + last > 0 && references > 0) throw invalid('content', mixing)
  if (first > 1)
    throw invalid('content', `expected at most one first frame image content but got ${first} instead`)
  if (last > 1)
    throw invalid('content', `expected at most one last frame image content but got ${last} instead`)
  if (last === 1 && first === 0)
    throw invalid('content', 'a last frame image content needs a first frame image content')
  if (last === 1) return 'flf2v'
  if (first === 1) return 'i2v'
  return references > 0 ? 'r2v' : 't2v'
}

const nouns: Readonly<Record<MediaSort, string>> = {
  image: 'reference images',
  video: 'video contents',
  audio: 'audio contents',
}

function checkCounts(media: readonly MediaItem[], model: Model): void {
  for (const sort of ['image', 'video', 'audio'] as const) {
    const count = media.filter(item => item.sort === sort).length
    const most = model.counts[sort]
    if (count > most)
      throw invalid('content', `expected at most ${most} ${nouns[sort]} but got ${count} instead`)
  }
  if (!model.allowsAudioAlone && media.every(item => item.sort === 'audio')) {
    throw new FaultError('invalid_parameter', {
      param: 'content',
      reason: 'reference_audio cannot be the only reference input',
    })
  }
}
