import { readFixture } from '../../package/files.ts'

/** What a prompt asks for beside a reference video. */
export interface PromptRead {
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
  signs ??= orderedSigns()
  const clauses = clausesOf(prompt)
  for (const [reading, isSign] of signs) {
    const because = clauses.find(isSign)
    if (because !== undefined) return { reading, because }
  }
  return { reading: 'reference', because: '' }
}

/** Whether an extension is to end where the video begins, not to begin where it ends. */
export function goesBackward(prompt: string): boolean {
  isBackward ??= signOf('backward')
  return clausesOf(prompt).some(isBackward)
}

/** The test for these signs, made on first use like the others. */
let isBackward: Sign | undefined

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
let signs: ReturnType<typeof orderedSigns> | undefined

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
  languages ??= Object.values(readFixture<Record<string, Language>>('words/task-types.json'))
  const read = languages
  const patterns = kinds.flatMap(kind => read.flatMap(language => patternsOf(language, kind)))
  return clause => patterns.some(pattern => pattern.test(clause))
}

/** The file of patterns. Saves reading it again for each kind of sign. */
let languages: readonly Language[] | undefined

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
