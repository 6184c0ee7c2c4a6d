import type { Random } from '../../worlds/random.ts'
import type { Steps } from '../scenario-error.ts'
import { connection, type SpelledConnection } from './connection.ts'
import { type Effect, mapped, type TaskTimes } from './effect.ts'
import { media, type SpelledMedia } from './media.ts'
import { refuse, type SpelledRefusal } from './refuse.ts'
import { clock, type SpelledClock, type SpelledTask, task } from './task.ts'

/** The words of `then`, in the order in which they act on a request. */
export const effectWords = { clock, connection, refuse, task, media } as const

/** `then` as files write it; a missing word is a compile error. */
export interface SpelledThen {
  clock?: SpelledClock
  connection?: SpelledConnection
  refuse?: SpelledRefusal
  task?: SpelledTask
  media?: SpelledMedia
}

export type EffectKind = keyof typeof effectWords

/** The name of a prompt tag, such as `refuse`. */
type TagName = { [K in EffectKind]: keyof (typeof effectWords)[K]['tags'] }[EffectKind]

/** A tag inside a prompt, such as `[[never]]` or `[[run:2m]]`. It is taken out of the prompt and acts on this one request. */
export type PromptTag = `[[${TagName}]]` | `[[${TagName}:${string}]]`

/** The kinds of effects. The first matching rule decides each kind. */
export const effectKinds = Object.keys(effectWords) as EffectKind[]

/** The effects of a rule before the draws. */
export type Then = { [K in EffectKind]?: ReturnType<(typeof effectWords)[K]['read']> }

/** The effects on one request, by kind. */
export type DrawnEffects = { [K in EffectKind]?: ReturnType<(typeof effectWords)[K]['draw']> }

/** The JSON Schema of a rule's effects, also for `POST /__emulator/inject`. */
export const thenSchema = {
  type: 'object',
  additionalProperties: false,
  minProperties: 1,
  description: 'One or more kinds of effects.',
  properties: {
    refuse: refuse.schema,
    task: task.schema,
    media: media.schema,
    connection: connection.schema,
    clock: clock.schema,
  } satisfies Record<EffectKind & keyof SpelledThen, object>,
} as const

/** Reads the effects of a rule whose shape has been checked. Throws ScenarioError. */
export function readThen(source: SpelledThen, steps: Steps): Then {
  return mapped(effectKinds, kind => {
    const spelled = source[kind]
    return spelled === undefined ? undefined : wordOf(kind).read(spelled, [...steps, kind])
  })
}

/** Makes the draws of some kinds of a rule's effects. */
export function drawEffects(then: Then, kinds: readonly EffectKind[], random: () => Random): DrawnEffects {
  return mapped(effectKinds, kind =>
    kinds.includes(kind) ? wordOf(kind).draw(then[kind], random) : undefined,
  )
}

/** The effects on a request as a rule writes them, with what was drawn; undefined without any. */
export function spellEffects(drawn: DrawnEffects): SpelledThen | undefined {
  const then = mapped(effectKinds, kind =>
    drawn[kind] === undefined ? undefined : wordOf(kind).spell(drawn[kind]),
  )
  return Object.keys(then).length > 0 ? then : undefined
}

/** Whether a rule's effect of one kind can act on an operation. */
export function reaches(then: Then, kind: EffectKind, operation: string): boolean {
  return then[kind] !== undefined && wordOf(kind).reaches(operation, then[kind])
}

/** A rule's effect of one kind in words, for dry runs. */
export function effectText(then: Then, kind: EffectKind, times: TaskTimes): string {
  return wordOf(kind).text(then[kind], times)
}

/** A word without its type parameters: its functions get only values that its schema has checked or that they returned. */
function wordOf(kind: EffectKind): Effect<unknown, unknown> {
  return effectWords[kind] as unknown as Effect<unknown, unknown>
}
