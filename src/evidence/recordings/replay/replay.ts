import { downloadOperation, jsonIn } from '../../../emulator/words.ts'
import type { TaskKind } from '../../../kits/views.ts'
import { isObject, readLeftOut } from '../../spec/json.ts'
import { describeMedia } from '../describe-media.ts'
import { headerOf } from '../har.ts'
import { isSynchronous } from '../operation.ts'
import { knownRows } from '../read/list-rows.ts'
import { type AccountOf, observedTasks, recordsIn, type TaskObservation } from '../read/observed.ts'
import { idOf, type Job, linkOf, madeIn, type Step } from '../read/steps.ts'
import { standInWord } from '../redact/prompt.ts'
import { decoded } from '../redact/redactor.ts'
import { askAgain, BrokenReply, type Replayed, type WholeReply } from './ask-emulator.ts'
import { inWords, marksOf, planOf } from './planned.ts'
import { bodyToSend, headersToSend, keyToSend } from './replay-request.ts'
import {
  openReplayWorld,
  type PlannedRefusal,
  type ReplaySetting,
  type ReplayWorld,
  replayScenario,
} from './replay-world.ts'

/** A repeated job: a reply for each request that could be repeated. */
export interface Replay {
  replies: Map<Step, Replayed>
  /** The emulator's ids by the recorded ones. */
  ids: ReadonlyMap<string, string>
  tasks: TaskObservation[]
  /** Refusals that were planned, because the request does not explain them. */
  refusals: ReadonlyMap<Step, PlannedRefusal>
  accountOf: AccountOf
}

/** What is planned for a job besides its tasks: refusals that the request does not explain, and rights of an account. */
export interface ReplayConditions {
  refusals: ReadonlyMap<Step, PlannedRefusal>
  accounts: ReadonlyMap<string, Rights>
}

/** The rights of an account of the replay world, when they are limited. */
export interface Rights {
  resolutions?: string[]
  models?: string[]
  /** Null: no limit. */
  requests_per_minute?: null
}

/** Repeats a job in a new world with a manual clock: with the recorded outcomes and durations, and each request at its offset. */
export async function replay(
  job: Job,
  setting: ReplaySetting,
  conditions: ReplayConditions,
): Promise<Replay> {
  const tasks = observedTasks(job)
  const first = job.steps[0]?.at ?? 0
  const scenario = replayScenario(job, tasks, conditions.refusals)
  const world = await openReplayWorld(setting, first, scenario)
  try {
    for (const [account, rights] of conditions.accounts) await world.client.accounts.change(account, rights)
    await makeOlderTasks(tasks, world, first - 1)
    const replies = new Map<Step, Replayed>()
    for (const step of job.steps) {
      for (const moment of momentsFor(step, job.steps)) {
        await world.advanceTo(moment)
        const answer = await again(step, world, tasks)
        if (answer) replies.set(step, answer)
        if (!answer || isSameState(step, answer, world.known)) break
      }
    }
    return { replies, ids: world.known, tasks, refusals: conditions.refusals, accountOf: setting.accountOf }
  } finally {
    await world.client.drop()
  }
}

async function makeOlderTasks(
  tasks: readonly TaskObservation[],
  world: ReplayWorld,
  madeAt: number,
): Promise<void> {
  for (const task of tasks) {
    const [mark] = marksOf(task)
    if (task.makes || !mark || !isThere(task) || isSynchronous(task.family)) continue
    const made = await world.client.tasks.create({
      // The emulator refuses what is no kind.
      kind: task.kind as TaskKind,
      account: world.accountOf(mark.step),
      plan: inWords(planOf(task, madeAt)),
    })
    world.known.set(task.id, made.id)
  }
}

/** A 400 may mean that the task does not exist. */
function isThere({ seen, hints }: TaskObservation): boolean {
  return seen.length > 0 || hints.some(({ step }) => step.status !== 400)
}

async function again(
  step: Step,
  world: ReplayWorld,
  tasks: readonly TaskObservation[],
): Promise<Replayed | undefined> {
  const isDownload = step.operation === downloadOperation
  const link = isDownload ? world.known.get(linkOf(step.entry.request.url)) : undefined
  // A file can be requested only when a reply contained its link.
  if (isDownload && link === undefined) return undefined
  // No client of the API sends these methods.
  if (/^(CONNECT|TRACE|TRACK)$/i.test(step.method)) return undefined
  const url =
    link === undefined ? world.base + pathAgain(step, world.known) : step.isTampered ? `${link}0` : link
  const maker = tasks.find(({ makes }) => makes === step)
  const body = await bodyToSend(step, maker, world)
  const reply = await askAgain(url, {
    method: step.method,
    headers: headersToSend(step, keyToSend(step, world), world.known),
    ...(body !== undefined && { body }),
  }).catch(brokenReply)
  if (reply instanceof BrokenReply)
    return { status: 0, headers: noHeaders, reply: undefined, broken: reply.message }
  const { status, headers, bytes } = reply
  const answer: Replayed = { status, headers, reply: jsonIn(bytes.toString('utf8')) }
  if (isDownload && status === 200 && step.method === 'GET') answer.media = await describeMedia(bytes, '')
  if (step.makes !== undefined) learnId(step, answer, world)
  pairTags(step, answer, world.known)
  pairLinks(...knownRows(step, answer, world.known), world.known)
  return answer
}

