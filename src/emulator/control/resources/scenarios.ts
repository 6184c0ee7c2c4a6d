// biome-ignore-all lint/suspicious/noThenProperty: a word of the scenario language, never awaited.

import type { InjectionView } from '../../../kits/views.ts'
import { operationFacts } from '../../families/index.ts'
import type { Services } from '../../pipeline/endpoint.ts'
import { inertRules } from '../../scenarios/inert-rules.ts'
import { inject, injectionsOf, withdraw } from '../../scenarios/inject.ts'
import {
  documentNamed,
  listingNamed,
  listScenarios,
  nearestScenario,
  offeredDocument,
  textNamed,
} from '../../scenarios/known-scenarios.ts'
import { readGiven, scenarioSchema } from '../../scenarios/load.ts'
import type { ScenarioDocument } from '../../scenarios/scenario.ts'
import { shadowsOf } from '../../scenarios/shadows.ts'
import type { Injection } from '../../worlds/head.ts'
import type { Journal } from '../../worlds/journal.ts'
import { headChanged, nowIn, put, remove, type World } from '../../worlds/world.ts'
import { type ControlCall, closed, done, endpoints, listed } from '../control-endpoint.ts'
import { badRequest, conflict, notFound } from '../control-error.ts'
import { offerUndo, undoQuery } from './undo.ts'

/** Rules that act once and need no scenario document. */
export const injectEndpoints = endpoints({
  'GET /inject': {
    summary: 'The one-time rules that have not acted yet, oldest first',
    handle: ({ world }) => listed(injectionsOf(world).map(injectionView)),
  },
  'POST /inject': {
    opens: true,
    example: {
      body: {
        operation: 'a.create',
        nth: 1,
        then: { refuse: { fault: 'rate_limited', retry_after: '5s' } },
      },
    },
    summary: 'Add a rule that acts once, on the nth call of an operation from now',
    // Listed here so that nulls count as not sent. Their values are checked like scenarios, with path and hint.
    body: { type: 'object', properties: { operation: {}, nth: {}, then: {} } },
    handle: ({ world, body }) => done(injectionView(inject(world, body)), 201),
  },
  'DELETE /inject/:id': {
    summary: 'Remove a rule before it acts',
    handle({ world, params: { id = '' } }) {
      if (!withdraw(world, id)) throw notFound(`The rule ${id}, or it has acted,`)
      return done()
    },
  },
})

/** A one-time rule that has not acted; `calls_left` includes the call it acts on. */
function injectionView({ id, operation, nth, left, then }: Injection): InjectionView {
  return { id, operation, nth, calls_left: left, then }
}

const exampleDocument = {
  name: 'second-create-fails',
  description: 'The second task fails after twenty seconds.',
  rules: [
    {
      when: { operation: '*.create', call: 2 },
      then: { task: { running: '20s', outcome: 'failed' } },
    },
  ],
} as const

const scenarioBody = {
  takesYaml: true,
  body: {
    type: ['object', 'string'],
    description:
      'A document, or its YAML or JSON text as a string; YAML itself with Content-Type: application/yaml.',
  },
} as const

/** The scenarios that a world knows, and the active ones. */
export const scenarioEndpoints = endpoints({
  'GET /scenarios': {
    summary: 'Known scenarios, and the names of the active ones',
    handle: ({ world }) => done({ available: listScenarios(world), active: activeNames(world) }),
  },
  'PUT /scenarios/active': {
    ...choosing(['flaky-upstream'], activate),
    summary: 'Activate exactly these scenarios from now on; counters restart',
  },
  'PATCH /scenarios/active': {
    ...choosing(['slow-queue', 'late-failure'], setActive),
    summary: 'Change which scenarios are active and in which order; those that stay keep their counters',
  },
  'POST /scenarios': {
    opens: true,
    example: { body: exampleDocument },
    summary: 'Check a scenario document, store it in this world and activate it',
    ...scenarioBody,
    handle({ world, body }) {
      const document = readGiven(body)
      put(world, 'scenarios', document.name, document)
      // One that is already active keeps its place.
      setActive(world, [...new Set([...activeNames(world), document.name])], [document.name])
      return done({ ...listingNamed(world, document.name), active: activeNames(world) }, 201)
    },
  },
  'POST /scenarios/check': {
    example: { body: exampleDocument },
    summary: 'Check a scenario document and change nothing; warns of rules that can never act',
    ...scenarioBody,
    handle({ body, services }) {
      const document = readGiven(body)
      const warnings = inertRules(document, operationFacts(services.options.models)).map(
        ({ path, message, hint }) => ({
          path,
          message,
          ...(hint !== undefined && { hint }),
        }),
      )
      return done({ ok: true, name: document.name, rules: document.rules.length, warnings })
    },
  },
  'GET /scenarios/:name': {
    example: { params: { name: 'flaky-upstream' } },
    summary: 'One scenario with its document, its text, and the rules that come before its own',
    handle({ world, services, params: { name = '' } }) {
      const known = documentNamed(world, name)
      if (!known) throw notFound(`The scenario ${name}`)
      const { $text, ...document } = known
      const text = textNamed(world, name)
      return done({
        ...listingNamed(world, name),
        document,
        ...(text !== undefined && { text }),
        since_request: ruleStarts(world).get(name) ?? 0,
        shadowed: shadowsOf(activeDocuments(world), name, operationFacts(services.options.models)),
      })
    },
  },
  'DELETE /scenarios/:name': {
    example: { params: { name: 'second-create-fails' } },
    summary: 'Deactivate a scenario; one that was posted to this world is also removed',
    query: undoQuery,
    handle(call) {
      const { world, params } = call
      const { name = '' } = params
      if (!documentNamed(world, name) && !activeNames(world).includes(name))
        throw notFound(`The scenario ${name}`)
      const posted = world.state.scenarios.get(name)
      if (!posted && !activeNames(world).includes(name))
        throw conflict(
          `The scenario ${name} is not active, and only scenarios posted to a world can be removed`,
        )
      const undo = offerUndo(call, () => undoScenario(world, name))
      remove(world, 'scenarios', name)
      setActive(
        world,
        activeNames(world).filter(other => other !== name),
      )
      return done({ active: activeNames(world), ...undo })
    },
  },
  'GET /scenario.schema.json': {
    summary: 'The JSON Schema of a scenario document, for editors',
    handle: () => done(scenarioSchema),
  },
})

