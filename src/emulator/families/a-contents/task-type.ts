import { FaultError } from '../../faults/fault.ts'
import { late, lateFixture } from '../../package/files.ts'
import type { MediaFacts } from '../../worlds/media-facts.ts'
import type { Guess } from '../family.ts'
import type { Content } from './content.ts'
import type { Lengths, Model } from './models.ts'
import type { CreateBody } from './schema.ts'

/** The types of a task after `auto` was decided. */
export const taskTypes = ['text', 'first_frame', 'first_last_frame', 'reference', 'edit', 'extend'] as const
export type TaskType = (typeof taskTypes)[number]

const plainTypes = { t2v: 'text', i2v: 'first_frame', flf2v: 'first_last_frame' } as const

type Declared = CreateBody['omni_reference_task_type']

/** The type of the task: the declared one, or for `auto` the one that prompt and media suggest. */
export function taskTypeOf(content: Content, declared: Declared, model: Pick<Model, 'edits'>): TaskType {
  if (content.mode !== 'r2v') return plainTypes[content.mode]
  if (!model.edits) return 'reference'
  return isOpen(declared) ? (readingOf(content)?.reading ?? 'reference') : declared
}

function isOpen(declared: Declared): declared is 'auto' | undefined {
  return declared === undefined || declared === 'auto'
}

/** What the prompt says beside a reference video; undefined without one. */
function readingOf({ mode, prompt, media }: Content): PromptRead | undefined {
  return mode === 'r2v' && media.some(({ sort }) => sort === 'video') ? readPrompt(prompt) : undefined
}

/** Whether the prompt asks for another type than the declared one. Upstream fails such a task (A-task-type). */
export function contradictsPrompt(content: Content, declared: Declared): boolean {
  if (isOpen(declared)) return false
  const read = readingOf(content)
  return read !== undefined && read.because !== '' && read.reading !== declared
}

/**
 * How `auto` was read where the type decides about values that the request gives; undefined where nothing was guessed. No list of
 * words settles it, and the gateway may read the prompt otherwise.
 */
export function guessedType(content: Content, body: Partial<CreateBody>): Guess | undefined {
  const read = readingOf(content)
  if (!isOpen(body.omni_reference_task_type) || !read) return undefined
  if (body.ratio === undefined && body.duration === undefined) return undefined
  const why =
    read.because === '' ? 'nothing in the prompt says otherwise' : `the prompt says “${read.because}”`
  const text = `omni_reference_task_type auto was read as ${read.reading}, because ${why}; the gateway may read it otherwise and then refuse or ignore ratio and duration, so declare omni_reference_task_type: reference, edit or extend`
  return { reading: read.reading, text }
}

const descriptions: Readonly<Record<TaskType, string>> = {
  text: 'text to video',
  first_frame: 'image to video with a first frame; the output ratio follows the first frame',
  first_last_frame: 'image to video with a first and a last frame; the output ratio follows the first frame',
  reference: 'reference generation',
  edit: 'video editing; ratio and duration follow the input video',
  extend: 'video extension; the ratio follows the input video',
}

interface Issue {
  param: string
  text: string
}

/** A type of a model that has task-type rules. */
interface Typed {
  type: TaskType
  edits: Lengths
}

/**
 * Spec, "Task-type rules for 2.5" 1 to 4: the parts that depend on the request alone. The caller must send
 * conforming values; nothing is corrected.
 */
export function checkTaskType({ type, edits }: Typed, body: CreateBody, content: Content): void {
  const issues: Issue[] = []
  const hasVideo = content.media.some(item => item.sort === 'video')
  const ratio = body.ratio ?? 'adaptive'
  const duration = body.duration ?? -1
  if (type !== 'text' && type !== 'reference' && ratio !== 'adaptive')
    issues.push({ param: 'ratio', text: '`ratio` must be `adaptive`' })
  if (type === 'edit' && duration !== -1) issues.push({ param: 'duration', text: '`duration` must be -1' })
  if (type === 'edit' && !hasVideo)
    issues.push({
      param: 'content',
      text: `\`content\` must include a reference video of ${lengthsOf(edits)}`,
    })
  if (type === 'extend' && !hasVideo)
    issues.push({ param: 'content', text: '`content` must include a reference video' })
  if (issues.length > 0) throw broken({ type, edits }, issues, guessedType(content, body)?.text)
}

/**
 * Spec, "Task-type rules for 2.5" 2: an edit needs a reference video of a length in `edits`; further videos may be shorter
 * (A-task-type). The lengths are known after measuring. Throws `invalid_parameter` when no video has such a length.
 */
export function checkEditedVideos(
  { type, edits }: Typed,
  content: Content,
  facts: readonly MediaFacts[],
): void {
  if (type !== 'edit' || editedVideo(edits, content, facts) !== undefined) return
  const issues = content.media.flatMap((item, index) => {
    const seconds = item.sort === 'video' ? facts[index]?.seconds : undefined
    if (seconds === undefined) return []
    const param = item.param.replace(/\.url$/, '')
    return [{ param, text: `\`${param}\` is ${Math.round(seconds * 10) / 10} seconds` }]
  })
  if (issues.length > 0) throw broken({ type, edits }, issues)
}

