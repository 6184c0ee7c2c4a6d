import { downloadOperation, factsOfFamily, makesTask } from '../../../emulator/words.ts'

/** The facts that decide whether an operation can have a failure. */
export interface Operation {
  id: string
  family: string
  /** It makes a task that is polled. */
  makesTask: boolean
  /** Its result is a file behind a link. */
  makesFile: boolean
  /** It queries one task by its id. */
  isPoll: boolean
  /** It queries one task, or a list of them. */
  isQuery: boolean
  isDownload: boolean
}

/** The facts about an operation id. */
export function operationNamed(id: string): Operation {
  const isDownload = id === downloadOperation
  const family = id.split('.')[0] ?? ''
  return {
    id,
    family: isDownload ? '' : family,
    makesTask: makesTask(id) && family !== 'image',
    makesFile: makesTask(id) && factsOfFamily(family)?.fileless?.includes(id) !== true,
    isPoll: /\.get$/.test(id) && id !== 'k.tasks.get',
    isQuery: /\.(?:get|list)$/.test(id),
    isDownload,
  }
}
