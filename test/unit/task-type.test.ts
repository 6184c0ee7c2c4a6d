import { describe, expect, it } from 'vitest'
import type { Content, MediaItem } from '../../src/emulator/families/a-contents/content.ts'
import type { CreateBody } from '../../src/emulator/families/a-contents/schema.ts'
import {
  checkEditedVideos,
  checkTaskType,
  readPrompt,
  type TaskType,
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
const body = (changes: Partial<CreateBody> = {}): CreateBody => ({
  model: 'model_a_25',
  content: [],
  ...changes,
})

function issuesOf(act: () => void): { params: string[]; param: string | undefined } | undefined {
  try {
    act()
  } catch (error) {
    if (!(error instanceof FaultError)) throw error
    expect(error.detail.code).toBe('InvalidParameter.TaskTypeConstraint')
    const [, list = ''] = (error.detail.message ?? '').split('Issues: ')
    return {
      params: [...list.matchAll(/\[\d\] `([^`]+)`/g)].map(([, param = '']) => param),
      param: error.detail.param,
    }
  }
  return undefined
}

describe('taskTypeOf (A-task-type)', () => {
  it.each([
    ['t2v', 'text'],
    ['i2v', 'first_frame'],
    ['flf2v', 'first_last_frame'],
  ] as const)('%s is %s, with any words', (mode, type) => {
    expect(taskTypeOf(content({ mode, prompt: 'edit and extend', media: [] }), 'auto', typed)).toBe(type)
  })

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

  it.each(['reference', 'edit', 'extend'] as const)(
    'a declared %s is used whatever the words say',
    declared => {
      expect(taskTypeOf(content({ prompt: 'edit, continue', media: [still] }), declared, typed)).toBe(
        declared,
      )
    },
  )

  it('is reference on 2.0, with any words (Spec, "Task-type rules for 2.5")', () => {
    const untyped = {}
    expect(taskTypeOf(content({ prompt: 'edit, continue' }), undefined, untyped)).toBe('reference')
    expect(taskTypeOf(content({ mode: 'i2v' }), undefined, untyped)).toBe('first_frame')
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

describe('checkTaskType (Spec, "Task-type rules for 2.5")', () => {
  const cases: [TaskType, Partial<CreateBody>, MediaItem[], string[]][] = [
    ['text', { ratio: '16:9', duration: 9 }, [], []],
    ['reference', { ratio: '1:1', duration: 9 }, [still], []],
    ['first_frame', { duration: 9 }, [], []],
    ['first_frame', { ratio: '16:9' }, [], ['ratio']],
    ['first_last_frame', { ratio: '9:16' }, [], ['ratio']],
    ['edit', { ratio: 'adaptive', duration: -1 }, [clip], []],
    ['edit', {}, [clip], []],
    ['edit', { duration: 5 }, [clip], ['duration']],
    ['edit', { ratio: '4:3', duration: 5 }, [still], ['ratio', 'duration', 'content']],
    ['extend', { duration: 30 }, [clip], []],
    ['extend', { ratio: '4:3' }, [clip], ['ratio']],
    ['extend', {}, [still], ['content']],
  ]
  it.each(cases)('%s with %j and %j', (type, changes, media, params) => {
    const found = issuesOf(() => checkTaskType({ ...typed, type }, body(changes), content({ media })))
    expect(found?.params ?? []).toEqual(params)
    expect(found?.param).toBe(params[0])
  })
})

describe('checkEditedVideos (Spec, "Task-type rules for 2.5" 2)', () => {
  const facts = (seconds: number): MediaFacts => ({ seconds }) as unknown as MediaFacts
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
    const found = issuesOf(() => checkEditedVideos({ ...typed, type: 'edit' }, content(), [facts(seconds)]))
    expect(found?.params ?? []).toEqual(isRefused ? ['content[1].video_url'] : [])
  })

  it('checks only videos, and only edits', () => {
    expect(
      issuesOf(() => checkEditedVideos({ ...typed, type: 'edit' }, content({ media: [still] }), [facts(1)])),
    ).toBeUndefined()
    expect(
      issuesOf(() => checkEditedVideos({ ...typed, type: 'extend' }, content(), [facts(1)])),
    ).toBeUndefined()
  })
})