/** The video that an edit changes: the first one of a fitting length, in tenths of a second. Undefined when there is none. */
export function editedVideo(
  { least, most }: Lengths,
  content: Content,
  facts: readonly MediaFacts[],
): MediaFacts | undefined {
  return facts.find(({ seconds = 0 }, index) => {
    const length = Math.round(seconds * 10) / 10
    return content.media[index]?.sort === 'video' && length >= least && length <= most
  })
}

function lengthsOf({ least, most }: Lengths): string {
  return `${least} to ${most} seconds`
}

function broken({ type, edits }: Typed, issues: readonly Issue[], guess?: string): FaultError {
  const list = issues.map(({ text }, index) => `[${index}] ${text}.`).join(' ')
  return new FaultError('invalid_parameter', {
    param: issues[0]?.param ?? '',
    code: 'InvalidParameter.TaskTypeConstraint',
    message: `The parameters ${[...new Set(issues.map(({ param }) => `\`${param}\``))].join(', ')} specified in the request are not valid: the task was identified as ${descriptions[type]}${type === 'edit' ? `, which must be ${lengthsOf(edits)} long` : ''}. Issues: ${list}${guess === undefined ? '' : ` Note: ${guess}.`}`,
  })
}

/** What a prompt asks for beside a reference video. */
interface PromptRead {
  reading: 'reference' | 'edit' | 'extend'
  /** The part of the prompt that decided; empty when nothing did. */
  because: string
}

/**
 * Reads a prompt that comes with a reference video: a task on the video itself, or a new video that borrows from it (A-task-type).
 * A verb counts when its object is the video or something in it; "video 1's camera, a chef replaces the pan" borrows. Words
 * cannot settle it, so callers are told what was read.
 */
export function readPrompt(prompt: string): PromptRead {
  const clauses = clausesOf(prompt)
  for (const [reading, isSign] of signs()) {
    const because = clauses.find(isSign)
    if (because !== undefined) return { reading, because }
  }
  return { reading: 'reference', because: '' }
}

/** Whether an extension is to end where the video begins, not to begin where it ends. */
export function goesBackward(prompt: string): boolean {
  return clausesOf(prompt).some(backward())
}

const backward = late(() => signOf('backward'))

function clausesOf(prompt: string): string[] {
  return prompt
    .slice(0, longestPrompt)
    .split(/[\n.。;；:：!！?？,，、()（）[\]"“”「」]+/)
    .map(clause => clause.trim().slice(0, longestClause))
}

/** Patterns look at this much, so that no prompt takes long. */
const longestPrompt = 4000
const longestClause = 240

type Sign = (clause: string) => boolean

/** The tests for the signs, made on first use; they do not change. Saves 1 ms for each prompt. */
const signs = late(orderedSigns)

/** The first that a clause shows decides: what is said about the video, then what is borrowed, then instructions without a name. */
function orderedSigns(): (readonly [PromptRead['reading'], Sign])[] {
  const [borrows, editsIt] = [signOf('borrows'), signOf('editsIt')]
  return [
    ['extend', signOf('extends')],
    ['edit', signOf('edits', 'keeps')],
    ['reference', borrows],
    ['extend', signOf('extendsIt')],
    // A clause that borrows does not change the video too.
    ['edit', clause => editsIt(clause) && !borrows(clause)],
  ]
}

/** The test for signs of some kinds, in all languages. */
function signOf(...kinds: (keyof Patterns)[]): Sign {
  const patterns = kinds.flatMap(kind =>
    Object.values(languages()).flatMap(language => patternsOf(language, kind)),
  )
  return clause => patterns.some(pattern => pattern.test(clause))
}

/** The file of patterns. Saves reading it again for each kind of sign. */
const languages = lateFixture<Record<string, Language>>('words/task-types.json')

/** Patterns of one language, in `fixtures/words/task-types.json`. */
interface Patterns {
  /** The video is continued at its end or before its start. */
  extends: readonly string[]
  /** Of these: the video is continued before its start. */
  backward: readonly string[]
  /** The video itself is changed. */
  edits: readonly string[]
  /** Everything else remains as it is. */
  keeps: readonly string[]
  /** Style, camera, motion, rhythm, voice and the like are taken from the video. */
  borrows: readonly string[]
  /** Instructions that do not name the video. */
  extendsIt: readonly string[]
  editsIt: readonly string[]
}

/** `{video}` in a pattern stands for the part of that name: how prompts name the video, the verbs of an instruction, and so on. */
interface Language extends Patterns {
  parts: Readonly<Record<string, string>>
}

/** Blanks in a pattern are any blanks. */
function patternsOf({ parts, ...patterns }: Language, kind: keyof Patterns): RegExp[] {
  const filled = (text: string): string =>
    text.replace(/\{([a-z]+)\}/g, (_, name: string) => filled(parts[name] ?? ''))
  return patterns[kind].map(text => new RegExp(filled(text).replaceAll(' ', '\\s+'), 'iu'))
}