/** A call that says which scenarios are active, with an example of their names. */
function choosing(example: readonly string[], choose: (world: World, names: readonly string[]) => void) {
  return {
    opens: true,
    example: { body: { names: example } },
    body: closed({ names: { type: 'array', maxItems: 100, items: { type: 'string' } } }, ['names']),
    handle({ world, body }: ControlCall) {
      const { names } = body as { names: string[] }
      checkActive(world, names)
      choose(world, [...new Set(names)])
      return done({ active: activeNames(world) })
    },
  } as const
}

/** Checks that a new world would know these names; undefined means no names. Throws 400 with the nearest known name as hint. */
export function checkOffered(
  services: Pick<Services, 'database'>,
  names: readonly (string | undefined)[],
): void {
  checkNames('scenarios', names, {
    isKnown: name => offeredDocument(services.database, name) !== undefined,
    hintFor: name => nearestScenario(services.database, name),
  })
}

function checkActive(world: World, names: readonly string[]): void {
  checkNames('names', names, {
    isKnown: name => documentNamed(world, name) !== undefined,
    hintFor: name => nearestScenario(world.database, name, world.state.scenarios),
  })
}

function checkNames(
  path: string,
  names: readonly (string | undefined)[],
  { isKnown, hintFor }: { isKnown(name: string): boolean; hintFor(name: string): string },
): void {
  names.forEach((name, index) => {
    if (name !== undefined && !isKnown(name))
      throw badRequest(`No scenario is named ${JSON.stringify(name)}`, {
        path: `${path}[${index}]`,
        hint: hintFor(name),
      })
  })
}

/** The names of the active scenarios, in the order in which their rules are tried. */
function activeNames(world: World): string[] {
  return world.state.head.active.map(({ name }) => name)
}

/** The documents of the active scenarios, in the same order. */
function activeDocuments(world: World): ScenarioDocument[] {
  return activeNames(world).flatMap(name => documentNamed(world, name) ?? [])
}

/** By journal and scenario: the number of the newest request before its present rules were active. Lost with the journal. */
const starts = new WeakMap<Journal, Map<string, number>>()

/** The starts in a world's present journal, by scenario. */
function ruleStarts({ journal }: World): Map<string, number> {
  const known = starts.get(journal) ?? new Map<string, number>()
  starts.set(journal, known)
  return known
}

/** Counters restart with every activation: "call: 1" is the first call after it. */
function activate(world: World, names: readonly string[]): void {
  world.state.head.counters = {}
  setActive(world, names, names)
}

/** Makes exactly these scenarios active. Those that stay active keep their counters, unless they begin `anew`; others stop, and new ones start. */
function setActive(world: World, names: readonly string[], anew: readonly string[] = []): void {
  const { head } = world.state
  const before = new Map(head.active.map(active => [active.name, active]))
  const isKept = (name: string) => before.has(name) && names.includes(name) && !anew.includes(name)
  head.active = names.map(name => (!anew.includes(name) && before.get(name)) || { name, since: nowIn(world) })
  for (const name of [...before.keys(), ...names].filter(name => !isKept(name))) {
    head.counters = withoutCounters(head.counters, name)
    if (names.includes(name)) ruleStarts(world).set(name, world.journal.lastId)
  }
  headChanged(world)
}

/** Restores a scenario's document, its position among the active ones and its counters. */
function undoScenario(world: World, name: string): () => void {
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

function withoutCounters(counters: Record<string, number>, name: string): Record<string, number> {
  return Object.fromEntries(Object.entries(counters).filter(([rule]) => !rule.startsWith(`${name}/`)))
}
