import type { FamilyFacts } from '../family.ts'
import { bothWays, type Size } from '../geometry.ts'

export const resolutions = ['480P', '720P', '1080P'] as const
export type Resolution = (typeof resolutions)[number]

export const fixedRatios = ['16:9', '9:16', '1:1', '4:3', '3:4', '21:9'] as const
export type FixedRatio = (typeof fixedRatios)[number]

/** What differs between the two models. Requests and replies are identical (Spec, "What the service does" 4). */
export interface Model {
  /** Factor for the run times. */
  pace: number
}

export const models: Readonly<Record<string, Model>> = {
  model_b: { pace: 1 },
  model_b_prime: { pace: 0.5 },
}

/**
 * Pixels by resolution and ratio (B-pixels): upstream's published table. The rows for 480P and 21:9 are ours, with about the same
 * areas.
 */
export const pixels: Readonly<Record<Resolution, Readonly<Record<FixedRatio, Size>>>> = {
  '480P': bothWays({ '16:9': [832, 480], '1:1': [624, 624], '4:3': [720, 544], '21:9': [976, 416] }),
  '720P': bothWays({ '16:9': [1280, 720], '1:1': [960, 960], '4:3': [1104, 832], '21:9': [1456, 624] }),
  '1080P': bothWays({ '16:9': [1920, 1080], '1:1': [1440, 1440], '4:3': [1648, 1248], '21:9': [2184, 936] }),
}

/**
 * Family B (Spec, "Family B: query response"). Its tasks never expire. Its list is beyond the specification, so no program must
 * find tasks by it.
 */
export const facts = {
  id: 'b',
  title: 'Family B: video, wire-compatible with its upstream',
  models,
  words: {
    queued: 'PENDING',
    running: 'RUNNING',
    succeeded: 'SUCCEEDED',
    failed: 'FAILED',
    cancelled: 'CANCELED',
  },
  unknownWord: 'UNKNOWN',
  contentCode: 'DataInspectionFailed',
} as const satisfies FamilyFacts
