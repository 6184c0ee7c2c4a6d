import type { FromSchema } from 'json-schema-to-ts'
import type { Broken, MediaEffect, RequestEffect } from '../../worlds/journal.ts'
import { type MediaFault, type MediaFaultKind, mediaFaultKinds } from '../../worlds/task.ts'
import { bytesPerSecond, choiceTag, needFraction, needSpeed, wordOrObject } from '../amounts.ts'
import {
  bytesBefore,
  type Delivery,
  garbled,
  type Outgoing,
  promisedBytes,
  upToPlace,
  withBody,
} from '../delivery.ts'
import { downloadOperation, makesTask } from '../operations.ts'
import { ScenarioError, type Steps } from '../scenario-error.ts'
import { drawsNothing, type Effect } from './effect.ts'

/** One fault of a task's files. `value` is the amount of a fault that has one. */
interface MediaFaultRow<Kind extends MediaFaultKind = MediaFaultKind> {
  /** Its form in rules: a word, `{link: word}`, or a key with an amount. */
  spelled: { word: string } | { link: string } | Amount
  /** The fault as the journal has it. */
  shown(value: number): MediaEffect & { kind: Kind }
  /** The same in words that follow "the file came". */
  text(shown: MediaEffect & { kind: Kind }): string
  /** How the download is broken; undefined when the client gets the whole file, or a refusal. */
  broken: Broken | undefined
  /** Changes a file's delivery; undefined for faults of links and records, which change no bytes. */
  deliver: ((reply: Outgoing, value: number) => Partial<Delivery>) | undefined
}

interface Amount {
  key: string
  read(spelled: unknown, steps: Steps): number
  spell(value: number): unknown
  /** The default amount, for prompt tags, which have no amount. */
  usual: number
}

const page = Buffer.from(
  '<!doctype html>\n<title>Sign in</title>\n<h1>Sign in to continue</h1>\n<p>Your session has expired.</p>\n',
)

/** Every media fault. Schema, prompt tags, texts, records, the journal and the console's list are made from these rows. */
const mediaFaults = {
  truncated: {
    spelled: { word: 'truncated' },
    shown: () => ({ kind: 'truncated', share: 0.5 }),
    text: () => 'cut off half way',
    broken: 'cut',
    deliver: reply => ({ payload: upToPlace(reply, 0.5), ending: 'destroy' }),
  },
  empty: {
    spelled: { word: 'empty' },
    shown: () => ({ kind: 'empty' }),
    text: () => 'without a byte',
    broken: 'empty',
    deliver: ({ headers }) => ({
      status: 200,
      headers: withBody(headers, { bytes: 0 }),
      payload: Buffer.alloc(0),
    }),
  },
  corrupt: {
    spelled: { word: 'corrupt' },
    shown: () => ({ kind: 'corrupt' }),
    text: () => 'with broken bytes',
    broken: 'garbled',
    deliver: ({ payload, place }) => ({ payload: garbled(payload, place?.start) }),
  },
  wrong_type: {
    spelled: { word: 'wrong_type' },
    shown: () => ({ kind: 'wrong_type' }),
    text: () => 'as an HTML page',
    broken: 'wrong_type',
    deliver: ({ headers }) => ({
      status: 200,
      headers: withBody(headers, { bytes: page.length, type: 'text/html; charset=utf-8' }),
      payload: page,
    }),
  },
  missing_url: {
    spelled: { word: 'missing_url' },
    shown: () => ({ kind: 'missing_url' }),
    text: () => 'without a link',
    broken: undefined,
    deliver: undefined,
  },
  link_expired: {
    spelled: { link: 'expired' },
    shown: () => ({ kind: 'link_expired' }),
    text: () => 'behind an expired link',
    broken: undefined,
    deliver: undefined,
  },
  link_exhausted: {
    spelled: { link: 'exhausted' },
    shown: () => ({ kind: 'link_exhausted' }),
    text: () => 'behind a link that was used too often',
    broken: undefined,
    deliver: undefined,
  },
  slow: {
    spelled: { key: 'slow', read: needSpeed, spell: value => `${value}B/s`, usual: 64_000 },
    shown: value => ({ kind: 'slow', bytes_per_second: value }),
    text: ({ bytes_per_second }) => `at ${bytes_per_second} bytes a second`,
    broken: undefined,
    deliver: (_, value) => ({ bytesPerSecond: value }),
  },
  stall: {
    spelled: {
      key: 'stall_after',
      read: needFraction,
      spell: value => `${Math.round(value * 100)}%`,
      usual: 0.5,
    },
    shown: value => ({ kind: 'stall', share: value }),
    text: ({ share, released }) =>
      `stalled after ${Math.round(share * 100)} %${released ? ' until it was released' : ''}`,
    broken: 'stalled',
    deliver: (reply, value) => ({ stallsAt: bytesBefore(reply, value) }),
  },
} as const satisfies { [Kind in MediaFaultKind]: MediaFaultRow<Kind> }

type MediaFaultRows = typeof mediaFaults

type SpellingOf<Key extends string> = {
  [K in MediaFaultKind]: MediaFaultRows[K]['spelled'] extends Readonly<Record<Key, infer Word>> ? Word : never
}[MediaFaultKind]

/** A fault of a link, for which the server of the file gives a refusal of its own. */
export type LinkFaultKind = {
  [K in MediaFaultKind]: MediaFaultRows[K]['spelled'] extends { link: string } ? K : never
}[MediaFaultKind]

const rows: Readonly<Record<MediaFaultKind, MediaFaultRow>> = mediaFaults
const words = spelledAs('word')
const linkWords = spelledAs('link')

