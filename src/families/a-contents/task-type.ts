import { FaultError } from '../../faults/fault-error.ts'
import type { MediaFacts } from '../../media/media-facts.ts'
import type { Content } from './content.ts'
import type { Model } from './models.ts'
import type { CreateBody } from './schema.ts'

/** The type of a 2.5 task after `auto` was decided. */
export type TaskType = 'text' | 'first_frame' | 'first_last_frame' | 'reference' | 'edit' | 'extend'

/** Words that upstream documents as triggers, in English and Chinese (A-task-type). */
const editWords =
  /\b(edit(?:s|ing)?|add(?:s|ing)?|delet(?:e|es|ing)|remov(?:e|es|ing)|modif(?:y|ies|ying)|replac(?:e|es|ing)|chang(?:e|es|ing))\b|编辑|增加|添加|删除|移除|修改|替换|改成|换成/i
const extendWords =
  /\b(extend(?:s|ing)?|continu(?:e|es|ing)|prolong(?:s|ing)?)\b|延长|延续|续写|继续|向前延|向后延/i

const plainTypes = { t2v: 'text', i2v: 'first_frame', flf2v: 'first_last_frame' } as const

/** The type of the task: the declared one, or for `auto` the one that prompt and media suggest. 2.0 has `reference` only. */
export function taskTypeOf(
  { mode, prompt, media }: Content,
  declared: CreateBody['omni_reference_task_type'],
  { hasTaskTypes }: Pick<Model, 'hasTaskTypes'>,
): TaskType {
  if (mode !== 'r2v') return plainTypes[mode]
  if (!hasTaskTypes) return 'reference'
  if (declared !== undefined && declared !== 'auto') return declared
  if (!media.some(item => item.sort === 'video')) return 'reference'
  if (extendWords.test(prompt)) return 'extend'
  return editWords.test(prompt) ? 'edit' : 'reference'
}

const descriptions: Readonly<Record<TaskType, string>> = {
  text: 'text to video',
  first_frame: 'image to video with a first frame; the output ratio follows the first frame',
  first_last_frame: 'image to video with a first and a last frame; the output ratio follows the first frame',
  reference: 'reference generation',
  edit: 'video editing; ratio and duration follow the input video, which must be 4 to 30 seconds long',
  extend: 'video extension; the ratio follows the input video',
}

interface Issue {
  param: string
  text: string
}

/**
 * Spec, "Task-type rules for 2.5" 1 to 4: the parts that depend on the request alone. The caller must send
 * conforming values; nothing is corrected.
 */
export function checkTaskType(type: TaskType, body: CreateBody, content: Content): void {
  const issues: Issue[] = []
  const hasVideo = content.media.some(item => item.sort === 'video')
  const ratio = body.ratio ?? 'adaptive'
  const duration = body.duration ?? -1
  if (type !== 'text' && type !== 'reference' && ratio !== 'adaptive')
    issues.push({ param: 'ratio', text: '`ratio` must be `adaptive`' })
  if (type === 'edit' && duration !== -1) issues.push({ param: 'duration', text: '`duration` must be -1' })
  if (type === 'edit' && !hasVideo)
    issues.push({ param: 'content', text: '`content` must include a reference video of 4 to 30 seconds' })
  if (type === 'extend' && !hasVideo)
    issues.push({ param: 'content', text: '`content` must include a reference video' })
  if (issues.length > 0) throw broken(type, issues)
}

/**
 * Spec, "Task-type rules for 2.5" 2: an edit needs a reference video of 4 to 30 seconds; further videos may be shorter
 * (A-task-type). The lengths are known after measuring. Throws `invalid_parameter` when no video has such a length.
 */
export function checkEditedVideos(type: TaskType, content: Content, facts: readonly MediaFacts[]): void {
  if (type !== 'edit' || editedVideo(content, facts) !== undefined) return
  const issues = content.media.flatMap((item, index) => {
    const seconds = item.sort === 'video' ? facts[index]?.seconds : undefined
    if (seconds === undefined) return []
    const param = item.param.replace(/\.url$/, '')
    return [{ param, text: `\`${param}\` is ${Math.round(seconds * 10) / 10} seconds` }]
  })
  if (issues.length > 0) throw broken(type, issues)
}

/** The video that an edit changes: the first one of 4 to 30 seconds. Undefined when there is none. */
export function editedVideo(content: Content, facts: readonly MediaFacts[]): MediaFacts | undefined {
  return facts.find(
    ({ seconds = 0 }, index) => content.media[index]?.sort === 'video' && seconds >= 4 && seconds <= 30.2,
  )
}

function broken(type: TaskType, issues: readonly Issue[]): FaultError {
  const list = issues.map(({ text }, index) => `[${index}] ${text}.`).join(' ')
  return new FaultError('invalid_parameter', {
    param: issues[0]?.param ?? '',
    code: 'InvalidParameter.TaskTypeConstraint',
    message: `The parameters ${[...new Set(issues.map(({ param }) => `\`${param}\``))].join(', ')} specified in the request are not valid: the task was identified as ${descriptions[type]}. Issues: ${list}`,
  })
}
