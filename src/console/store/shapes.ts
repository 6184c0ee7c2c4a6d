import type { Story, TaskLine, TaskView } from '../../client/types.ts'

/** What the console reads of the control API: the client's types, and the parts of them that the pages name. */
export type {
  AccountView,
  ClockView,
  List as Listed,
  RequestView as Entry,
  TaskLine,
  TaskView,
  WorldView,
} from '../../client/types.ts'
export type { Status as State } from '../../worlds/task.ts'

export type StateChange = TaskLine['states'][number]
export type MediaFile = TaskView['media'][number]
export type StoryItem = Story['items'][number]
