import type { MediaLimits } from '../../../../media/index.ts'
import { invalid, missing } from '../../../faults/fault.ts'
import type { Call } from '../../../pipeline/endpoint.ts'
import { fixedCharge } from '../../../tasks/ledger.ts'
import { oneOf, shown } from '../../../wording/shown.ts'
import type { MediaFacts } from '../../../worlds/media-facts.ts'
import type { Task } from '../../../worlds/task.ts'
import type { Account } from '../../../worlds/world.ts'
import { checkGroup } from '../../create-rules.ts'
import { aspectOf } from '../../geometry.ts'
import { checkLinked, notesOn } from '../../input-media.ts'
import { chooseModel, priceOf } from '../../models.ts'
import { mediaOrder, type Order } from '../../order.ts'
import { captionWordOf, carried, type Pictures, picturesFrom, runningMs } from '../../video-recipe.ts'
import type { Audio, Model, Slot, VideoOperation } from '../facts.ts'
import { fps, framesOf, type Resolution, sizeOf, type VideoJob } from '../job.ts'
import { checkElement } from '../presets.ts'
import { admitTask, type Chosen, given, imageLimits, readOptions, snowflake } from '../rules.ts'
import type { ContentItem, Settings, VideoBody } from './schema.ts'

/** A request that passed all checks that need no media. */
interface Checked {
  operation: VideoOperation
  model: Model & { id: string }
  contents: Contents
  settings: ChosenSettings
  chosen: Chosen
}

/** Checks a video after its shape was checked, in the order of A-order. */
export function createVideo(call: Call, operation: VideoOperation): Order<readonly MediaFacts[]> {
  const body = call.body as VideoBody
  const model = chooseModel(call, call.params.model ?? '', operation.models)
  const chosen = readOptions(call, body)
  const settings = readSettings(body.settings ?? {}, model, call.account)
  const contents = readContents(body, model)
  for (const element of contents.elements) checkElement(call, element)
  checkShapeIsGiven(settings, contents)
  if (contents.prompt === '' && contents.media.length === 0) throw missing('prompt')
  if (contents.unread.length > 0)
    call.trace.unread = [...new Set([...(call.trace.unread ?? []), ...contents.unread])]
  const checked = { operation, model, contents, settings, chosen }
  const references = contents.media.map(({ kind, url, param }) => {
    if (kind === 'video') checkLinked(param, url)
    return {
      reference: url,
      kind,
      param,
      limits: limitsOf(kind, checked),
      ...(kind === 'image' && { rawBase64: true }),
      ...(kind === 'video' && settings.audio === 'original' && { keepSound: true }),
    }
  })
  return mediaOrder(call, references, media => store(call, checked, media))
}

/**
 * The limits of an input. With the orientation of the picture a video may have at most 10 s; with that of the
 * video it may be longer.
 */
function limitsOf(kind: MediaItem['kind'], { operation, settings }: Checked): MediaLimits {
  if (kind === 'image') return imageLimits(50)
  const { min = 3, max = 10 } = operation.videoSeconds ?? {}
  return {
    formats: ['mp4', 'mov'],
    maxBytes: 200 * 1024 * 1024,
    sidePx: { min: 300 },
    aspect: { min: 0.4, max: 2.5 },
    seconds: { min, max: settings.orientation === 'image' ? 10 : max, tolerance: 0.2 },
  }
}

function store(call: Call, checked: Checked, media: readonly MediaFacts[]): Task {
  const { operation, model, chosen } = checked
  const { length, billedSeconds } = lengthOf(checked, media)
  const price = priceOf(call, operation.price ?? `${model.id}.per_second`)
  return admitTask(call, chosen.externalId, random => {
    const job: VideoJob = {
      kind: 'video',
      prompt: checked.contents.prompt,
      resolution: checked.settings.resolution,
      size: sizeOf(checked.settings.resolution, aspectFor(checked, media)),
      frames: length,
      audio: checked.settings.audio !== 'off',
      ...(checked.settings.audio === 'original' && { sound: originalSound(media) }),
      watermark: chosen.watermark,
      outputId: snowflake(random, call.now),
      pictures: picturesOf(checked.contents, media),
      about: [
        ...captionWordOf(checked.contents.media.some(({ type }) => type === 'base_video') ? 'edit' : ''),
        checked.settings.resolution,
        ...checked.contents.elements.map(({ id }) => `element ${id}`),
      ],
    }
    return {
      kind: operation.kind,
      model: call.params.model ?? model.id,
      job,
      runningMs: runningMs({ size: job.size, seconds: job.frames / fps }),
      charge: fixedCharge(price * billedSeconds),
      notes: notesOn(media),
    }
  })
}

