import { linkTo, recipeEnding } from '../../media/index.ts'
import { linkBase, type OwnAddress } from '../http/origin.ts'
import type { Options } from '../options/table.ts'
import type { Call } from '../pipeline/endpoint.ts'
import { transitions } from '../tasks/lifecycle.ts'
import { inRange } from '../worlds/clock.ts'
import type { Task, View } from '../worlds/task.ts'
import type { Family } from './family.ts'

/**
 * Spec, "Family A", link rules: a relayed link lives about 2 hours, the original upstream link 24 hours. The other families set
 * their own (A-links).
 */
const lives: Readonly<Record<Options['links'], number>> = { relayed: 2 * 3_600_000, upstream: 24 * 3_600_000 }

type Linking = {
  world: Call['world']
  baseUrl: string
  services: { options: Pick<Options, 'links'> & OwnAddress }
}

/**
 * The temporary link to a file of a succeeded task. It is valid from success on, so each poll shows the same link. Undefined before
 * success, when the task has no such file, or when a scenario leaves the address out.
 */
export function resultLink(
  call: Linking,
  family: Pick<Family, 'outputs' | 'links'>,
  { task, view }: { task: Task; view: View },
  output = 'video',
): string | undefined {
  if (view.status !== 'succeeded' || task.media?.kind === 'missing_url') return undefined
  const recipe = family.outputs(task)[output]
  if (!recipe) return undefined
  const target = { task: task.id, output, ending: recipeEnding(recipe) }
  const path = linkTo(call.world, target, linkExpiry(family, { task, view }, call.services.options))
  return linkBase(call.baseUrl, call.services.options) + path
}

/** When a succeeded task's links end, virtual ms. */
export function linkExpiry(
  family: Pick<Family, 'links'>,
  { task, view }: { task: Task; view: Pick<View, 'since'> },
  options: Pick<Options, 'links'>,
): number {
  if (task.media?.kind === 'link_expired') return view.since
  const natural = inRange(view.since + (family.links(task).lifeMs ?? lives[options.links]))
  const ended = task.facts.find(fact => fact.kind === 'link_expired')
  return ended ? Math.min(ended.at, natural) : natural
}

/** When the links of each task end, kept as long as the task: each advance of the clock asks for the links of all tasks. */
const ends = new WeakMap<Task, number | 'never'>()

/**
 * When the links of a task that succeeds end, virtual ms, past or to come; undefined for a task without links that work: it does not
 * succeed, makes no files, or a scenario leaves its links out or has them expired at once.
 */
export function linksEnd(
  family: Pick<Family, 'outputs' | 'links'>,
  task: Task,
  options: Pick<Options, 'links'>,
): number | undefined {
  const end = ends.get(task) ?? endOfLinks(family, task, options) ?? 'never'
  ends.set(task, end)
  return end === 'never' ? undefined : end
}

function endOfLinks(
  family: Pick<Family, 'outputs' | 'links'>,
  task: Task,
  options: Pick<Options, 'links'>,
): number | undefined {
  const end = transitions(task).at(-1)
  if (end?.to !== 'succeeded' || family.links(task).isNone) return undefined
  if (task.media?.kind === 'missing_url' || task.media?.kind === 'link_expired') return undefined
  if (Object.keys(family.outputs(task)).length === 0) return undefined
  return linkExpiry(family, { task, view: { since: end.at } }, options)
}