const wordSchema = { enum: words } as const

const amountSchema = {
  type: 'object',
  properties: {
    slow: bytesPerSecond,
    link: { enum: linkWords, description: 'The fault of the link.' },
    stall_after: {
      type: ['string', 'number'],
      minimum: 0,
      maximum: 1,
      pattern: '^\\d+(\\.\\d+)?%$',
      description: 'the part of the file that is sent before the download stops, such as 50%',
    },
  },
  additionalProperties: false,
  minProperties: 1,
  maxProperties: 1,
} as const satisfies { properties: Record<SpellingOf<'key'> | 'link', object>; [other: string]: unknown }

const schema = wordOrObject(
  wordSchema,
  amountSchema,
  `The fault of the files: a word, or one of {${Object.keys(amountSchema.properties).join('}, {')}}.`,
)

/** `media` as files write it. */
export type SpelledMedia = FromSchema<typeof wordSchema> | FromSchema<typeof amountSchema>

export const media = {
  schema,
  read(spelled, steps) {
    for (const kind of mediaFaultKinds) {
      const fault = readAs(kind, spelled, steps)
      if (fault) return fault
    }
    throw new ScenarioError(`${JSON.stringify(spelled)} is not a media fault`, { steps })
  },
  draw: drawsNothing<MediaFault>,
  spell({ kind, value }) {
    const { spelled } = rows[kind]
    if ('word' in spelled) return spelled.word
    if ('link' in spelled) return { link: spelled.link }
    return { [spelled.key]: spelled.spell(value ?? spelled.usual) }
  },
  // At a download, the reply that should have no link was already sent.
  reaches: (operation, { kind }) =>
    makesTask(operation) || (operation === downloadOperation && kind !== 'missing_url'),
  text: ({ kind, value }) => `media: ${kind}${value === undefined ? '' : ` ${value}`}`,
  tags: {
    media: choiceTag<MediaFault>(Object.fromEntries(mediaFaultKinds.map(kind => [kind, usualFault(kind)])), [
      { value: 'truncated', does: 'Its file is cut off' },
    ]),
    link: choiceTag<MediaFault>(
      Object.fromEntries(
        mediaFaultKinds.flatMap(kind => {
          const { spelled } = rows[kind]
          return 'link' in spelled ? [[spelled.link, { kind }]] : []
        }),
      ),
      [{ value: 'expired', does: 'Its link has expired' }],
    ),
  },
} as const satisfies Effect<SpelledMedia, MediaFault>

/** The fault of a file as the journal has it. */
export function mediaEffect({ kind, value }: MediaFault): MediaEffect {
  return rows[kind].shown(value ?? usualValue(kind))
}

/** What is wrong with a file, in words that follow "the file came"; undefined when nothing is. */
export function mediaText(effects: readonly RequestEffect[]): string | undefined {
  const effect = effects.find(isOfMedia)
  return effect && rows[effect.kind].text(effect)
}

function isOfMedia(effect: RequestEffect): effect is MediaEffect {
  return effect.kind in rows
}

/** How a download with this fault is broken; undefined when the client gets the whole file, or a refusal. */
export function brokenBy({ kind }: MediaFault): Broken | undefined {
  return rows[kind].broken
}

/** Whether a file with a fault, as a rule writes it, is right up to a place in it. */
export function beginsInside(spelled: SpelledMedia): boolean {
  return 'share' in mediaEffect(media.read(spelled, []))
}

/** Whether a fault, as a rule writes it, changes what comes of a file: a reply without bytes of it cannot have the fault. */
export function changesFile(spelled: SpelledMedia): boolean {
  return rows[media.read(spelled, []).kind].deliver !== undefined
}

/** Whether the part of a file that a reply has goes as far as the place at which a fault begins. */
export function isReached(reply: Outgoing, fault: MediaFault): boolean {
  const shown = mediaEffect(fault)
  return !('share' in shown) || bytesBefore(reply, shown.share) < promisedBytes(reply)
}

/** A file's delivery after a media fault. */
export function brokenDelivery(reply: Outgoing, fault: MediaFault | undefined): Delivery {
  const whole: Delivery = { ...reply, ending: 'end' }
  if (!fault) return whole
  return { ...whole, ...rows[fault.kind].deliver?.(reply, fault.value ?? usualValue(fault.kind)) }
}

function usualValue(kind: MediaFaultKind): number {
  const { spelled } = rows[kind]
  return 'key' in spelled ? spelled.usual : 0
}

function usualFault(kind: MediaFaultKind): MediaFault {
  return 'key' in rows[kind].spelled ? { kind, value: usualValue(kind) } : { kind }
}

function readAs(kind: MediaFaultKind, written: SpelledMedia, steps: Steps): MediaFault | undefined {
  const { spelled } = rows[kind]
  if ('word' in spelled) return written === spelled.word ? { kind } : undefined
  const entries: Readonly<Record<string, unknown>> = typeof written === 'object' ? written : {}
  if ('link' in spelled) return entries.link === spelled.link ? { kind } : undefined
  const amount = entries[spelled.key]
  if (amount === undefined) return undefined
  return { kind, value: spelled.read(amount, [...steps, spelled.key]) }
}

function spelledAs<Key extends 'word' | 'link'>(key: Key): SpellingOf<Key>[] {
  return mediaFaultKinds.flatMap(kind => {
    const spelled: Partial<Record<string, unknown>> = rows[kind].spelled as object
    return key in spelled ? [spelled[key] as SpellingOf<Key>] : []
  })
}