/** A motion video is as long as its input video, an edit as its base video; other videos are as long as requested. */
function lengthOf({ contents, settings }: Checked, media: readonly MediaFacts[]) {
  const leading = contents.media.findIndex(({ type }) => type === 'video' || type === 'base_video')
  const seconds = media[leading]?.seconds
  if (seconds === undefined) return { length: framesOf(settings.seconds), billedSeconds: settings.seconds }
  return { length: Math.round(seconds * fps), billedSeconds: Math.round(seconds * 1000) / 1000 }
}

/** The sound of the request's input video. */
function originalSound(media: readonly MediaFacts[]) {
  return carried(media.find(({ kind }) => kind === 'video'))
}

/** Width divided by height: of the first frame, else of the video, else as requested (K-size). */
function aspectFor({ contents, settings }: Checked, media: readonly MediaFacts[]): number {
  const guide =
    media[contents.media.findIndex(({ type }) => type === 'first_frame' || type === 'image')] ??
    media[contents.media.findIndex(({ kind }) => kind === 'video')]
  if (guide?.widthPx && guide.heightPx) return guide.widthPx / guide.heightPx
  return aspectOf(settings.aspectRatio ?? '16:9')
}

const openings: readonly string[] = ['first_frame', 'image', 'base_video']
const shownBeside: readonly string[] = ['refer_image', 'feature_video', 'video']

function picturesOf({ media: items }: Contents, media: readonly MediaFacts[]): Pictures {
  const postersOf = (types: readonly string[]) =>
    media.flatMap(({ poster }, index) => (poster && types.includes(items[index]?.type ?? '') ? poster : []))
  const [first] = postersOf(openings)
  // An edit keeps the ends of its video.
  const edited = media[items.findIndex(({ type }) => type === 'base_video')]
  const last = edited?.lastPoster ?? postersOf(['last_frame'])[0]
  return picturesFrom({ first, last, references: postersOf(shownBeside) })
}

/** Settings with every default filled in (K-settings). */
interface ChosenSettings {
  resolution: Resolution
  seconds: number
  audio: Audio
  aspectRatio?: string
  orientation?: 'image' | 'video'
}

/** Fills in defaults and checks what depends on the model or on the account's group. */
function readSettings(settings: Settings, model: Model, account: Account): ChosenSettings {
  const resolution = given(settings.resolution) ?? '720p'
  checkResolution(resolution, model, account)
  const aspectRatio = given(settings.aspect_ratio)
  return {
    resolution,
    seconds: given(settings.duration) ?? 5,
    audio: readAudio(settings, model),
    ...(aspectRatio !== undefined && { aspectRatio }),
    ...(settings.character_orientation && { orientation: settings.character_orientation }),
  }
}

/** Spec, "Errors" rule 1: "Resolution not allowed for the model or group gives 400 and no charge". */
function checkResolution(resolution: Resolution, model: Model, account: Account): void {
  const param = 'settings.resolution'
  if (!model.resolutions.includes(resolution))
    throw invalid(param, `${resolution} is not supported by ${model.title}, ${oneOf(model.resolutions)}`)
  checkGroup({ param, resolution, offered: model.resolutions }, account)
}

/** Turbo has no audio setting and always has sound, so the key is ignored there. */
function readAudio(settings: Settings, { audio, title }: Model): ChosenSettings['audio'] {
  if (audio === null) return 'native'
  const chosen = given(settings.audio) ?? audio[0]
  if (!audio.includes(chosen))
    throw invalid('settings.audio', `${chosen} is not supported by ${title}, ${oneOf(audio)}`)
  return chosen
}

/** An omni video without a first frame and without a video needs `settings.aspect_ratio` (K-beyond). */
function checkShapeIsGiven({ aspectRatio }: ChosenSettings, { media }: Contents): void {
  const decides = media.some(
    ({ type, kind }) => type === 'first_frame' || type === 'image' || kind === 'video',
  )
  if (!decides && aspectRatio === undefined) throw missing('settings.aspect_ratio')
}

/** One media item. `param` is the path of its address in the request body. */
interface MediaItem {
  type: string
  kind: 'image' | 'video'
  url: string
  param: string
}

interface ElementItem {
  id: string
  param: string
}

/** The contents of a request. */
interface Contents {
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
function readContents({ prompt, contents }: Pick<VideoBody, 'prompt' | 'contents'>, model: Model): Contents {
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
