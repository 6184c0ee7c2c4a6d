import { late } from '../../../emulator/ground.ts'
import { downloadOperation, factsOfFamily } from '../../../emulator/words.ts'
import { answers, fits } from '../../spec/assumptions.ts'
import { type Asked, casesOf } from '../../spec/cases.ts'
import { at, Words } from '../../spec/json.ts'
import { type Judgement, judge, partsOf } from '../../spec/judge.ts'
import { lifeOf } from '../../spec/lives.ts'
import {
  namedBy,
  newTrail,
  type Observation,
  type ObservedFile,
  parametersOf,
  type SpecFamily,
  specFamilies,
} from '../../spec/observation.ts'
import type { Predicate } from '../../spec/predicates.ts'
import { statements } from '../../spec/statements/index.ts'
import type { MediaDescription } from '../describe-media.ts'
import type { TaskObservation } from '../read/observed.ts'
import type { Job, Step } from '../read/steps.ts'
import { withStandIns } from '../redact/prompt.ts'
import type { Replayed } from '../replay/ask-emulator.ts'
import type { Replay } from '../replay/replay.ts'
import type { Check } from './check.ts'

/** A predicate of a row, and its place among the predicates of the row in this family. */
interface SeenRow {
  id: string
  family: SpecFamily
  place: number
  predicate: Predicate
}

const rowsByFamily = late(
  () =>
    new Map<string, SeenRow[]>(
      specFamilies.map(family => [
        family,
        [...statements, ...answers()].flatMap(({ id, seen }) =>
          (seen?.[family] ?? []).map((predicate, place) => ({ id, family, place, predicate })),
        ),
      ]),
    ),
)

const byId = new Map(statements.map(statement => [statement.id, statement]))

/** True for a row of the specification: its predicate confirms and contradicts it, and nothing else. */
export function isOfSpecification(row: string): boolean {
  return byId.has(row)
}

/** Whether a row of the specification says which values are refused, and leaves nothing of that to the assumption. */
export function refusesWithout(assumption: string | undefined, row = ''): boolean {
  const statement = byId.get(row)
  const predicates = Object.values(statement?.seen ?? {}).flat()
  return statement?.assumed !== assumption && predicates.some(({ kind }) => kind === 'asks')
}

/** What the predicates of the specification say about the recorded replies of a job. The emulator's own replies must show the rows too. */
export function judgeRows({ steps }: Job, made: Replay, hasWorked: (step: Step) => boolean): Check[] {
  const [recordedTrail, ownTrail] = [newTrail(), newTrail()]
  return steps.flatMap(step => {
    const own = made.replies.get(step)
    if (!own) return []
    const about = casesIn(step, own, made)
    const kind = hasWorked(step) ? 'key that worked before' : 'wrong key'
    const asked = { ...askedIn(step, about), kind, ...ageOf(step, steps, made.tasks) }
    const [task] = step.tasks
    const seenIn = ({ status, reply }: { status: number; reply: unknown }, mediaOf: MediaOf): Observation => {
      const file = fileOf(step, steps, mediaOf)
      return { ...asked, status, reply, ...(file && { file }) }
    }
    const recorded = recordedTrail(
      seenIn(step, ({ entry }) => entry._gateway?.media),
      task,
    )
    const sent = seenIn(own, one => made.replies.get(one)?.media)
    const emulated = ownTrail({ ...sent, body: withStandIns(sent.body) }, task)
    const isSameClass = Math.floor(step.status / 100) === Math.floor(own.status / 100)
    return rowsFor(step)
      .filter(
        ({ id, predicate }) =>
          predicate.kind !== 'moves' && (predicate.kind !== 'answers' || about.includes(id)),
      )
      .filter(({ predicate }) => isSameClass || !ofReplies.includes(predicate.kind))
      .flatMap(row =>
        checksOf(judge(row.id, row.predicate, recorded), judge(row.id, row.predicate, emulated), {
          step,
          row,
          own,
        }),
      )
  })
}

/** Whether both refusals have the same code: the planned one was chosen by it, and not only by its status. */
function isSameCode({ reply }: Step, own: Replayed): boolean {
  const codeOf = (one: unknown) => at(one, 'error', 'code') ?? at(one, 'code') ?? at(one, 'error', 'type')
  return codeOf(reply) === codeOf(own.reply)
}

