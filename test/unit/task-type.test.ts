import { describe, expect, it } from 'vitest'
import type { Content, MediaItem } from '../../src/emulator/families/a-contents/content.ts'
import {
  checkEditedVideos,
  readPrompt,
  taskTypeOf,
} from '../../src/emulator/families/a-contents/task-type.ts'
import { FaultError } from '../../src/emulator/faults/fault.ts'
import type { MediaFacts } from '../../src/emulator/worlds/media-facts.ts'
import { promptsOf } from '../support/task-type-corpus.ts'

const clip: MediaItem = { sort: 'video', role: 'reference', url: 'x', param: 'content[1].video_url.url' }
const still: MediaItem = { sort: 'image', role: 'reference', url: 'y', param: 'content[2].image_url.url' }
const typed = { edits: { least: 4, most: 30 } }
const content = (changes: Partial<Content> = {}): Content => ({
  mode: 'r2v',
  prompt: '',
  media: [clip],
  ...changes,
})

/** The parameter for which a task of this type with one video of this length is refused. */
function refusedAs(type: 'edit' | 'extend', given: Content, seconds: number): string | undefined {
  try {
    checkEditedVideos({ ...typed, type }, given, [{ seconds } as unknown as MediaFacts])
  } catch (error) {
    if (!(error instanceof FaultError)) throw error
    expect(error.detail.code).toBe('InvalidParameter.TaskTypeConstraint')
    return error.detail.param
  }
  return undefined
}

describe('taskTypeOf (A-task-type)', () => {
  it('reads words beside a video, and plain references without one', () => {
    const words = [
      ['edit the video so that it rains', 'edit'],
      ['Add a hat to the man', 'edit'],
      ['delete the car', 'edit'],
      ['modify the sky', 'edit'],
      ['replace the dog by a cat', 'edit'],
      ['change the colour', 'edit'],
      ['把天空改成夜晚', 'edit'],
      ['删除路人', 'edit'],
      ['extend it forward', 'extend'],
      ['Continue the story', 'extend'],
      ['extend backward by some seconds', 'extend'],
      ['an additional unchanged address', 'reference'],
      ['edit it', 'edit'],
      ['EDIT IT', 'edit'],
      ['adding a hat', 'edit'],
      ['replaces', 'reference'],
      ['additional', 'reference'],
      ['unedited', 'reference'],
      ['extended', 'reference'],
      ['continue', 'extend'],
      ['continues', 'reference'],
      ['remove the end and continue the story', 'extend'],
      ['继续', 'extend'],
      ['替换', 'edit'],
      ['', 'reference'],
    ] as const
    for (const [prompt, type] of words) {
      expect(taskTypeOf(content({ prompt }), undefined, typed), prompt).toBe(type)
      expect(taskTypeOf(content({ prompt, media: [still] }), 'auto', typed)).toBe('reference')
    }
  })
})

describe('readPrompt on the corpus (A-task-type)', () => {
  it('has at least 120 prompts in four languages, a third of them kept aside', () => {
    const [known, aside] = [promptsOf('known'), promptsOf('aside')]
    expect(known.length + aside.length).toBeGreaterThanOrEqual(120)
    expect(aside.length * 2).toBe(known.length)
    expect(new Set(aside.map(([language]) => language)).size).toBe(4)
  })

  it.each(['known', 'aside'] as const)('reads the prompts that are %s as a person does', part => {
    const wrong = promptsOf(part).filter(([, reading, prompt]) => readPrompt(prompt).reading !== reading)
    expect(wrong).toEqual([])
  })

  it('reads a prompt of any length in little time', () => {
    const long = 'continue from add the video style of '.repeat(30_000)
    expect(readPrompt(long).because.length).toBeLessThanOrEqual(240)
  })
})

describe('checkEditedVideos (Spec, "Task-type rules for 2.5" 2)', () => {
  it.each([
    [3.94, true],
    [3.96, false],
    [4, false],
    [30, false],
    [30.04, false],
    [30.06, true],
    [30.1, true],
    [30.2, true],
  ])('a video of %d s: refused %s', (seconds, isRefused) => {
    expect(refusedAs('edit', content(), seconds)).toBe(isRefused ? 'content[1].video_url' : undefined)
  })

  it('checks only videos, and only edits', () => {
    expect(refusedAs('edit', content({ media: [still] }), 1)).toBeUndefined()
    expect(refusedAs('extend', content(), 1)).toBeUndefined()
  })
})
