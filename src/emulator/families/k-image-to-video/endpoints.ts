import type { Family } from '../family.ts'
import { avatarEndpoints } from './avatars.ts'
import { facts, words } from './facts.ts'
import { files } from './job.ts'
import { jobs, makers } from './makers.ts'
import { dialect, failureOf } from './present.ts'
import { listPresets } from './presets.ts'
import { videoEndpoints } from './videos/endpoints.ts'
import { voiceEndpoints } from './voices.ts'

/** Family K: image-to-video, avatars, voice clones, preset subjects and the batch query. `/v1` is optional where the specification states it (K-paths). */
export const imageToVideo: Family = {
  ...facts,
  endpoints: [...videoEndpoints, ...avatarEndpoints, ...voiceEndpoints, listPresets],
  dialect,
  words,
  makers,
  jobs,
  failure: failureOf,
  ...files,
  recorded: {
    undecided: Object.keys(makers).filter(kind => kind !== 'k'),
    otherLists: [listPresets.operation],
    emptyIsUnset: 'K-empty',
  },
}
