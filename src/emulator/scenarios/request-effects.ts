import type { IncomingHttpHeaders } from 'node:http'
import { FaultError } from '../faults/fault-error.ts'
import { paramOf } from '../http/validate.ts'
import { nowIn, ownedBy, type World } from '../worlds/world.ts'
import { effectsOf, effectsOfOne } from './match.ts'
import { valueAt } from './matchers.ts'
import { mergeEffects, takeTags } from './prompt-tags.ts'
import type { Reads, RequestFacts, TaskPlaces } from './request-facts.ts'
import { type Effects, noEffects } from './scenario.ts'
import type { Steps } from './scenario-error.ts'

/** The header that names the scenario of one request. */
export const trigger = 'x-emulator-scenario'

/** The parts of a request that scenarios use. */
export interface RequestParts {
  endpoint: { operation: string; reads?: Reads; tasksIn?: TaskPlaces }
  family: string
  account: string
  headers: IncomingHttpHeaders
  params: Readonly<Record<string, string>>
  /** The query as it was sent, without `?`. */
  query: string
  /** The parsed body; undefined when it could not be parsed. */
  body: unknown
  /** False when the body's text has no tag, or tags are switched off. */
  mayHaveTags: boolean
}

/** Whether a scenario may act on a request without prompt tags: the header names one, or the world has rules. */
export function mayHaveRules(world: World, headers: IncomingHttpHeaders): boolean {
  const { active, injections } = world.state.head
  return headers[trigger] !== undefined || active.length > 0 || injections !== undefined
}

/** What scenarios read in a request: their effects, and the body without its prompt tags. */
export interface ReadRequest {
  effects: Effects
  body: unknown
}

/** The effects on a request. Prompt tags win over the header trigger, and the trigger wins over the world's active scenarios. */
export function readRequest(world: World, parts: RequestParts): ReadRequest {
  const { body, prompts, effects } = withoutTags(parts)
  const facts = factsOf({ ...parts, body }, prompts, nowIn(world))
  const external = taskNamesIn(parts).external.flatMap(name => idsOf(world, name, parts))
  if (external.length > 0) facts.taskIds = [...(facts.taskIds ?? []), ...external]
  return { effects: mergeEffects(effects, effectsOfRules(world, facts)), body }
}

/** The effects of the scenario in a request's header and of the world's active scenarios. Call it once per request, since it counts calls. */
export function effectsOfRules(world: World, facts: RequestFacts): Effects {
  const named = facts.headers[trigger]
  const byRules = effectsOf(world, facts)
  const triggered = named === undefined ? noEffects : effectsOfOne(world, String(named), facts)
  return mergeEffects(triggered, byRules)
}

/** The facts that rules use, of an earlier request. */
export function requestFacts(parts: RequestParts, now: number): RequestFacts {
  try {
    const { body, prompts } = withoutTags(parts)
    return factsOf({ ...parts, body }, prompts, now)
  } catch (error) {
    // A request with an unknown tag was refused; its prompt keeps the tag.
    if (!(error instanceof FaultError)) throw error
    return factsOf(parts, promptsIn(parts), now)
  }
}

/** A prompt, and the keys that lead to it in the body. */
interface Prompt {
  text: string
  steps: Steps
}

/** The body and its prompts without tags, and the effects of the tags. A body without tags is the same object. */
function withoutTags(parts: RequestParts): ReadRequest & { prompts: readonly Prompt[] } {
  const found = promptsIn(parts)
  if (!parts.mayHaveTags) return { body: parts.body, prompts: found, effects: noEffects }
  let { body } = parts
  let effects = noEffects
  const prompts = found.map(({ text, steps }) => {
    const taken = takeTags(text, paramOf(`/${steps.join('/')}`))
    if (!taken) return { text, steps }
    effects = mergeEffects(effects, taken.effects)
    body = withText(body, steps, taken.text)
    return { text: taken.text, steps }
  })
  return { body, prompts, effects }
}

/** A copy of a JSON value with another text at one place. Parts off the way to it are shared, not copied. */
function withText(value: unknown, [step, ...rest]: Steps, text: string): unknown {
  if (step === undefined) return text
  if (Array.isArray(value)) return value.map((entry, i) => (i === step ? withText(entry, rest, text) : entry))
  const fields: Record<string, unknown> = { ...(value as object) }
  return { ...fields, [step]: withText(fields[step], rest, text) }
}

/** The id of the caller's task with this external id. */
function idsOf(world: World, name: string, { family, account }: RequestParts): string[] {
  const owned = ownedBy(world, family, account)
  // Blanks may belong to an external id.
  const id = owned?.idOf(name) ?? owned?.idOf(name.trim())
  return id === undefined ? [] : [id]
}

function factsOf(
  { endpoint, family, account, headers, body, ...parts }: RequestParts,
  prompts: readonly Prompt[],
  now: number,
): RequestFacts {
  const model = endpoint.reads?.model(body, parts.params)
  const mode = endpoint.reads?.mode?.(body)
  const { ids, external } = taskNamesIn({ endpoint, body, ...parts })
  const taskIds = [...ids, ...external]
  return {
    operation: endpoint.operation,
    family,
    account,
    key: String(headers.authorization ?? '').replace(/^Bearer /, ''),
    ...(typeof model === 'string' && { model }),
    ...(mode !== undefined && { mode }),
    ...(prompts.length > 0 && { prompt: prompts.map(prompt => prompt.text).join('\n') }),
    ...(taskIds.length > 0 && { taskIds }),
    headers,
    body,
    now,
  }
}

/** How a request names tasks that exist: by their ids, or by ids of the caller. The first list of the query with a name wins. */
function taskNamesIn({
  endpoint: { tasksIn = {} },
  params,
  query,
  body,
}: Pick<RequestParts, 'endpoint' | 'params' | 'query' | 'body'>): { ids: string[]; external: string[] } {
  const given = new URLSearchParams(tasksIn.query ? query : '')
  const lists = (tasksIn.query ?? []).map(name => {
    const names = given.getAll(name).flatMap(list => list.split(','))
    return { name, names: names.filter(one => one.trim() !== '') }
  })
  const { name, names = [] } = lists.find(list => list.names.length > 0) ?? {}
  const inBody = tasksIn.body === undefined ? undefined : valueAt(body, tasksIn.body)
  const alone = [params.task_id, inBody].filter(one => typeof one === 'string')
  if (name !== undefined && name === tasksIn.external) return { ids: alone, external: names }
  return { ids: [...alone, ...names.map(one => one.trim())], external: [] }
}

/** Every text where the operation has prompts. */
function promptsIn({ endpoint, body }: Pick<RequestParts, 'endpoint' | 'body'>): Prompt[] {
  return (endpoint.reads?.prompts ?? []).flatMap(pointer => textsAt(body, pointer.split('/').slice(1), []))
}

/** The texts at a JSON pointer; `*` means every index of an array. */
function textsAt(value: unknown, [step, ...rest]: readonly string[], above: Steps): Prompt[] {
  if (step === undefined) return typeof value === 'string' ? [{ text: value, steps: above }] : []
  if (typeof value !== 'object' || value === null) return []
  if (step !== '*') return textsAt((value as Record<string, unknown>)[step], rest, [...above, step])
  return Array.isArray(value) ? value.flatMap((entry, i) => textsAt(entry, rest, [...above, i])) : []
}