const noHeaders: WholeReply['headers'] = { has: () => false, get: () => null }

function brokenReply(error: unknown): BrokenReply {
  if (error instanceof BrokenReply) return error
  throw error
}

function pathAgain(step: Step, known: ReadonlyMap<string, string>): string {
  const name = (text: string) => {
    const left = readLeftOut(text)
    return known.get(text) ?? (left ? standInWord(left) : text)
  }
  const path = step.path.split('/').map(part => encodeURIComponent(name(decoded(part))))
  const query = new URLSearchParams(
    [...step.query].map(([key, value]): [string, string] => [key, value.split(',').map(name).join(',')]),
  )
  return path.join('/') + (query.size > 0 ? `?${query}` : '')
}

function learnId(step: Step, { reply }: Replayed, world: ReplayWorld): void {
  const id = madeIn(reply)
  if (id !== undefined && step.makes !== undefined) world.known.set(step.makes, id)
}

/**
 * The offsets at which a request is repeated until the reply fits. The gateway may have handled a read earlier or later than the
 * recording shows: by the duration of the read, and by the duration of the calls that made its tasks. Every other request is
 * repeated once.
 */
function momentsFor(step: Step, steps: readonly Step[]): number[] {
  if (step.method !== 'GET' && step.method !== 'HEAD') return [step.at]
  const makers = steps.filter(({ makes }) => makes !== undefined && step.tasks.includes(makes))
  const spare = step.within + Math.max(0, ...makers.map(({ within }) => within))
  return spare === 0 ? [step.at] : [step.at - spare, step.at, step.at + spare]
}

/** Whether both replies have the same status and show tasks in the same states. `known` has the emulator's ids by the recorded ones. */
function isSameState(
  step: Step,
  { status, reply }: Pick<Replayed, 'status' | 'reply'>,
  known: ReadonlyMap<string, string>,
): boolean {
  if (step.status !== status) return false
  const own = new Set(known.values())
  return (
    `${states(step, id => known.get(id))}` ===
    `${states({ ...step, reply }, id => (own.has(id) ? id : undefined))}`
  )
}

/** The tasks of the recording in a reply, with their states, ordered by id. A list can also show other tasks of the account. */
function states(step: Step, nameOf: (id: string) => string | undefined): string[] {
  return recordsIn(step)
    .flatMap(([id, record]) => {
      const name = nameOf(id)
      return name === undefined ? [] : [`${name} ${record.status ?? record.task_status}`]
    })
    .sort()
}

/** Learns which link, voice or output of the emulator belongs to a recorded one: both are at the same place of two replies. */
function pairLinks(recorded: unknown, own: unknown, known: Map<string, string>, key = ''): void {
  if (typeof recorded === 'string' && typeof own === 'string') {
    if (/^https?:\/\//.test(recorded) && /^https?:\/\//.test(own)) known.set(linkOf(recorded), own)
    else if (/^(?:voice_id|id)$/.test(key) && recorded !== '' && !known.has(recorded))
      known.set(recorded, own)
  } else if (Array.isArray(recorded) && Array.isArray(own)) {
    for (const item of recorded)
      pairLinks(item, counterpart(item, recorded.indexOf(item), own, known), known, key)
  } else if (isObject(recorded) && isObject(own)) {
    for (const [name, inner] of Object.entries(recorded)) pairLinks(inner, own[name], known, name)
  }
}

/** Learns which entity tag of the emulator belongs to a recorded one. */
function pairTags(step: Step, own: Pick<Replayed, 'headers'>, known: Map<string, string>): void {
  const recorded = headerOf(step.entry.response.headers, 'etag')
  const tag = own.headers.get('etag')
  if (recorded && tag !== null) known.set(recorded, tag)
}

/** The row of the same task when rows have ids, else the row at the same place. */
export function counterpart(
  item: unknown,
  place: number,
  others: readonly unknown[],
  known: ReadonlyMap<string, string>,
): unknown {
  const own = known.get(idOf(item) ?? '')
  return own === undefined
    ? others[place]
    : (others.find(other => idOf(other) === own) ?? (others.some(isObject) ? undefined : others[place]))
}
