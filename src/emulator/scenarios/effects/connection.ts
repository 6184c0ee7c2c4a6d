import type { FromSchema } from 'json-schema-to-ts'
import { formatDuration } from '../../worlds/clock.ts'
import type { Broken, ConnectionEffect, OneCall, ReplyOrder, RequestEffect } from '../../worlds/journal.ts'
import type { Random } from '../../worlds/random.ts'
import { bytesPerSecond, choiceTag, duration, needDuration, needSpeed, wordOrObject } from '../amounts.ts'
import { type Delivery, firstPart, garbled } from '../delivery.ts'
import { operations } from '../operations.ts'
import { ScenarioError, type Steps } from '../scenario-error.ts'
import { type Effect, everywhere, mapped } from './effect.ts'

/** Interface, "Scenario files": latency is wall time, capped at 30 s. */
const maxLatencyMs = 30_000

/** Latency, fixed or drawn from a log-normal distribution with these percentiles; wall ms. */
type Latency = number | { p50: number; p99: number }

/** A latency as files write it. */
const latencySchema = {
  type: ['string', 'integer', 'object'],
  minimum: 0,
  pattern: duration.pattern,
  properties: { p50: duration, p99: duration },
  required: ['p50', 'p99'],
  additionalProperties: false,
  description: 'wall time before the reply: a duration, or {p50, p99} to draw one; at most 30 s',
} as const

/** Reads a latency of the right shape. Throws ScenarioError. */
function readLatency(spelled: unknown, steps: Steps): Latency {
  if (typeof spelled !== 'object' || spelled === null) return needDuration(spelled, steps)
  const { p50, p99 } = spelled as Readonly<Record<string, unknown>>
  const latency = { p50: needDuration(p50, [...steps, 'p50']), p99: needDuration(p99, [...steps, 'p99']) }
  if (latency.p50 > 0 && latency.p99 >= latency.p50) return latency
  const hint = 'write such as {p50: 40ms, p99: 800ms}'
  throw new ScenarioError('p50 must be above 0 and p99 not less than p50', { steps, hint })
}

/** A latency in wall ms. Latencies of services have a long tail, so the distribution is log-normal, with these two percentiles. */
function drawLatency(latency: Latency, random: () => Random): number {
  if (typeof latency === 'number') return latency
  const { p50, p99 } = latency
  // 2.3263 standard deviations above the median lie 99 % of a normal distribution.
  const sigma = Math.log(p99 / p50) / 2.3263
  return Math.round(p50 * Math.exp(sigma * drawNormal(random())))
}

/** A standard normal number (Box and Muller). */
function drawNormal(random: Random): number {
  const radius = Math.sqrt(-2 * Math.log(1 - random.next()))
  return radius * Math.cos(2 * Math.PI * random.next())
}

/** A latency in words. */
function latencyText(latency: Latency): string {
  if (typeof latency === 'number') return formatDuration(latency)
  return `p50 ${formatDuration(latency.p50)} p99 ${formatDuration(latency.p99)}`
}

/** The other call as files write it. */
const afterSchema = {
  type: 'object',
  required: ['operation', 'call'],
  additionalProperties: false,
  properties: {
    operation: { enum: operations, description: 'The operation of the other call.' },
    call: {
      type: 'integer',
      minimum: 1,
      description:
        'Which of its calls, counted from 1 since the world was opened, reset or restored, or the emulator was started. A call with a wrong key is not counted.',
    },
  },
  description:
    'The reply waits until the reply to another call was sent or broke off: {operation: a.get, call: 2}. The request has its effect at once. No call waits for itself. At most 10 s: by the clock of the programs that follow the world, else in wall time.',
} as const

function callText({ operation, call }: OneCall): string {
  return `call ${call} of ${operation}`
}

function afterText({ order, ...other }: OneCall & { order: ReplyOrder }): string {
  switch (order) {
    case 'held':
      return `held for the reply to ${callText(other)}`
    case 'after':
      return `sent after ${callText(other)} was answered`
    case 'not_answered':
      return `held, but ${callText(other)} was not answered meanwhile`
    case 'itself':
      return `not held: it is ${callText(other)} itself`
  }
}

