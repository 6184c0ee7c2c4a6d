import { downloadOperation } from '../../scenarios/operations.ts'
import { type Judgement, judge } from '../../spec/judge.ts'
import type { Predicate } from '../../spec/predicates.ts'
import {
  parametersOf,
  removes,
  type SeenFile,
  type Sight,
  type SpecFamily,
  stateIn,
} from '../../spec/sight.ts'
import { statements } from '../../spec/statements/index.ts'
import type { MediaDescription } from '../describe-media.ts'
import type { Job } from '../read/jobs.ts'
import type { Step } from '../read/steps.ts'
import type { Replay, Replayed } from '../replay/replay.ts'
import type { Aspect, Check } from './check.ts'
import { statusRule } from './status-rules.ts'

interface SeenRow {
  id: string
  predicate: Predicate
}

const families: readonly SpecFamily[] = ['a', 'b', 'c', 'special', 'k', 'image']

/** The rows that replies of a family show. Changes of states are checked over all replies of a task, lists included. */
const rowsByFamily = new Map<string, SeenRow[]>(
  families.map(family => [
    family,
    statements.flatMap(({ id, seen }) =>
      (seen[family] ?? [])
        .filter(({ kind }) => kind !== 'moves' && kind !== 'answers')
        .map(predicate => ({ id, predicate })),
    ),
  ]),
)

const byId = new Map(statements.map(statement => [statement.id, statement]))

/** True for a row of the specification that a predicate confirms and contradicts, and nothing else. */
export function hasPredicate(row: string): boolean {
  return Object.values(byId.get(row)?.seen ?? {}).some(predicates => predicates.length > 0)
}

/** What the predicates of the specification say about the recorded replies of a job. The emulator's own replies must show the rows too. */
export function judgeRows({ steps }: Job, made: Replay): Check[] {
  const states = { recorded: new Map<string, string>(), own: new Map<string, string>() }
  return steps.flatMap(step => {
    const own = made.replies.get(step)
    if (!own) return []
    const [recordedSight, ownSight] = sightsOf(step, own, made, states)
    const isSameClass = Math.floor(step.status / 100) === Math.floor(own.status / 100)
    return rowsFor(step, own)
      .filter(({ predicate }) => isSameClass || !ofReplies.includes(predicate.kind))
      .flatMap(({ id, predicate }) =>
        checksOf(judge(id, predicate, recordedSight), judge(id, predicate, ownSight), { step, id, own }),
      )
  })
}

/** Predicates of what a reply has. They say nothing when one gateway refuses and the other does not. */
const ofReplies: readonly Predicate['kind'][] = ['fields', 'filtered', 'files']

function rowsFor(step: Step, own: Replayed): SeenRow[] {
  const about = statusRule(step, own) ?? ''
  const seen = byId.get(about)?.seen ?? {}
  const cases = (seen[step.family as SpecFamily] ?? (step.operation === 'unknown' ? (seen.a ?? []) : []))
    .filter(({ kind }) => kind === 'answers')
    .map(predicate => ({ id: about, predicate }))
  return [...(rowsByFamily.get(step.family) ?? []), ...cases]
}

function sightsOf(
  step: Step,
  own: Replayed,
  { tasks }: Replay,
  states: Readonly<Record<'recorded' | 'own', Map<string, string>>>,
): [recorded: Sight, own: Sight] {
  const about = statusRule(step, own)
  const maker = tasks.find(({ id, makes }) => makes && step.tasks.includes(id))?.makes
  const [task] = step.tasks
  const common = {
    operation: step.operation,
    family: step.family as SpecFamily,
    body: step.body.kind === 'json' ? step.body.value : parametersOf(step.query),
    made: maker?.body.kind === 'json' ? maker.body.value : undefined,
    isKeyed: step.entry._gateway?.authorization === 'bearer' && step.operation === downloadOperation,
    about: about === undefined ? [] : [about],
  }
  const sight = (
    known: Map<string, string>,
    { status, reply, media }: { status: number; reply: unknown; media?: MediaDescription | undefined },
  ): Sight => {
    const before = task === undefined ? undefined : known.get(task)
    const now = stateIn({ operation: step.operation, status, reply })
    if (task !== undefined && now !== undefined) known.set(task, now)
    const seen: Sight = { ...common, status, reply, ...(before && { before }) }
    if (task !== undefined && removes(seen)) known.delete(task)
    return { ...seen, ...(media && { file: fileOf(media) }) }
  }
  return [
    sight(states.recorded, { status: step.status, reply: step.reply, media: step.entry._gateway?.media }),
    sight(states.own, own),
  ]
}

function fileOf({ type, width, height }: MediaDescription): SeenFile {
  return { type, ...(width !== undefined && { width }), ...(height !== undefined && { height }) }
}

function checksOf(
  recorded: readonly Judgement[],
  judgedOwn: readonly Judgement[],
  { step, id, own }: { step: Step; id: string; own: Replayed },
): Check[] {
  // Where the emulator does not keep the row itself, a recording cannot be measured by it.
  if (judgedOwn.some(({ holds }) => !holds)) return []
  return recorded.flatMap(({ path, holds, found, wanted }) => {
    const other = judgedOwn.find(one => one.path === path)
    // A reason that the emulator has too, and a field that its reply does not have either, say nothing.
    if (!other && (holds || found === undefined || own.status >= 400)) return []
    const aspect: Aspect = path === 'status' ? 'status' : found === undefined ? 'absent' : 'format'
    const emulated = holds ? found : (other?.found ?? wanted)
    return [{ step, aspect, path, recorded: found, emulated, isAlike: holds, rule: id }]
  })
}
