import type { IncomingMessage, ServerResponse } from 'node:http'
import { familyOf, outputOf } from '../families/index.ts'
import { linkExpiry } from '../families/result-link.ts'
import { isGenuine, parseLink } from '../media/links.ts'
import { type Recipe, recipeEnding } from '../media/recipe.ts'
import { effectsOf, effectsOfOne } from '../scenarios/match.ts'
import { downloadOperation } from '../scenarios/operations.ts'
import { mergeEffects } from '../scenarios/prompt-tags.ts'
import type { RequestFacts } from '../scenarios/request-facts.ts'
import { type Effects, noEffects } from '../scenarios/scenario.ts'
import type { Services } from '../server/services.ts'
import { advanceTo } from '../tasks/advance.ts'
import { viewAt } from '../tasks/lifecycle.ts'
import type { Task } from '../tasks/task.ts'
import { nowIn, type World } from '../worlds/world.ts'
import { LinkRefusal, scriptedRefusal } from './link-refusal.ts'

/** A request for a result file. */
export interface Download {
  request: IncomingMessage
  response: ServerResponse
  path: string
  query: string
  services: Services
}

/** A link that leads to a file. */
export interface Opened {
  task: Task
  output: string
  recipe: Recipe
  effects: Effects
}

/** Throws LinkRefusal. The order is that of object stores: method, double authentication, signature, existence, expiry, limit. */
export function openLink({ request, path, query, services }: Download, world: World): Opened {
  const link = parseLink(path, new URLSearchParams(query))
  if (!link || world.id !== link.world || !services.worlds.find(link.world)) throw noSuchKey()
  if (request.method !== 'GET' && request.method !== 'HEAD')
    throw new LinkRefusal(
      405,
      'MethodNotAllowed',
      'The specified method is not allowed against this resource.',
    )
  // Spec, "Authentication" 6: links are fetched without the Authorization header.
  if (request.headers.authorization !== undefined) {
    throw new LinkRefusal(
      400,
      'InvalidArgument',
      'Only one auth mechanism is allowed: the link is signed, fetch it without an Authorization header.',
    )
  }
  if (!isGenuine(world, path, link.expires, link.signature))
    throw new LinkRefusal(403, 'SignatureDoesNotMatch', 'The signature does not match the link.')
  const task = world.state.tasks.get(link.task)
  const view = task && viewAt(task, nowIn(world))
  const recipe = task && outputOf(task, link.output)
  if (!task || view?.status !== 'succeeded' || !recipe || recipeEnding(recipe) !== link.ending)
    throw noSuchKey()
  const family = familyOf(task.family)
  const effects = downloadEffects(world, task, request)
  if (effects.advanceMs) advanceTo(world, nowIn(world) + effects.advanceMs)
  if (effects.connection?.reset === 'before_request') throw lostRequest(effects)
  if (effects.refuse) throw scriptedRefusal(effects.refuse, effects)
  const media = effects.media ?? task.media
  if (nowIn(world) >= linkExpiry(family, { task, view }, services.options) || media?.kind === 'link_expired')
    throw new LinkRefusal(403, 'AccessDenied', 'Request has expired.', { effects })
  const opened = { task, output: link.output, recipe, effects }
  if (media?.kind === 'link_exhausted') throw exhausted(family.links(task).maxDownloads, effects)
  checkDownloadsLeft(world, opened)
  return opened
}

/** What the world's scenarios, and one named by header, do to a download. */
function downloadEffects(world: World, task: Task, { headers }: IncomingMessage): Effects {
  const named = headers['x-emulator-scenario']
  const { active, injections } = world.state.head
  if (active.length === 0 && !injections && named === undefined) return noEffects
  const facts: RequestFacts = {
    operation: downloadOperation,
    family: task.family,
    model: task.model,
    account: task.account,
    key: '',
    headers,
    body: undefined,
    taskIds: [task.id],
    now: nowIn(world),
  }
  const triggered = named === undefined ? noEffects : effectsOfOne(world, String(named), facts)
  return mergeEffects(triggered, effectsOf(world, facts))
}

/** Spec, "Family A", link rules: 2.5 links allow at most 100 downloads. Throws LinkRefusal when none is left. */
export function checkDownloadsLeft(world: World, { task, output }: Pick<Opened, 'task' | 'output'>): void {
  const limit = familyOf(task.family).links(task).maxDownloads
  const count = world.state.downloads.get(`${task.id}/${output}`) ?? 0
  if (limit !== undefined && count >= limit) throw exhausted(limit)
}

/** A scenario exhausts links that have no limit, too. */
function exhausted(limit: number | undefined, effects?: Effects): LinkRefusal {
  const message = `The link has reached its limit of ${limit === undefined ? '' : `${limit} `}downloads.`
  return new LinkRefusal(403, 'AccessDenied', message, { effects })
}

/** No refusal in truth: the connection breaks before anything is sent. The journal keeps it with status 0. */
function lostRequest(effects: Effects): LinkRefusal {
  return new LinkRefusal(0, 'RequestLost', 'The request was lost.', { effects, body: '' })
}

function noSuchKey(): LinkRefusal {
  return new LinkRefusal(404, 'NoSuchKey', 'The specified key does not exist.')
}
