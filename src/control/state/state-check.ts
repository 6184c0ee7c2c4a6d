import { setImmediate as nextTurn } from 'node:timers/promises'
import { families, familyOf } from '../../families/index.ts'
import { FaultError } from '../../faults/fault-error.ts'
import { callOf } from '../../http/call.ts'
import type { Call } from '../../http/endpoint.ts'
import { misfit } from '../../http/validate.ts'
import { offeredDocument } from '../../scenarios/catalog.ts'
import { checkInjection } from '../../scenarios/inject.ts'
import { checkScenario } from '../../scenarios/load.ts'
import { ScenarioError } from '../../scenarios/scenario-error.ts'
import { transitions } from '../../tasks/lifecycle.ts'
import type { Task } from '../../tasks/task.ts'
import { didYouMean } from '../../wording/did-you-mean.ts'
import { openMemory } from '../../worlds/database.ts'
import type { FrozenState } from '../../worlds/frozen-state.ts'
import { deepestJson, isDeeper, isNestedDeeper } from '../../worlds/json-depth.ts'
import { frozenCollections, type World, worldOf } from '../../worlds/world.ts'
import type { ControlCall } from '../control-endpoint.ts'
import { badRequest } from '../control-error.ts'
import { taskView } from '../tasks/task-view.ts'

/** Refuses a document that is nested so deeply that reading or writing it would crash the process. Throws 400. */
export function checkDepth(value: unknown): void {
  if (isDeeper(value, deepestJson))
    throw badRequest(`The document is nested deeper than ${deepestJson} levels`)
}

/** After this many tasks, other requests get their turn. */
const tasksPerTurn = 200

/**
 * Checks a state of the right shape for sense: names are known, and its families can present each of its tasks. Throws
 * 400. It reads only this state, so it does not matter that other data may change between its turns.
 */
export async function checkState(call: ControlCall, state: FrozenState, path: string): Promise<void> {
  checkIds(state, path)
  checkScenarios(call, state, path)
  const scratch = scratchWorld(call.world, state)
  for (const [index, [, task]] of state.tasks.entries()) {
    if (index % tasksPerTurn === tasksPerTurn - 1) await nextTurn()
    checkFamily(task, `${path}.tasks[${index}]`)
    try {
      checkPresentable(call, scratch, task)
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      throw badRequest(`${path}.tasks[${index}]: the task ${task.id} cannot be presented: ${reason}`, {
        path: `${path}.tasks[${index}]`,
      })
    }
  }
}

function checkIds(state: FrozenState, path: string): void {
  for (const collection of frozenCollections) {
    const seen = new Set<string>()
    state[collection].forEach(([id, value], index) => {
      const at = `${path}.${collection}[${index}]`
      if (seen.has(id)) throw badRequest(`${at}: the id ${id} appears twice`, { path: at })
      seen.add(id)
      const own = typeof value === 'number' ? id : 'id' in value ? value.id : value.name
      if (own !== id) throw badRequest(`${at}: the record under the id ${id} has the id ${own}`, { path: at })
    })
  }
}

function checkScenarios({ services }: ControlCall, { scenarios, head }: FrozenState, path: string): void {
  const { documents = [] } = head.opening
  scenarios.forEach(([, document], index) => {
    checkDocument(document, `${path}.scenarios[${index}]`)
  })
  for (const [index, { operation, nth, then }] of (head.injections ?? []).entries())
    checked(`${path}.head.injections[${index}]`, () => checkInjection({ operation, nth, then }))
  documents.forEach((document, index) => {
    checkDocument(document, `${path}.head.opening.documents[${index}]`)
  })
  const given = new Set(documents.map(({ name }) => name))
  const posted = new Set(scenarios.map(([name]) => name))
  const isOffered = (name: string) => offeredDocument(services.database, name) !== undefined
  const unknown =
    head.active.find(({ name }) => !posted.has(name) && !isOffered(name))?.name ??
    head.opening.scenarios.find(name => !given.has(name) && !isOffered(name))
  if (unknown !== undefined)
    throw badRequest(`${path}.head: the scenario ${JSON.stringify(unknown)} is not known to this emulator`, {
      path: `${path}.head`,
    })
}

