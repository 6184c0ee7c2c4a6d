import { downloadOperation } from '../../../emulator/words.ts'
import type { ControlClient } from '../../../kits/client.ts'
import { at, isObject, Words } from '../../spec/json.ts'
import { namedBy } from '../../spec/observation.ts'
import { factsOf } from '../operation.ts'
import { jobsOf } from '../read/jobs.ts'
import { accountsOf } from '../read/observed.ts'
import type { Job, ReadRecording, Step } from '../read/steps.ts'
import type { Replayed } from '../replay/ask-emulator.ts'
import { type Replay, type ReplayConditions, replay } from '../replay/replay.ts'
import { conditionsOf } from '../replay/unexplained-replies.ts'
import { type Attributed, attribute } from './attribute.ts'
import type { Check } from './check.ts'
import { checkRecorded, checkTotal } from './compare-recorded.ts'
import { compareStep } from './compare-step.ts'

/** A comparison with the row that it belongs to. */
export interface Judged extends Attributed {
  recording: string
}

export interface Compared {
  recording: ReadRecording
  jobs: number
  /** The number of repeated requests. */
  repeated: number
  judged: Judged[]
}

const nothing: ReplayConditions = { refusals: new Map(), accounts: new Map() }

/** Repeats every job of a recording in an emulator, and compares the replies. */
export async function compareRecording(recording: ReadRecording, emulator: ControlClient): Promise<Compared> {
  const jobs = jobsOf(recording.steps)
  const isDead = deadStepsOf(recording.steps)
  const hasWorked = ({ entry, place }: Step) =>
    recording.steps.some(
      one =>
        one.place < place &&
        one.status < 300 &&
        checksKey(one) &&
        one.entry._gateway?.key === entry._gateway?.key,
    )
  const accountOf = accountsOf(recording.steps)
  const judged: Judged[] = []
  let repeated = 0
  for (const job of jobs) {
    const found = await compareJob(job, { emulator, startsAt: recording.startsAt, isDead, accountOf })
    repeated += found.made.replies.size
    const totals = job.steps.flatMap(step => checkTotal(step, recording.steps))
    judged.push(
      ...attribute({ job, made: found.made, hasWorked }, [...found.checks, ...totals]).map(one => ({
        ...one,
        recording: recording.name,
      })),
    )
  }
  for (const step of recording.brokenOff) {
    const made = await replay(
      { steps: [step] },
      { emulator, startsAt: recording.startsAt, isDead, accountOf },
      nothing,
    )
    const own = made.replies.get(step)
    if (!own) continue
    repeated++
    judged.push({ ...brokenOff(step, own), row: undefined, spoils: [], recording: recording.name })
  }
  return { recording, jobs: jobs.length, repeated, judged }
}

/** A connection that the recorded gateway ended before its reply was complete. */
function brokenOff(step: Step, own: Replayed): Check {
  const isAlike = own.broken !== undefined
  const emulated = new Words(isAlike ? `no complete reply (${own.broken})` : 'a complete reply')
  const recorded = new Words('no complete reply')
  return { step, aspect: 'type', place: 'connection', path: 'connection', recorded, emulated, isAlike }
}

type Setting = Parameters<typeof replay>[1]

async function compareJob(job: Job, setting: Setting): Promise<{ made: Replay; checks: Check[] }> {
  const first = await replay(job, setting, nothing)
  const best = { made: first, checks: checksOf(job, first) }
  const conditions = conditionsOf(job.steps, first)
  if (!conditions) return best
  const second = await replay(job, setting, conditions)
  const other = { made: second, checks: checksOf(job, second) }
  return differences(other.checks) <= differences(best.checks) ? other : best
}

/** When the status differs, nothing else of the reply is compared: the difference counts as much as the whole reply. */
const weightOfStatus = 4

function differences(checks: readonly Check[]): number {
  return checks
    .filter(({ isAlike }) => !isAlike)
    .reduce((sum, { aspect }) => sum + (aspect === 'status' ? weightOfStatus : 1), 0)
}

function checksOf({ steps }: Job, made: Replay): Check[] {
  const compared = steps.flatMap(step => {
    const own = made.replies.get(step)
    if (!own) return []
    return [...compareStep(step, own, made), ...(own.broken === undefined ? acceptedAs(step, own) : [])]
  })
  return [...compared, ...checkRecorded(steps, made.tasks)]
}

/** Requests that show how the gateway reads unset values. */
function acceptedAs(step: Step, own: Replayed): Check[] {
  if (step.body.kind !== 'json') return []
  const check = {
    step,
    aspect: 'status',
    place: 'status',
    path: 'http_status',
    recorded: step.status,
    emulated: own.status,
  } as const
  const isAlike = step.status === own.status
  // Two refusals say nothing about the unset value.
  if (isAlike && step.status >= 300) return []
  const named = namedBy(step.reply) ?? namedBy(own.reply)
  // A refusal for another parameter says nothing about the unset one.
  if (named !== undefined && !/^(?:null|)$/.test(String(at(step.body.value, ...named.split('.')) ?? '')))
    return []
  const { emptyIsUnset } = factsOf(step.family)
  const unset = [
    ['A-null', null] as const,
    ...(emptyIsUnset === undefined ? [] : [[emptyIsUnset, ''] as const]),
  ]
  const { value } = step.body
  return unset.flatMap(([rule, wanted]) =>
    placesOf(value, wanted).map(place => ({ ...check, isAlike, rule, about: place })),
  )
}

/** Where a body has a value: `parameters.seed`. */
function placesOf(value: unknown, wanted: null | '', path: readonly string[] = []): string[] {
  if (value === wanted) return [path.join('.')]
  if (Array.isArray(value)) return value.flatMap(item => placesOf(item, wanted, [...path, '[]']))
  return isObject(value)
    ? Object.entries(value).flatMap(([name, inner]) => placesOf(inner, wanted, [...path, name]))
    : []
}

/** Whether a key is refused with 401 from a request on: it was never right, or it was disabled. */
function deadStepsOf(steps: readonly Step[]): (step: Step) => boolean {
  const alive = new Map<string, number>()
  for (const step of steps) {
    const { key, authorization } = step.entry._gateway ?? {}
    if (key !== undefined && authorization === 'bearer' && step.status !== 401 && checksKey(step))
      alive.set(key, step.place)
  }
  return ({ entry, status, place }) => {
    const { key, authorization } = entry._gateway ?? {}
    const isLater = key !== undefined && place > (alive.get(key) ?? -1)
    return isLater && authorization === 'bearer' && status === 401
  }
}

/** Whether the reply shows that the key was looked at. Downloads and unknown paths need none, and a broken gateway may look at nothing. */
function checksKey({ operation, status }: Step): boolean {
  return operation !== downloadOperation && operation !== 'unknown' && status < 500
}
