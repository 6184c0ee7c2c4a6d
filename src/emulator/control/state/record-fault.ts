import { families } from '../../families/index.ts'
import { FaultError, invalid } from '../../faults/fault.ts'
import { type Schema, shapeFault } from '../../http/validate.ts'
import { packageVersion } from '../../package/files.ts'
import { checkInjection } from '../../scenarios/inject.ts'
import { checkScenario } from '../../scenarios/load.ts'
import { ScenarioError } from '../../scenarios/scenario-error.ts'
import { transitions } from '../../tasks/lifecycle.ts'
import { didYouMean } from '../../wording/shown.ts'
import { accountSchema, assetSchema } from '../../worlds/account.ts'
import { migrations, type RecordRules, type StoredRecord } from '../../worlds/database.ts'
import { storedHeadSchema } from '../../worlds/head.ts'
import { deepestJson, isNestedDeeper, jsonIn } from '../../worlds/json-depth.ts'
import { count, id, ms, snapshotName } from '../../worlds/record-values.ts'
import { type Task, taskSchema } from '../../worlds/task.ts'
import { type FrozenState, frozenCollections, type Snapshot, type WorldValues } from '../../worlds/world.ts'
import { controlErrorOf } from '../control-error.ts'

/** Records as `[id, value]`, in order of creation. Each record is checked by itself. */
const records = {
  type: 'array',
  items: { type: 'array', items: [id, {}], minItems: 2, maxItems: 2, additionalItems: false },
} as const

/** The outer shape of a state. */
const state = {
  type: 'object',
  additionalProperties: false,
  required: ['head', 'accounts', 'tasks', 'assets', 'downloads', 'scenarios'],
  properties: {
    head: { type: 'object' },
    accounts: records,
    tasks: records,
    assets: records,
    downloads: records,
    scenarios: records,
  },
} as const

/** Each kind of record as the data directory holds it. */
export const recordSchemas = {
  head: storedHeadSchema,
  accounts: accountSchema,
  tasks: taskSchema,
  assets: assetSchema,
  downloads: count,
  scenarios: { type: 'object' },
  snapshots: {
    type: 'object',
    additionalProperties: false,
    required: ['name', 'at', 'state', 'journal'],
    properties: {
      name: snapshotName,
      at: ms,
      state,
      journal: {
        type: 'object',
        additionalProperties: false,
        required: ['boots', 'lastId'],
        // A snapshot from a document belongs to no run.
        properties: { boots: { type: 'integer', minimum: -1 }, lastId: count },
      },
    },
  },
} as const

/** A world as one document, as `GET /__emulator/state` gives and `PUT` takes it. */
export const stateSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['version', 'state'],
  properties: {
    format: { type: 'string' },
    version: { type: 'integer' },
    world: { type: 'string' },
    exported_at: { type: 'string' },
    state,
    snapshots: {
      type: 'array',
      maxItems: 1000,
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['name', 'at', 'state'],
        properties: { name: snapshotName, at: ms, state },
      },
    },
  },
} as const satisfies Schema

/**
 * What is wrong with a stored record; undefined when this program could have written it. `PUT /state` and the opening of a data
 * directory check every record with this function.
 */
function recordFault({ collection, id, value }: StoredRecord): FaultError | undefined {
  const schemas: { [C in keyof WorldValues]: Schema } = recordSchemas
  const fault = shapeFault(schemas[collection], value)
  if (fault) return fault
  switch (collection) {
    case 'head':
      return headFault(value as FrozenState['head'])
    case 'accounts':
    case 'assets':
      return idFault(id, (value as { id: string }).id)
    case 'tasks':
      return idFault(id, (value as Task).id) ?? taskFault(value as Task)
    case 'downloads':
      return undefined
    case 'scenarios':
      return idFault(id, (value as { name: string }).name) ?? scenarioFault(() => checkScenario(value))
    case 'snapshots':
      return idFault(id, (value as Snapshot).name) ?? below('state', stateFault((value as Snapshot).state))
  }
}

/** The first fault in the records of a state whose outer shape is right; `next` is called after each record. */
function stateFault(state: FrozenState): FaultError | undefined {
  for (const fault of stateFaults(state)) if (fault) return fault
  return undefined
}

/** Checks one record after the other, so that a caller can do something else in between. */
export function* stateFaults(state: FrozenState): Generator<FaultError | undefined> {
  // A head in a state has no number of runs, which belongs to a data directory.
  yield below('head', recordFault({ collection: 'head', id: '', value: { ...state.head, boots: 0 } }))
  for (const collection of frozenCollections) {
    const seen = new Set<string>()
    for (const [index, [id, value]] of state[collection].entries()) {
      const fault = seen.has(id)
        ? invalid('', `the id ${id} appears twice`)
        : recordFault({ collection, id, value })
      yield below(`${collection}[${index}]`, fault)
      seen.add(id)
    }
  }
}