function checkDocument(document: unknown, path: string): void {
  checked(path, () => checkScenario(document))
}

function checked(path: string, check: () => unknown): void {
  try {
    check()
  } catch (error) {
    if (!(error instanceof ScenarioError)) throw error
    const at = `${path}${error.path ? `.${error.path}` : ''}`
    throw badRequest(`${at}: ${error.message}`, { path: at, ...(error.hint && { hint: error.hint }) })
  }
}

function checkFamily(task: Task, path: string): void {
  const ids = families.map(({ id }) => id)
  if (ids.includes(task.family)) return
  const hint = didYouMean(task.family, ids)
  throw badRequest(`${path}.family: no family has the id ${JSON.stringify(task.family)}`, {
    path: `${path}.family`,
    ...(hint && { hint }),
  })
}

/** A separate world with this state, so that reading it changes nothing that clients see. Links are signed for the real world's id. */
function scratchWorld(world: World, state: FrozenState): World {
  const { head, accounts, tasks } = state
  return worldOf(
    world.id,
    {
      head: { ...structuredClone(head), clock: { ...head.clock, mode: 'manual' }, boots: 0 },
      accounts: new Map(accounts),
      tasks: new Map(tasks),
      assets: new Map(state.assets),
      downloads: new Map(state.downloads),
      scenarios: new Map(),
      snapshots: new Map(),
    },
    openMemory(),
  )
}

/** Asks the family for the task at each stage of its life, as a client would see it, and checks the replies against their schemas. */
function checkPresentable(call: ControlCall, scratch: World, task: Task): void {
  if (isNestedDeeper(task.request, deepestJson))
    throw new Error(`its request is nested deeper than ${deepestJson} levels`)
  const { clock } = scratch.state.head
  const moments = [task.createdAt, ...transitions(task).map(({ at }) => at)]
  for (const virtualMs of moments) {
    scratch.state.head.clock = { ...clock, virtualMs }
    for (const endpoint of familyOf(task.family).endpoints) {
      if (endpoint.method === 'GET' && endpoint.paths[0].includes(':task_id'))
        checkReply(endpoint, callFor(call, scratch, { task, now: virtualMs }))
    }
  }
  checkMeasures(taskView({ ...call, world: scratch }, task).media)
}

function checkReply({ handle, replies }: (typeof families)[number]['endpoints'][number], call: Call): void {
  try {
    const reply = handle(call)
    if (reply instanceof Promise) return
    const schema = replies[reply.status]
    const problem = schema && misfit(schema, reply.body)
    if (problem) throw new Error(problem)
  } catch (error) {
    // Not every endpoint of a family finds every kind of task.
    if (!(error instanceof FaultError)) throw error
  }
}

function callFor(
  { services, baseUrl }: ControlCall,
  world: World,
  { task, now }: { task: Task; now: number },
): Call {
  const account = services.worlds.account(world, task.account)
  const params = { task_id: task.id }
  return callOf({ world, services, baseUrl, account, now, requestId: task.requestId, params })
}

/** Recipes come from jobs, so the values that the renderers would get are checked too. Throws when one is out of bounds. */
function checkMeasures(value: unknown, key = ''): void {
  if (typeof value === 'number' && /^(width|height|frames|seconds|fps)(Px)?$/.test(key)) {
    if (!(value >= 0 && value <= 20_000)) throw new Error(`its ${key} of ${value} is out of bounds`)
  }
  if (typeof value === 'string' && /^(picture|map|firstFrame|lastFrame|references)$/.test(key)) {
    if (!/^[0-9a-f]{64}$/.test(value)) throw new Error(`its ${key} is not a digest`)
  }
  if (typeof value !== 'object' || value === null) return
  for (const [name, entry] of Object.entries(value)) checkMeasures(entry, Array.isArray(value) ? key : name)
}
