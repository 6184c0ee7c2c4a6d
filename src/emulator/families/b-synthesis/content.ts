import { FaultError, invalid, missing } from '../../faults/fault.ts'
import { excerpt } from '../../worlds/excerpt.ts'
import type { MediaKind } from '../../worlds/media-facts.ts'
import type { CreateBody, MediaType } from './schema.ts'

/**
 * The mode that the combination of inputs selects. With a reference video, words of the prompt decide about `edit` and `extend`.
 */
export const modes = ['text', 'first_frame', 'first_last_frame', 'reference', 'edit', 'extend'] as const
export type Mode = (typeof modes)[number]

/** One media item. `param` is the path of its address in the request body. */
export interface MediaItem {
  type: MediaType
  url: string
  param: string
}

/** What the input of a create request asks for. */
export interface Content {
  mode: Mode
  prompt: string
  /** Number of characters that were cut off the prompt. */
  cutCharacters: number
  media: readonly MediaItem[]
}

interface Sort {
  /** A `page` is a web page; upstream opens it, the emulator does not. */
  kind: MediaKind | 'page'
  most: number
}

/** Kinds and largest counts, as upstream publishes them (B-media). */
export const sorts: Readonly<Record<MediaType, Sort>> = {
  first_frame: { kind: 'image', most: 1 },
  last_frame: { kind: 'image', most: 1 },
  reference_image: { kind: 'image', most: 10 },
  reference_video: { kind: 'video', most: 5 },
  reference_audio: { kind: 'audio', most: 5 },
  file: { kind: 'document', most: 1 },
  link: { kind: 'page', most: 1 },
}

const mostCharacters = 20_000

/** Reads prompt and media and checks their combination (B-media). Throws the first fault. */
export function readContent({ prompt = '', media = [] }: CreateBody['input']): Content {
  if (media.length === 0 && prompt.trim() === '') throw missing('input.prompt')
  const items = media.map(({ type, url }, index) => ({ type, url, param: `input.media[${index}].url` }))
  checkCombination(items)
  return { mode: modeOf(items, prompt), ...cutPrompt(prompt), media: items }
}

/** Upstream cuts a long prompt without saying so (B-prompt). A character is a code point, so no emoji is cut in half. */
function cutPrompt(prompt: string): Pick<Content, 'prompt' | 'cutCharacters'> {
  if (prompt.length <= mostCharacters) return { prompt, cutCharacters: 0 }
  let characters = 0
  let units = 0
  for (const character of prompt) if (characters++ < mostCharacters) units += character.length
  return { prompt: excerpt(prompt, units), cutCharacters: Math.max(0, characters - mostCharacters) }
}

function checkCombination(items: readonly MediaItem[]): void {
  const count = (type: MediaType) => items.filter(item => item.type === type).length
  const frames = count('first_frame') + count('last_frame')
  if (frames > 0 && frames < items.length) {
    throw new FaultError('invalid_parameter', {
      param: 'input.media',
      message:
        'The two modes are mutually exclusive. Do not pass reference_xx and first_frame/last_frame at the same time.',
    })
  }
  for (const [type, { most }] of Object.entries(sorts) as [MediaType, Sort][]) {
    const found = count(type)
    if (found > most)
      throw invalid('input.media', `expected at most ${most} of type ${type} but got ${found}`)
  }
  if (count('last_frame') > count('first_frame'))
    throw invalid('input.media', 'a last_frame needs a first_frame')
  if (count('file') > 0 && count('link') > 0)
    throw invalid('input.media', 'file and link must not be given together')
}

const extendWords = /\b(?:extend|continu|prolong)(?:e?[sd]|ing|e)?\b|延长|延续|续写|向前延|向后延/i
/** The words of an extension that ends where its video begins, and does not begin where it ends. */
const backwardWords =
  /\b(?:extend|continu|prolong)\w* (?:(?:it|this|(?:the )?video ?\d*|the \w+) )*backwards?\b|\bbefore (?:the )?video|\bprequel\b|(?:向前|往前)(?:延|续)|视频\d*的?(?:之前|前面)/i
const editWords =
  /\b(?:(?:edit|add)(?:s|ed|ing)?|(?:remov|delet|replac|chang)(?:e[sd]?|ing)|(?:convert|turn)(?:s|ed|ing)?|modif(?:y|ies|ied|ying))\b|编辑|添加|移除|删除|替换|修改|转换|改成|换成/i

export function goesBackward({ mode, prompt }: Pick<Content, 'mode' | 'prompt'>): boolean {
  return mode === 'extend' && backwardWords.test(prompt)
}

function modeOf(items: readonly MediaItem[], prompt: string): Mode {
  const has = (type: MediaType) => items.some(item => item.type === type)
  if (items.length === 0) return 'text'
  if (has('last_frame')) return 'first_last_frame'
  if (has('first_frame')) return 'first_frame'
  if (!has('reference_video')) return 'reference'
  if (extendWords.test(prompt)) return 'extend'
  return editWords.test(prompt) ? 'edit' : 'reference'
}