/** What a connection fault does to a reply. */
export interface FaultActions {
  /** The reply waits until this call was answered, before anything else. */
  after?: OneCall
  /** Wall ms before the reply. */
  waitMs?: number
  /** No reply is sent: the connection stays silent, or breaks with a TCP reset. */
  instead?: 'silence' | 'reset'
  /** Changes the delivery. */
  change?(delivery: Delivery): Partial<Delivery>
}

/** One connection fault. `Read` is the rule's value, `Drawn` the value after the draws. */
interface ConnectionFaultRow<Read, Drawn, Kind extends ConnectionEffect['kind'] = ConnectionEffect['kind']> {
  /** Its key in `connection`, and its kind in the journal. */
  word: Kind
  read(spelled: unknown, steps: Steps): Read
  draw(read: Read, random: () => Random): Drawn
  /** The effect of a rule in words, for dry runs. */
  text(read: Read): string
  /** The fault as a rule writes it. */
  spell(drawn: Drawn): unknown
  /** The effect on the reply as the journal has it. */
  shown(drawn: Drawn): ConnectionEffect & { kind: Kind }
  /** The same in words that follow "the reply was". */
  shownText(shown: ConnectionEffect & { kind: Kind }): string
  /** True when the client cannot have read the reply. */
  isLost: boolean
  /** How the reply is broken; undefined for faults that only take time. */
  broken(drawn: Drawn): Broken | undefined
  act(drawn: Drawn): FaultActions
}

const resets = {
  before_request: { text: 'broken off before the request is handled', act: { instead: 'reset' } },
  before_headers: { text: 'broken off before the headers', act: { instead: 'reset' } },
  after_headers: {
    text: 'broken off after the headers',
    act: { change: () => ({ payload: Buffer.alloc(0), ending: 'reset' }) },
  },
  mid_body: {
    text: 'broken off in the middle of the body',
    act: { change: delivery => ({ payload: firstPart(delivery, 0.5), ending: 'reset' }) },
  },
} as const satisfies Record<string, { text: string; act: FaultActions }>

export type ResetPlace = keyof typeof resets
const resetPlaces = Object.keys(resets) as ResetPlace[]

/** `true`: the request has its effect and gets no reply; `before_request`: it has no effect either. */
type HangPlace = true | 'before_request'

/** Every connection fault, in the order in which they act. Wording and the journal follow from these rows. */
const connectionFaults = {
  after: row({
    word: 'after',
    read: (spelled: unknown) => spelled as OneCall,
    draw: (other: OneCall) => other,
    text: other => `after the reply to ${callText(other)}`,
    spell: other => other,
    shown: other => ({ kind: 'after', ...other, order: 'held' }),
    shownText: afterText,
    isLost: false,
    broken: () => undefined,
    act: other => ({ after: other }),
  }),
  latencyMs: row({
    word: 'latency',
    read: readLatency,
    draw: drawLatency,
    text: latency => `latency ${latencyText(latency)}`,
    spell: ms => formatDuration(Math.round(ms)),
    shown: ms => ({ kind: 'latency', ms: Math.min(ms, maxLatencyMs) }),
    shownText: ({ ms }) => `${formatDuration(ms)} late`,
    isLost: false,
    broken: () => undefined,
    act: ms => ({ waitMs: Math.min(ms, maxLatencyMs) }),
  }),
  hang: row({
    word: 'hang',
    read: (spelled: unknown) => spelled as HangPlace,
    draw: (place: HangPlace) => place,
    text: place => (place === true ? 'hang' : `hang ${place}`),
    spell: place => place,
    shown: place => ({ kind: 'hang', place: place === true ? 'before_headers' : place }),
    shownText: ({ place, released }) => {
      const held = place === 'before_headers' ? '' : ', since its request was held before it was handled'
      return released ? `sent late${held}, when it was released` : `never sent${held}`
    },
    broken: () => 'stalled',
    isLost: true,
    act: () => ({ instead: 'silence' }),
  }),
  reset: row({
    word: 'reset',
    read: (spelled: unknown) => spelled as ResetPlace,
    draw: (place: ResetPlace) => place,
    text: place => `reset ${place}`,
    spell: place => place,
    shown: place => ({ kind: 'reset', place }),
    shownText: ({ place }) => resets[place].text,
    isLost: true,
    broken: place => (place === 'mid_body' ? 'cut' : 'reset'),
    act: place => resets[place].act,
  }),
  throttleBytesPerSecond: row({
    word: 'throttle',
    read: needSpeed,
    draw: (speed: number) => speed,
    text: speed => `${speed} bytes/s`,
    spell: speed => `${speed}B/s`,
    shown: speed => ({ kind: 'throttle', bytes_per_second: speed }),
    shownText: ({ bytes_per_second }) => `slowed to ${bytes_per_second} bytes a second`,
    isLost: false,
    broken: () => undefined,
    act: speed => ({ change: () => ({ bytesPerSecond: speed }) }),
  }),
  garble: row({
    ...flag('garble'),
    shown: () => ({ kind: 'garble' }),
    shownText: () => 'garbled',
    broken: () => 'garbled',
    act: () => ({ change: ({ payload }) => ({ payload: garbled(payload) }) }),
  }),
} as const