/** A fault seen from one level higher. */
export function below(path: string, fault: FaultError | undefined): FaultError | undefined {
  if (!fault) return undefined
  const { param } = fault.detail
  const whole = !param ? path : param.startsWith('[') ? `${path}${param}` : `${path}.${param}`
  return new FaultError(fault.fault, { ...fault.detail, param: whole })
}

function idFault(id: string, own: string): FaultError | undefined {
  return own === id ? undefined : invalid('', `the record under the id ${id} has the id ${own}`)
}

/** The job has the shape of its kind, its family has a word for each status that it takes, and its request can be shown. */
function taskFault(task: Task): FaultError | undefined {
  const family = families.find(({ id }) => id === task.family)
  if (!family)
    return unknownName(
      'family',
      task.family,
      families.map(({ id }) => id),
    )
  if (!Object.hasOwn(family.jobs, task.kind)) return unknownName('kind', task.kind, Object.keys(family.jobs))
  const words = family.words(task)
  const wordless = transitions(task).find(({ to }) => words[to] === undefined)
  if (wordless) return invalid('plan', `the family ${family.id} has no state for ${wordless.to}`)
  return below('job', shapeFault(family.jobs[task.kind] ?? {}, task.job)) ?? requestFault(task)
}

function requestFault({ request }: Task): FaultError | undefined {
  if (isNestedDeeper(request, deepestJson))
    return invalid('request', `is nested deeper than ${deepestJson} levels`)
  return jsonIn(request) === undefined ? invalid('request', 'is not JSON') : undefined
}

function unknownName(param: string, name: string, known: readonly string[]): FaultError {
  const hint = didYouMean(name, known)
  const reason = `${JSON.stringify(name)} is not known to this emulator`
  return new FaultError('invalid_parameter', { param, reason, ...(hint && { hint }) })
}

/** The scenario documents and injections of a head. Every create stores its head, so a part that was found right is not compiled again. */
const right = new Set<string>()
const mostRight = 100

function headFault({
  opening: { documents = [] },
  injections = [],
}: FrozenState['head']): FaultError | undefined {
  if (documents.length + injections.length === 0) return undefined
  const text = JSON.stringify([documents, injections.map(({ operation, then }) => [operation, then])])
  if (right.has(text)) return undefined
  const faults = [
    ...documents.map((document, index) =>
      below(
        `opening.documents[${index}]`,
        scenarioFault(() => checkScenario(document)),
      ),
    ),
    ...injections.map(({ operation, nth, then }, index) =>
      below(
        `injections[${index}]`,
        scenarioFault(() => checkInjection({ operation, nth, then })),
      ),
    ),
  ]
  const fault = faults.find(found => found !== undefined)
  if (fault) return fault
  if (right.size >= mostRight) right.clear()
  right.add(text)
  return undefined
}

function scenarioFault(check: () => unknown): FaultError | undefined {
  try {
    check()
    return undefined
  } catch (error) {
    if (!(error instanceof ScenarioError)) throw error
    const { path, message, hint } = error
    return new FaultError('invalid_parameter', { param: path ?? '', reason: message, ...(hint && { hint }) })
  }
}

/** The scenarios of a head must be known: posted to its world, given at its opening, or offered by the emulator. */
export function nameFault(
  { active, opening }: FrozenState['head'],
  posted: Iterable<readonly [name: string, document: unknown]>,
  isOffered: (name: string) => boolean,
): FaultError | undefined {
  const own = new Set([...posted].map(([name]) => name))
  const given = new Set((opening.documents ?? []).map(({ name }) => name))
  const unknown =
    active.find(({ name }) => !own.has(name) && !isOffered(name))?.name ??
    opening.scenarios.find(name => !given.has(name) && !isOffered(name))
  return unknown === undefined
    ? undefined
    : invalid('head', `the scenario ${JSON.stringify(unknown)} is not known to this emulator`)
}

/**
 * The rules for opening a data directory: each record is checked and migrated as `PUT /state` does. `isOffered`: whether every
 * world of this emulator knows a scenario.
 */
export function recordRules(isOffered: (name: string) => boolean): RecordRules<WorldValues> {
  return {
    program: packageVersion(),
    migrations,
    faultOf: record => controlErrorOf(recordFault(record))?.message,
    faultOfAll(data) {
      for (const [id, { head, scenarios, snapshots }] of data.worlds) {
        const first = head.get('')
        if (!first)
          return `holds records of the world "${id}", but no line with its head, so its clock and seed are unknown. Nothing was changed; put back a good copy of the directory, or start with another one.`
        const states = [...snapshots.values()].map(({ state }) => state)
        const fault = [{ head: first, scenarios }, ...states]
          .map(state => nameFault(state.head, state.scenarios, isOffered))
          .find(found => found !== undefined)
        if (fault)
          return `holds a record that does not fit this start, the head of the world "${id}": ${fault.message}. Nothing was changed; start with the same --scenario files as before, or with another directory.`
      }
      return undefined
    },
  }
}
