import { invalid, missing } from '../../../faults/fault.ts'
import { oneOf, shown } from '../../../wording/shown.ts'
import { given } from '../rules.ts'
import type { Model, Slot } from './models.ts'
import type { ContentItem, VideoBody } from './schema.ts'

/** One media item. `param` is the path of its address in the request body. */
export interface MediaItem {
  type: string
  kind: 'image' | 'video'
  url: string
  param: string
}

export interface ElementItem {
  id: string
  param: string
}

/** The contents of a request. */
export interface Contents {
  prompt: string
  media: readonly MediaItem[]
  elements: readonly ElementItem[]
  /** Keys that were ignored because another key has the same meaning: a prompt item beside `prompt`. */
  unread: readonly string[]
}

/**
 * Reads the items by the slots of the model. Throws for the first item that has no slot or exceeds it, and for a required item
 * that is missing.
 */
export function readContents(
  { prompt, contents }: Pick<VideoBody, 'prompt' | 'contents'>,
  model: Model,
): Contents {
  const media: MediaItem[] = []
  const elements: ElementItem[] = []
  let text: { value: string; param: string } | undefined
  const counts = new Map<string, number>()
  contents.forEach((item, index) => {
    const at = `contents[${index}]`
    const slot = slotOf(item.type, at, model)
    if (isLeftOut(item, slot)) return
    countItem(counts, item.type, slot, model)
    if (slot.holds === 'text') text = { value: textOf(item, at), param: `${at}.text` }
    else if (slot.holds === 'element') elements.push({ id: elementId(item, at), param: `${at}.element_id` })
    else media.push({ type: item.type, kind: slot.holds, url: urlOf(item, at), param: `${at}.url` })
  })
  checkRequired(counts, model)
  const top = given(prompt)
  checkPrompt(top === undefined ? text : { value: top, param: 'prompt' }, model)
  return {
    prompt: top ?? text?.value ?? '',
    media,
    elements,
    unread: top !== undefined && text ? [text.param] : [],
  }
}

function slotOf(type: string, at: string, model: Model): Slot {
  const slot = Object.hasOwn(model.slots, type) ? model.slots[type] : undefined
  if (slot) return slot
  throw invalid(
    `${at}.type`,
    `${shown(type)} is not supported by ${model.title}, ${oneOf(Object.keys(model.slots))}`,
  )
}

/** An optional item without a value counts as absent, as in vendors' examples (K-empty). */
function isLeftOut({ url, text }: ContentItem, { holds, isRequired }: Slot): boolean {
  if (isRequired) return false
  return holds === 'text' ? text === '' : holds !== 'element' && url === ''
}

function countItem(counts: Map<string, number>, type: string, slot: Slot, model: Model): void {
  const found = (counts.get(type) ?? 0) + 1
  counts.set(type, found)
  if (found > slot.most)
    throw invalid(
      'contents',
      `at most ${slot.most} ${slot.most === 1 ? 'item' : 'items'} of type ${type} with ${model.title}`,
    )
}

function textOf({ text }: ContentItem, at: string): string {
  if (text === undefined) throw missing(`${at}.text`)
  return text
}

function urlOf({ url }: ContentItem, at: string): string {
  if (given(url) === undefined) throw missing(`${at}.url`)
  return url ?? ''
}

/** Upstream writes these ids as numbers in lists and as strings in requests. */
function elementId({ element_id: id }: ContentItem, at: string): string {
  if (id === undefined || id === '') throw missing(`${at}.element_id`)
  return String(id)
}

function checkRequired(counts: ReadonlyMap<string, number>, model: Model): void {
  for (const [type, { isRequired }] of Object.entries(model.slots)) {
    if (isRequired && !counts.has(type)) throw invalid('contents', `an item of type ${type} is required`)
  }
  if (counts.has('last_frame') && !counts.has('first_frame'))
    throw invalid('contents', 'a last_frame needs a first_frame')
  if (counts.has('base_video') && counts.has('feature_video'))
    throw invalid('contents', 'at most one video, either base_video or feature_video')
}

function checkPrompt(prompt: { value: string; param: string } | undefined, model: Model): void {
  const length = prompt ? [...prompt.value].length : 0
  if (prompt && length > model.longestPrompt)
    throw invalid(
      prompt.param,
      `has ${length} characters, at most ${model.longestPrompt} with ${model.title}`,
    )
}