type ConnectionFaultRows = typeof connectionFaults
type Field = keyof ConnectionFaultRows
type ReadBy<F extends Field> = ReturnType<ConnectionFaultRows[F]['read']>
type DrawnBy<F extends Field> = ReturnType<ConnectionFaultRows[F]['draw']>

/** A rule's connection faults before the draws. */
type PlannedConnection = { [F in Field]?: ReadBy<F> }

/** The faults of the connection that carries the reply. Latency is wall time. */
export type ConnectionFault = { [F in Field]?: DrawnBy<F> }

const fields = Object.keys(connectionFaults) as Field[]

/** A row without its type parameters: its functions get only values of the row. */
function rowOf(field: Field): ConnectionFaultRow<unknown, unknown> {
  return connectionFaults[field] as ConnectionFaultRow<unknown, unknown>
}

// A missing row is a compile error.
const properties = {
  after: afterSchema,
  latency: latencySchema,
  reset: {
    enum: resetPlaces,
    description:
      'Where the connection breaks. before_request: the request is lost and has no effect. before_headers: the request has its effect, and no byte of the reply is sent. after_headers, mid_body: a part of the reply is sent.',
  },
  throttle: bytesPerSecond,
  hang: {
    enum: [true, 'before_request'],
    description:
      'The connection stays open without a reply. true: the request has its effect. before_request: it is held and has no effect.',
  },
  garble: { const: true },
} as const satisfies Record<ConnectionFaultRows[Field]['word'], object>

/** Those that need no value; a missing word is a compile error. */
const plainWords = { hang: true, garble: true } as const satisfies {
  [Word in keyof typeof properties as true extends FromSchema<(typeof properties)[Word]> ? Word : never]: true
}

const wordSchema = { enum: Object.keys(plainWords) as (keyof typeof plainWords)[] } as const

const objectSchema = { type: 'object', properties, additionalProperties: false, minProperties: 1 } as const

const schema = wordOrObject(
  wordSchema,
  objectSchema,
  `What happens to the connection: ${Object.keys(plainWords).join(', ')}, or an object with ${Object.keys(properties).join(', ')}.`,
)

/** `connection` as files write it. */
export type SpelledConnection = FromSchema<typeof wordSchema> | FromSchema<typeof objectSchema>

