import type { IncomingHttpHeaders } from 'node:http'
import { FaultError } from '../faults/fault-error.ts'
import type { Endpoint } from '../http/endpoint.ts'
import { paramOf } from '../http/validate.ts'
import type { World } from '../worlds/world.ts'
import { nowIn } from '../worlds/world.ts'
import { effectsOf, effectsOfOne } from './match.ts'
import { mergeEffects, takeTags } from './prompt-tags.ts'
import type { RequestFacts } from './request-facts.ts'
import { type Effects, noEffects } from './scenario.ts'

const trigger = 'x-emulator-scenario'

/** The parts of a request that scenarios use. */
export interface RequestParts {
  endpoint: Pick<Endpoint, 'operation' | 'reads'>
  family: string
  account: string
  headers: IncomingHttpHeaders
  params: Readonly<Record<string, string>>
  /** The parsed body; undefined when it could not be parsed. Prompt tags are removed from it in place. */
  body: unknown
  /** False when the body's text has no tag, or tags are switched off. */
  mayHaveTags: boolean
}

/** Whether a scenario may act on a request without prompt tags: the header names one, or the world has rules. */
export function mayHaveRules(world: World, headers: IncomingHttpHeaders): boolean {
  const { active, injections } = world.state.head
  return headers[trigger] !== undefined || active.length > 0 || injections !== undefined
}

/** The effects on a request. Prompt tags win over the header trigger, and the trigger wins over the world's active scenarios. */
export function requestEffects(world: World, parts: RequestParts): Effects {
  const { headers, endpoint } = parts
  const named = headers[trigger]
  const prompts = endpoint.reads ? promptsIn(parts.body, endpoint.reads.prompts) : []
  const tagged = parts.mayHaveTags && prompts.some(prompt => prompt.text.includes('[['))
  const tags = tagged ? readTags(prompts) : noEffects
  const facts = factsOf(parts, prompts, nowIn(world))
  const byRules = effectsOf(world, facts)
  const triggered = named === undefined ? noEffects : effectsOfOne(world, String(named), facts)
  return mergeEffects(tags, mergeEffects(triggered, byRules))
}

/** The facts that rules use, of an earlier request. Tags are removed from its body in place. */
export function requestFacts(parts: RequestParts, now: number): RequestFacts {
  const { reads } = parts.endpoint
  const prompts = reads ? promptsIn(parts.body, reads.prompts) : []
  if (!parts.mayHaveTags) return factsOf(parts, prompts, now)
  try {
    readTags(prompts)
  } catch (error) {
    // A request with an unknown tag was refused; its prompt keeps the tag.
    if (!(error instanceof FaultError)) throw error
  }
  return factsOf(parts, prompts, now)
}

interface PromptPlace {
  text: string
  /** The path as callers write it: `content[0].text`. */
  param: string
  replace(text: string): void
}

function factsOf(
  { endpoint, family, account, headers, params, body }: Omit<RequestParts, 'mayHaveTags'>,
  prompts: readonly PromptPlace[],
  now: number,
): RequestFacts {
  const model = endpoint.reads?.model(body, params)
  const mode = endpoint.reads?.mode?.(body)
  const taskId = params.task_id
  return {
    operation: endpoint.operation,
    family,
    account,
    key: String(headers.authorization ?? '').replace(/^Bearer /, ''),
    ...(typeof model === 'string' && { model }),
    ...(mode !== undefined && { mode }),
    ...(prompts.length > 0 && { prompt: prompts.map(prompt => prompt.text).join('\n') }),
    ...(taskId !== undefined && { taskIds: [taskId] }),
    headers,
    body,
    now,
  }
}

function readTags(prompts: readonly PromptPlace[]): Effects {
  let effects = noEffects
  for (const prompt of prompts) {
    const taken = takeTags(prompt.text, prompt.param)
    if (!taken) continue
    prompt.replace(taken.text)
    prompt.text = taken.text
    effects = mergeEffects(effects, taken.effects)
  }
  return effects
}

/** Every text at the pointers; `*` means every index of a list. */
function promptsIn(body: unknown, pointers: readonly string[]): PromptPlace[] {
  return pointers.flatMap(pointer => placesAt(body, pointer.split('/').slice(1), ''))
}

function placesAt(value: unknown, [step, ...rest]: readonly string[], at: string): PromptPlace[] {
  if (step === undefined || typeof value !== 'object' || value === null) return []
  if (step === '*')
    return Array.isArray(value) ? value.flatMap((entry, i) => placesAt(entry, rest, `${at}/${i}`)) : []
  const holder: Record<string, unknown> = value as Record<string, unknown>
  const entry = holder[step]
  if (rest.length > 0) return placesAt(entry, rest, `${at}/${step}`)
  if (typeof entry !== 'string') return []
  return [
    {
      text: entry,
      param: paramOf(`${at}/${step}`),
      replace: text => Object.assign(holder, { [step]: text }),
    },
  ]
}
