import { codecs, containers } from '../../media/recipe.ts'
import {
  count,
  flag,
  frameCount,
  id,
  measure,
  type RecordSchema,
  ratioText,
  text,
  videoSize,
} from '../../worlds/record-values.ts'
import { pictureValues } from '../video-recipe.ts'
import type { ContentsJob } from './job.ts'
import { resolutions } from './models.ts'
import { taskTypes } from './task-type.ts'

/** The schema of a job in data files and state documents. */
export const jobSchema = {
  type: 'object',
  additionalProperties: false,
  required: [
    ...([
      'modelId',
      'type',
      'prompt',
      'resolution',
      'ratio',
      'size',
      'seconds',
      'frames',
      'inputSeconds',
    ] as const),
    ...([
      'audio',
      'mark',
      'lastFrame',
      'container',
      'hasTaskTypes',
      'expiresAfterSeconds',
      'priority',
    ] as const),
    'codec',
  ],
  properties: {
    modelId: id,
    type: { enum: taskTypes },
    prompt: text,
    resolution: { enum: resolutions },
    ratio: ratioText,
    size: videoSize,
    seconds: count,
    frames: frameCount,
    inputSeconds: measure,
    audio: flag,
    mark: flag,
    lastFrame: flag,
    container: { enum: containers },
    hasTaskTypes: flag,
    expiresAfterSeconds: count,
    priority: { type: 'integer' },
    codec: { enum: codecs },
    safetyIdentifier: text,
    ...pictureValues,
  },
} as const satisfies RecordSchema<ContentsJob>
