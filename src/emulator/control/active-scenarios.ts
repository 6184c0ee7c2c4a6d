import { documentNamed } from '../scenarios/known-scenarios.ts'
import type { ScenarioDocument } from '../scenarios/scenario.ts'
import type { Journal } from '../worlds/journal.ts'
import { headChanged, nowIn, put, type World } from '../worlds/world.ts'

/** The names of the active scenarios, in the order in which their rules are tried. */
export function activeNames(world: World): string[] {
  return world.state.head.active.map(({ name }) => name)
}

/** The documents of the active scenarios, in the same order. */
export function activeDocuments(world: World): ScenarioDocument[] {
  return activeNames(world).flatMap(name => documentNamed(world, name) ?? [])
}

/** By journal and scenario: the number of the newest request before its present rules were active. Lost with the journal. */
const starts = new WeakMap<Journal, Map<string, number>>()

/** The starts in a world's present journal, by scenario. */
export function ruleStarts({ journal }: World): Map<string, number> {
  const known = starts.get(journal) ?? new Map<string, number>()
  starts.set(journal, known)
  return known
}

function markStarts(world: World, names: readonly string[]): void {
  for (const name of names) ruleStarts(world).set(name, world.journal.lastId)
}

/** Counters restart with every activation: "call: 1" is the first call after it. */
export function activate(world: World, names: readonly string[]): void {
  const { head } = world.state
  head.active = names.map(name => ({ name, since: nowIn(world) }))
  head.counters = {}
  headChanged(world)
  markStarts(world, names)
}

/** Scenarios that stay active keep their counters; others stop, and new ones start. */
export function keepActive(world: World, names: readonly string[]): void {
  const { head } = world.state
  const before = new Map(head.active.map(active => [active.name, active]))
  const gone = [...before.keys()].filter(name => !names.includes(name))
  const fresh = names.filter(name => !before.has(name))
  head.active = names.map(name => before.get(name) ?? { name, since: nowIn(world) })
  for (const name of [...gone, ...fresh]) head.counters = withoutCounters(head.counters, name)
  headChanged(world)
  markStarts(world, fresh)
}

/** A scenario that is already active restarts and keeps its place. */
export function addActive(world: World, name: string): void {
  const { head } = world.state
  const entry = { name, since: nowIn(world) }
  const isActive = activeNames(world).includes(name)
  head.active = isActive
    ? head.active.map(active => (active.name === name ? entry : active))
    : [...head.active, entry]
  head.counters = withoutCounters(head.counters, name)
  headChanged(world)
  markStarts(world, [name])
}

/** Restores a scenario's document, its position among the active ones and its counters. */
export function undoScenario(world: World, name: string): () => void {
  const document = world.state.scenarios.get(name)
  const { active, counters } = world.state.head
  const place = active.findIndex(entry => entry.name === name)
  const entry = active[place]
  const own = Object.entries(counters).filter(([rule]) => rule.startsWith(`${name}/`))
  return () => {
    const { head } = world.state
    if (document && !world.state.scenarios.has(name)) put(world, 'scenarios', name, document)
    if (!entry || activeNames(world).includes(name)) return
    head.active = [...head.active.slice(0, place), entry, ...head.active.slice(place)]
    head.counters = { ...head.counters, ...Object.fromEntries(own) }
    headChanged(world)
  }
}

/** Deactivates a scenario. */
export function stop(world: World, name: string): void {
  const { head } = world.state
  head.active = head.active.filter(active => active.name !== name)
  head.counters = withoutCounters(head.counters, name)
  headChanged(world)
}

function withoutCounters(counters: Record<string, number>, name: string): Record<string, number> {
  return Object.fromEntries(Object.entries(counters).filter(([rule]) => !rule.startsWith(`${name}/`)))
}