/** Predicates of what a reply has. They say nothing when one gateway refuses and the other does not. */
const ofReplies: readonly Predicate['kind'][] = ['fields', 'filtered', 'files', 'agrees']

/** The rows that a request can show. A path of no operation can only be a row's case. */
function rowsFor({ operation, family }: Step): readonly SeenRow[] {
  return operation === 'unknown' ? [...rowsByFamily().values()].flat() : (rowsByFamily().get(family) ?? [])
}

/** The changes of states of one task, over all replies that show it, lists included. */
export function judgeStates({ seen, family }: TaskObservation): Check[] {
  const rows = (rowsByFamily().get(family) ?? []).filter(({ predicate }) => predicate.kind === 'moves')
  return seen.slice(1).flatMap((next, index) => {
    const before = seen[index]?.word
    const observed = {
      operation: 'any.get',
      family: family as SpecFamily,
      status: 200,
      reply: { status: next.word },
    }
    const found = rows.flatMap(row =>
      judge(row.id, row.predicate, { ...observed, ...(before && { before }) }).map(one =>
        checkOf(one, next.step, row),
      ),
    )
    return found
  })
}

/** The rows whose case a request is. Who made the task that it asks for decides between some of them. */
function casesIn(step: Step, own: Replayed, made: Replay): readonly string[] {
  if (made.refusals.has(step) && !isSameCode(step, own)) return []
  const maker = made.tasks.find(({ id }) => step.tasks.includes(id))?.makes
  const isOtherAccount = maker !== undefined && made.accountOf(maker) !== made.accountOf(step)
  return statusRules(step, own, maker && { family: maker.family, isOtherAccount })
}

function askedIn(step: Step, about: readonly string[]) {
  // A body that is no JSON lacks no field.
  const parameters = step.method === 'POST' ? undefined : parametersOf(step.query)
  return {
    operation: step.operation,
    family: step.family as SpecFamily,
    body: step.body.kind === 'json' ? step.body.value : parameters,
    isKeyed: step.entry._gateway?.authorization === 'bearer' && step.operation === downloadOperation,
    about,
  }
}

/** Where links have a limit of downloads, that of the specification (link.downloads-25). */
const mostDownloads = 100

/**
 * How long ago the task of a download ended. A link that was refused because it was changed or used up, or its task deleted, shows no life.
 */
function ageOf(
  step: Step,
  steps: readonly Step[],
  ofJob: readonly TaskObservation[],
): Pick<Observation, 'ageHours'> {
  const { operation, tasks, at: now, place, status } = step
  const task = ofJob.find(({ id }) => tasks.includes(id))
  if (operation !== downloadOperation || !task?.makes) return {}
  const isDeleted = steps.some(
    ({ operation: asked, params, ...one }) =>
      asked.endsWith('.delete') && one.status < 300 && one.place < place && params.task_id === task.id,
  )
  const used = steps.filter(one => one.place < place && one.status < 300 && isSameLink(one, step)).length
  const isUsedUp = used >= mostDownloads && factsOfFamily(task.makes.family)?.limitsDownloads === true
  if (status >= 300 && (step.isTampered || isDeleted || isUsedUp)) return {}
  const { createdAt = 0, changedAt = 0 } = lifeOf(task.seen.at(-1)?.record ?? {})
  return { ageHours: (now - task.makes.at - (changedAt - createdAt)) / 3_600_000 }
}

function isSameLink(one: Step, other: Step): boolean {
  return one.operation === downloadOperation && one.entry.request.url === other.entry.request.url
}

type MediaOf = (step: Step) => MediaDescription | undefined

/** The file of a download. The last frame of a video has the size of that video, when it was downloaded too. */
function fileOf(step: Step, steps: readonly Step[], mediaOf: MediaOf): ObservedFile | undefined {
  const media = mediaOf(step)
  if (!media) return undefined
  const { type, width, height } = media
  const isVideo = (one: Step) =>
    one.tasks[0] === step.tasks[0] && one.status === 200 && mediaOf(one)?.type.startsWith('video/')
  const video = type.startsWith('image/') ? steps.find(isVideo) : undefined
  const of = video && mediaOf(video)
  return {
    type,
    ...(width !== undefined && { width }),
    ...(height !== undefined && { height }),
    ...(of && { videoSize: `${of.width}x${of.height}` }),
  }
}

