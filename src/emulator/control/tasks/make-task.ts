import { controlMade, type Family } from '../../families/family.ts'
import { families, familyOf } from '../../families/index.ts'
import { makeTask as makeTaskOf } from '../../families/order.ts'
import { parseBody } from '../../http/body.ts'
import { checkShape } from '../../http/validate.ts'
import { type Call, callOf, type Endpoint } from '../../pipeline/endpoint.ts'
import { checkShape as checkSpelled } from '../../scenarios/check.ts'
import { type SpelledTask, taskSchema, task as taskWord } from '../../scenarios/effects/task.ts'
import type { TaskEffect } from '../../scenarios/scenario.ts'
import { ScenarioError } from '../../scenarios/scenario-error.ts'
import { accountName } from '../../worlds/record-values.ts'
import type { Task } from '../../worlds/task.ts'
import { drawStream, nowIn, requestRandom, type World } from '../../worlds/world.ts'
import type { ControlCall } from '../control-endpoint.ts'
import { badRequest, checkKnown } from '../control-error.ts'
import { exampleRequests } from '../example-requests.ts'

/** A checked request of `POST /tasks`. */
export interface TaskRequest {
  /** That of the kind when absent. */
  family?: string
  kind: string
  account?: string
  request?: Record<string, unknown>
  plan?: Record<string, unknown>
}

/** The body of `POST /tasks`. */
export const taskRequestSchema = {
  type: 'object',
  required: ['kind'],
  additionalProperties: false,
  properties: {
    family: { type: 'string' },
    kind: { type: 'string' },
    account: accountName,
    request: { type: 'object' },
    plan: { type: 'object' },
  },
} as const

/**
 * Makes a task of any kind, also of a kind without a public endpoint, with the family's own maker: rules, charges and draws are the
 * same. Missing fields of the request come from the example requests. Throws 400 for an unknown family or kind and a bad plan;
 * passes on the errors of the maker.
 */
export async function makeTask(call: ControlCall, asked: TaskRequest): Promise<Task> {
  const { kind, family = familyOfKind(kind) } = asked
  checkKnown(
    family,
    families.map(({ id }) => id),
    { path: 'family' },
  )
  const row = familyOf(family)
  checkKnown(kind, Object.keys(row.makers), { path: 'kind' })
  const maker = row.makers[kind]
  if (!maker) throw badRequest(`No task of the kind ${kind} can be made`, { path: 'kind' })
  const effect = planEffect(call.world, asked.plan)
  checkOutcome(row, kind, effect)
  const task = await makeTaskOf(callFor(call, row, { ...asked, effect }), maker)
  call.world.journal.events.announce({ kind: 'made', at: task.createdAt, taskId: task.id })
  return task
}

/** The family that makes tasks of a kind. Throws 400 for an unknown kind. */
function familyOfKind(kind: string): string {
  const makers = families.flatMap(({ id, makers }) => Object.keys(makers).map(name => [name, id] as const))
  const known = new Map(makers)
  checkKnown(kind, [...known.keys()], { path: 'kind' })
  return known.get(kind) ?? ''
}

/** A task that no request can poll is finished when it is made: it can succeed or fail. Throws 400 for every other outcome. */
function checkOutcome({ endpoints }: Family, kind: string, effect: TaskEffect | undefined): void {
  const isSynchronous = endpoints.every(({ method }) => method !== 'GET')
  const { outcome = 'succeeded' } = effect ?? {}
  if (!isSynchronous || outcome === 'succeeded' || outcome === 'failed') return
  throw badRequest(
    `plan.outcome: ${JSON.stringify(outcome)} is not possible for the kind ${kind}, whose tasks are finished when they are made`,
    { path: 'plan.outcome', hint: 'must be succeeded or failed' },
  )
}

/** The plan in the language of scenario rules' `task`. */
function planEffect(world: World, plan: Record<string, unknown> | undefined): TaskEffect | undefined {
  if (plan === undefined) return undefined
  try {
    const spelled = checkSpelled<SpelledTask>(taskSchema, plan)
    return taskWord.draw(taskWord.read(spelled, []), () => drawStream(world, 'control.plan'))
  } catch (error) {
    throw error instanceof ScenarioError ? error.below(['plan']) : error
  }
}

function callFor(
  { world, services, baseUrl, request }: ControlCall,
  family: Family,
  { kind, account = 'default', request: given, effect }: TaskRequest & { effect: TaskEffect | undefined },
): Call {
  return callOf({
    world,
    services,
    baseUrl,
    account: services.worlds.account(world, account),
    operation: controlMade,
    requestId: family.dialect.requestId(requestRandom(world), nowIn(world)),
    body: bodyFor(endpointOfKind(family, kind), { given, baseUrl }),
    headers: request.headers,
    // Set also without a plan, so that the story shows where the task came from.
    effects: { task: effect ?? {}, rule: 'POST /__emulator/tasks' },
  })
}

/**
 * The request for the maker. Makers of kinds beyond the specification complete and check it themselves; the other makers
 * expect a request that their endpoint's schema has checked.
 */
function bodyFor(
  endpoint: Endpoint | undefined,
  { given = {}, baseUrl }: { given: Record<string, unknown> | undefined; baseUrl: string },
): unknown {
  const plain = parseBody(JSON.stringify(given), undefined)
  if (!endpoint?.body || endpoint.beyondSpecification) return plain
  const body = { ...exampleFor(endpoint.operation, baseUrl), ...(plain as object) }
  checkShape(endpoint.body, body)
  return body
}

/** The first example request of an operation, preferably one with text; empty without examples. */
function exampleFor(operation: string, baseUrl: string): Record<string, unknown> {
  const own = exampleRequests(baseUrl).filter(example => example.operation === operation)
  const chosen = own.find(({ name }) => name.includes('text')) ?? own[0]
  return (chosen?.body ?? {}) as Record<string, unknown>
}

/** The endpoint that makes tasks of a kind; undefined when only the control API can make them. A kind is an operation id without `.create`. */
function endpointOfKind(family: Family, kind: string): Endpoint | undefined {
  const operations = [`${kind}.create`, kind, `${kind}.generate`]
  return family.endpoints.find(({ operation, method }) => method === 'POST' && operations.includes(operation))
}

/** The operation that makes tasks of a kind, as the console log names it. */
export function operationOfKind(family: string, kind: string): string {
  return endpointOfKind(familyOf(family), kind)?.operation ?? `${kind}.create`
}