export const connection = {
  schema,
  read(spelled, steps) {
    const written: Readonly<Record<string, unknown>> =
      typeof spelled === 'string' ? { [spelled]: true } : spelled
    return mapped(fields, field => {
      const { word, read } = rowOf(field)
      return written[word] === undefined ? undefined : read(written[word], [...steps, word])
    })
  },
  draw: (read, random) =>
    mapped(fields, field => (read[field] === undefined ? undefined : rowOf(field).draw(read[field], random))),
  spell: drawn => {
    const acting = fields.filter(field => drawn[field] !== undefined)
    return Object.fromEntries(acting.map(field => [rowOf(field).word, rowOf(field).spell(drawn[field])]))
  },
  reaches: everywhere,
  text: read =>
    `connection: ${fields.flatMap(field => (read[field] === undefined ? [] : rowOf(field).text(read[field]))).join(', ')}`,
  tags: {
    reset: choiceTag<ConnectionFault>(Object.fromEntries(resetPlaces.map(reset => [reset, { reset }])), [
      { value: 'before_request', does: 'The request is lost on its way' },
      { value: 'before_headers', does: 'The request has its effect, and the reply is lost' },
    ]),
  },
} as const satisfies Effect<SpelledConnection, PlannedConnection, ConnectionFault>

/** A scenario's effect on a connection, for the journal. */
export interface Disturbance {
  effects: readonly ConnectionEffect[]
  /** True when the client cannot have read the reply. */
  lost: boolean
  broken?: Broken
}

/** What happens to a reply. */
export function disturbanceOf(fault: ConnectionFault): Disturbance {
  const acting = fields.filter(field => fault[field] !== undefined)
  const [broken] = acting.flatMap(field => rowOf(field).broken(fault[field]) ?? [])
  return {
    ...(broken && { broken }),
    effects: acting.map(field => rowOf(field).shown(fault[field])),
    lost: acting.some(field => rowOf(field).isLost),
  }
}

/** What is left of a fault when the reply has no body: nothing of it can be cut, slowed or garbled. */
export function withoutBody(fault: ConnectionFault): ReturnType<typeof connection.draw> {
  return mapped(fields, field =>
    fault[field] === undefined || rowOf(field).act(fault[field]).change ? undefined : fault[field],
  )
}

/** What was done to a connection, in words that follow "the reply was"; undefined when nothing was. */
export function connectionText(effects: readonly RequestEffect[]): string | undefined {
  const rows = fields.map(rowOf)
  const texts = effects.flatMap(effect =>
    rows.flatMap(({ word, shownText }) =>
      word === effect.kind ? shownText(effect as ConnectionEffect) : [],
    ),
  )
  return texts.length === 0 ? undefined : texts.join(', ')
}

/** The combined effect of several connection faults. */
interface AllFaultActions extends FaultActions {
  waitMs: number
  change(delivery: Delivery): Delivery
}

/** The combined effect of all connection faults on a reply. When two faults send nothing, the first one decides how. */
export function actionsOf(fault: ConnectionFault): AllFaultActions {
  const ways = fields.flatMap(field => (fault[field] === undefined ? [] : rowOf(field).act(fault[field])))
  const instead = ways.find(way => way.instead)?.instead
  const after = ways.find(way => way.after)?.after
  return {
    waitMs: Math.max(0, ...ways.map(({ waitMs = 0 }) => waitMs)),
    ...(after && { after }),
    ...(instead && { instead }),
    change: delivery => ways.reduce(changedBy, delivery),
  }
}

function changedBy(delivery: Delivery, { change }: FaultActions): Delivery {
  return { ...delivery, ...change?.(delivery) }
}

/** Whether a request is lost or held before it is handled: then it must have no effect. */
export function isRequestLost(fault: Pick<ConnectionFault, 'hang' | 'reset'> | undefined): boolean {
  return fault?.reset === 'before_request' || fault?.hang === 'before_request'
}

function row<Read, Drawn, const Kind extends ConnectionEffect['kind']>(
  given: ConnectionFaultRow<Read, Drawn, Kind>,
): ConnectionFaultRow<Read, Drawn, Kind> {
  return given
}

/** The common parts of faults without a value. */
function flag<Word extends string>(word: Word) {
  return {
    word,
    read: (): true => true,
    draw: (): true => true,
    text: () => word,
    spell: (): true => true,
    isLost: true,
  }
}
