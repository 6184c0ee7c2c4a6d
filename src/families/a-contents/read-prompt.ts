import { type Language, languages } from './prompt-words.ts'

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
  const clauses = prompt
    .slice(0, longestPrompt)
    .split(/[\n.。;；:：!！?？,，、()（）[\]"“”「」]+/)
    .map(clause => clause.trim().slice(0, longestClause))
  for (const [reading, signs] of order) {
    const because = clauses.find(clause => signs.some(sign => sign(clause)))
    if (because !== undefined) return { reading, because }
  }
  return { reading: 'reference', because: '' }
}

/** Patterns look at this much, so that no prompt takes long. */
const longestPrompt = 4000
const longestClause = 240

type Sign = (clause: string) => boolean

const signsOf = (kind: keyof Language): Sign[] =>
  languages.flatMap(language => language[kind].map(pattern => (clause: string) => pattern.test(clause)))
/** A clause that borrows does not change the video too. */
const notBorrowed = (signs: readonly Sign[]): Sign[] => {
  const borrows = signsOf('borrows')
  return signs.map(sign => clause => sign(clause) && !borrows.some(borrow => borrow(clause)))
}

/** The first that a clause shows decides: what is said about the video, then what is borrowed, then instructions without a name. */
const order: readonly (readonly [PromptRead['reading'], readonly Sign[]])[] = [
  ['extend', signsOf('extends')],
  ['edit', [...signsOf('edits'), ...signsOf('keeps')]],
  ['reference', signsOf('borrows')],
  ['extend', signsOf('extendsIt')],
  ['edit', notBorrowed(signsOf('editsIt'))],
]
