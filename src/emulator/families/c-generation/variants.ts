import type { Status } from '../../worlds/task.ts'
import { type FamilyFacts, ownWords } from '../family.ts'
import { type Resolution, resolutions } from './pixels.ts'

/** What a DELETE does to a task, by the task's state. */
export type Deletion = 'cancel' | 'remove' | 'refuse' | 'not_implemented'

/** The differences between the two variants of the family. Each variant has its own namespace of tasks. */
export interface Variant {
  id: 'c' | 'special'
  title: string
  /** The first part of its paths, before `/v2`. */
  prefix: '' | '/special'
  /** Shortest generated video, seconds. */
  shortestSeconds: number
  /** True when a generation must send `ratio` in every mode, and `adaptive` does not exist. */
  isRatioExplicit: boolean
  /** True when a base video that was not read counts as compatible. */
  assumesBaseVideo: boolean
  /** Its message for a task that does not exist. */
  unknownTask: readonly [status: number, type: string]
  /** Its message for a model that does not exist (A-unknown-model). */
  unknownModel: readonly [status: number, type: string]
  /** True when an account setting decides whether a call is answered at all (C-special-access). */
  isForSomeAccounts: boolean
  deletion: Readonly<Record<Status, Deletion>>
  /** True when a prompt enhancement reports tokens and is charged by them; false when it is charged by the call. */
  countsTokens: boolean
  /** Names in the price list. */
  prices: Readonly<Record<Resolution | 'regeneration' | 'enhance', string>>
}

/**
 * Spec, "Family C and C-special", "States and transitions" and "Endpoints". What the specification leaves open: C-unknown-task,
 * C-delete.
 */
export const variants: Readonly<Record<Variant['id'], Variant>> = {
  c: {
    id: 'c',
    title: 'Family C: video, prompt enhancement and 2K regeneration',
    prefix: '',
    shortestSeconds: 4,
    isRatioExplicit: false,
    assumesBaseVideo: true,
    unknownTask: [400, 'bad_request_error'],
    unknownModel: [400, 'bad_request_error'],
    isForSomeAccounts: false,
    deletion: {
      queued: 'cancel',
      running: 'refuse',
      succeeded: 'remove',
      failed: 'remove',
      cancelled: 'refuse',
      expired: 'refuse',
    },
    countsTokens: true,
    prices: {
      '768P': 'model_c.768P.per_second',
      '2K': 'model_c.2K.per_second',
      regeneration: 'model_c.regeneration.per_second',
      enhance: 'model_c.enhance.per_thousand_tokens',
    },
  },
  special: {
    id: 'special',
    title: 'Family C-special: the discounted variant of C, with tasks of its own',
    prefix: '/special',
    shortestSeconds: 5,
    isRatioExplicit: true,
    assumesBaseVideo: false,
    unknownTask: [404, 'not_found_error'],
    unknownModel: [404, 'not_found_error'],
    isForSomeAccounts: true,
    deletion: {
      queued: 'not_implemented',
      running: 'not_implemented',
      succeeded: 'remove',
      failed: 'remove',
      cancelled: 'not_implemented',
      expired: 'not_implemented',
    },
    countsTokens: false,
    prices: {
      '768P': 'special.768P.per_second',
      '2K': 'special.2K.per_second',
      regeneration: 'special.regeneration.per_second',
      enhance: 'special.enhance.per_call',
    },
  },
}

/** The longest video and the longest enhanced prompt, seconds. */
export const longestSeconds = 15

const factsFor = ({ id, title, shortestSeconds }: Variant): FamilyFacts => ({
  id,
  title,
  models: { model_c: { resolutions, shortestSeconds, longestSeconds } },
  // Its tasks never expire.
  words: ownWords('queued', 'running', 'succeeded', 'failed', 'cancelled'),
  contentCode: '1027',
  findsBy: 'list',
  fileless: [`${id}.enhance`],
})

export const facts = factsFor(variants.c)
export const specialFacts: FamilyFacts = { ...factsFor(variants.special), variantOf: 'c' }