function checksOf(
  recorded: readonly Judgement[],
  judgedOwn: readonly Judgement[],
  { step, row, own }: { step: Step; row: SeenRow; own: Replayed },
): Check[] {
  // Where the emulator does not keep the row itself, a recording cannot be measured by it.
  const isRepeated = row.predicate.kind === 'fields' && row.predicate.isRepeated === true
  if (!isRepeated && judgedOwn.some(({ holds }) => !holds)) return []
  const shown = judgedOwn.flatMap(({ shows }) => shows)
  return recorded.flatMap(one => {
    const { path, holds, found, shows } = one
    const other = judgedOwn.find(another => another.place === one.place && another.path === path)
    // A reason that the emulator has too, and a field that its reply does not have either, say nothing. Its list may have no such row.
    const isMissing = found === undefined && !path.includes('[]')
    if (!other && (holds || isMissing || own.status >= 400)) return []
    if (holds && shows.length === 0 && !isOfSpecification(row.id)) return []
    const isOwnShown = row.predicate.kind !== 'agrees' && !isRepeated
    const emulated = holds ? found : isOwnShown ? other?.found : undefined
    const check = checkOf({ ...one, shows: shows.filter(part => shown.includes(part)) }, step, row)
    return [emulated === undefined ? check : { ...check, emulated, isRule: false }]
  })
}

function checkOf(
  { place: at, path, holds, found, wanted, wantsNumber, shows }: Judgement,
  step: Step,
  { id, family, place, predicate }: SeenRow,
): Check {
  const replied = at === 'status' ? 'status' : found === undefined ? 'absent' : 'format'
  const aspect = predicate.kind === 'moves' ? 'order' : predicate.kind === 'agrees' ? 'value' : replied
  const parts = shows.map(part => `${family} ${place} ${part}`)
  const emulated = typeof wanted === 'string' ? new Words(wanted) : wanted
  // Of a number at the place of another type, a recording has the type only.
  const isLost = !holds && (found === 0 || found === 0.5) && wantsNumber === false
  const sides = { recorded: isLost ? new Words('a number') : found, emulated, isRule: true, isAlike: holds }
  return { step, aspect, place: at, path, ...sides, rule: id, shows: parts }
}

/**
 * By family: everything that recordings must show of a row, in one family at least. Of an assumption, they must also show something of
 * each column.
 */
export function partsOfRow(id: string): Readonly<Record<string, readonly string[]>> {
  const answer = answers().find(one => one.id === id)
  const columns = (['claims', 'statuses'] as const).filter(column => answer?.[column])
  const seen = Object.entries((byId.get(id) ?? answer)?.seen ?? {})
  return Object.fromEntries(
    (seen.length > 0 ? seen : [['', []] as const]).map(([family, predicates]) => [
      family,
      [
        ...columns,
        ...predicates.flatMap((predicate, place) =>
          partsOf(predicate).map(part => `${family} ${place} ${part}`),
        ),
      ],
    ]),
  )
}

/** The rows whose case a request is, or the assumption that says why the emulator answers it with this status. */
export function statusRules(
  step: Step,
  own: Pick<Replayed, 'status' | 'reply'>,
  maker?: Asked['maker'],
): readonly string[] {
  const { operation } = step
  const { status, reply } = own
  if (operation !== downloadOperation) {
    const stated = casesOf({
      operation,
      family: step.family as SpecFamily,
      path: step.path,
      status,
      reply,
      key: keyIn(step.entry),
      isUnreadable: step.body.kind === 'broken' || step.body.kind === 'too_deep',
      other: step.reply,
      maker,
    })
    if (stated.length > 0) return stated
    if (status >= 500 && status !== 501) return []
  }
  const named = namedBy(reply) ?? String(at(reply, 'error', 'message') ?? '')
  const assumed = answers().find(({ statuses = [] }) =>
    statuses.some(
      one => fits(one.on, operation) && fits(one.status, String(status)) && fits(one.names, named),
    ),
  )
  return assumed ? [assumed.id] : []
}

function keyIn({ _gateway: facts, request }: Step['entry']): Asked['key'] {
  if (facts?.authorization === 'none' || facts?.authorization === 'bearer') return facts.authorization
  const value = request.headers.find(({ name }) => name.toLowerCase() === 'authorization')?.value ?? ''
  return /^bearer\s/i.test(value) ? 'spaced' : 'bare'
}
