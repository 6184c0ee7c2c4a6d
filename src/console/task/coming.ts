import { span } from '../parts/format.ts'
import type { TaskLine, TaskView } from '../store/shapes.ts'

interface Known {
  task: Pick<TaskView, 'media'>
  line: Pick<TaskLine, 'states'>
  now: number
}

/** What comes next, with lengths counted from now: the story's own are from the moment when it was read. */
export function comingText(told: string, { task, line, now }: Known): string {
  const coming = line.states.filter(({ at_ms }) => at_ms > now)
  const steps = coming.map(({ word, at_ms }) => `${word} in ${span(at_ms - now)}`).join(', then ')
  const [, reason] = /(, as .*)$/s.exec(told) ?? []
  if (coming.length > 0 && reason !== undefined) return `${steps}${reason}`
  const [file] = task.media
  const left = file ? Date.parse(file.expires_at) - now : 0
  if (left <= 0)
    return told.replace(
      /(?:its links work|no client has read).*$/,
      'its links have expired, and nothing renews them',
    )
  return told.replace(
    /(work for another|they end in) [^;,]+$/,
    (_, words: string) => `${words} ${span(left)}`,
  )
}
