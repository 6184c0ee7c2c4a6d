import { parse } from 'node:path'
import type { TaskFile, TaskHead, TaskPlan, TaskView } from '../../../kits/views.ts'
import { mediaType, openTransfer, posterOf, type Recipe, recipeEnding } from '../../../media/index.ts'
import { familyOf, outputOf } from '../../families/index.ts'
import { linkExpiry, resultLink } from '../../families/result-link.ts'
import { maskedJson } from '../../http/secrets.ts'
import { planTransfer } from '../../http/transfer.ts'
import type { Services } from '../../pipeline/endpoint.ts'
import type { FileReply } from '../../pipeline/exchange.ts'
import { spellMedia } from '../../scenarios/effects/media.ts'
import { addFact, force } from '../../tasks/commands.ts'
import { entriesAt } from '../../tasks/ledger.ts'
import { changesOf, nextChange, viewAt } from '../../tasks/lifecycle.ts'
import { iso } from '../../worlds/clock.ts'
import type { Plan, Status, Task, TaskError, View } from '../../worlds/task.ts'
import { nowIn, type World } from '../../worlds/world.ts'
import type { ControlCall } from '../control-endpoint.ts'
import { badRequest, conflict, notFound } from '../control-error.ts'

interface Surroundings {
  world: World
  baseUrl: string
  services: Services
}

/** A task with request, plan, facts, view, timeline, charges and media. Moments are ISO 8601. Only links show a secret. */
export function taskView(surroundings: Surroundings, task: Task): TaskView {
  return { ...maskedJson(recordView(surroundings.world, task)), media: mediaView(surroundings, task) }
}

function recordView(world: World, task: Task): Omit<TaskView, 'media'> {
  const now = nowIn(world)
  const family = familyOf(task.family)
  const words = family.words(task)
  const view = viewAt(task, now)
  const next = nextChange(task, now)
  const reachable = view.deletedAt === undefined ? reachableFrom(task, view.status) : []
  return {
    ...taskHead(task, view),
    created_at: iso(task.createdAt),
    updated_at: iso(view.since),
    request_id: task.requestId,
    request: JSON.parse(task.request),
    ...(task.unread && { unread: task.unread }),
    job: task.job,
    seed: task.seed,
    plan: planView(task.plan),
    facts: task.facts.map(fact => ({ ...fact, at: iso(fact.at) })),
    view: {
      status: words[view.status] ?? view.status,
      since: iso(view.since),
      ...(view.error && { error: view.error }),
    },
    ...(view.deletedAt !== undefined && { deleted_at: iso(view.deletedAt) }),
    can_become: reachable.map(to => words[to] ?? to),
    can_become_states: reachable,
    next_change_at: next === undefined ? null : iso(next),
    timeline: [
      { at: iso(task.createdAt), to: words.queued ?? 'queued', state: 'queued' },
      ...changesOf(task).map(change => ({
        at: iso(change.at),
        from: words[change.from],
        to: change.to === 'deleted' ? change.to : words[change.to],
        state: change.to,
        is_past: change.at <= now,
      })),
    ],
    charges: chargesView(task, now),
    ...(task.media && { media_fault: task.media, media_rule: spellMedia(task.media) }),
    ...(task.label && { label: task.label }),
    ...(task.rule && { rule: task.rule }),
    ...(task.notes && { notes: [...task.notes] }),
    ...(task.externalId !== undefined && { external_id: task.externalId }),
  }
}

function mediaView({ world, baseUrl, services }: Surroundings, task: Task): TaskFile[] {
  const family = familyOf(task.family)
  const view = viewAt(task, nowIn(world))
  if (view.status !== 'succeeded') return []
  return Object.entries(family.outputs(task)).map(([output, recipe]) => ({
    name: output,
    ending: recipeEnding(recipe),
    url: resultLink({ world, baseUrl, services }, family, { task, view }, output) ?? null,
    expires_at: iso(linkExpiry(family, { task, view }, services.options)),
    downloads: world.state.downloads.get(`${task.id}/${output}`) ?? 0,
    max_downloads: family.links(task).maxDownloads ?? null,
    recipe: maskedJson(recipe),
  }))
}

/** What was charged for a task up to a moment. */
export function chargesView(task: Task, now: number): TaskView['charges'] {
  return entriesAt(task, now).map(({ at, kind, amount, released }) => ({
    at: iso(at),
    kind,
    amount,
    ...(released && { released }),
  }))
}

/** A plan with its moments as ISO 8601. */
export function planView({ startsAt, endsAt, expiresAt, goneAt, outcome }: Plan): TaskPlan {
  return {
    starts_at: iso(startsAt),
    ends_at: outcome.kind === 'never' ? null : iso(endsAt),
    expires_at: expiresAt === undefined ? null : iso(expiresAt),
    ...(goneAt !== undefined && { gone_at: iso(goneAt) }),
    outcome,
  }
}

/** What every view of a task begins with. */
export function taskHead(task: Task, { status }: Pick<View, 'status'>): TaskHead {
  const { id, family, kind, account, model } = task
  const word = familyOf(family).words(task)[status] ?? status
  return { id, family, kind, account, model, status: word, state: status }
}

/** A checked body of `POST /tasks/{id}/force`: the state in the family's word or the emulator's. */
export interface ForceBody {
  status: string
  error?: Partial<TaskError>
}

/** Sets the state of a task now. Throws 400 for a word that the family does not have, 409 when the task cannot take that state from its present one. */
export function forced(world: World, task: Task, { status: word, error }: ForceBody): Task {
  const family = familyOf(task.family)
  const words = family.words(task)
  const status = statusOf(words, word)
  if (error && status !== 'failed') throw badRequest('error goes only with a failure', { path: 'error' })
  const view = viewAt(task, nowIn(world))
  if (view.deletedAt !== undefined) throw conflict(`The record of the task ${task.id} was removed`)
  if (!reachableFrom(task, view.status).includes(status))
    throw conflict(`The task ${task.id} is ${words[view.status]} and cannot become ${word}`)
  return force(world, task, {
    status,
    ...(status === 'failed' && { error: family.failure(error ?? {}) }),
  })
}

/** Accepts the family's word first, and the emulator's word too. */
function statusOf(words: Readonly<Partial<Record<Status, string>>>, word: string): Status {
  const entries = Object.entries(words) as [Status, string][]
  const found = entries.find(([, own]) => own === word) ?? entries.find(([status]) => status === word)
  if (found) return found[0]
  throw badRequest(`${JSON.stringify(word)} is not a state of this task`, {
    path: 'status',
    hint: `known are ${entries.map(([, own]) => own).join(', ')}`,
  })
}

/** Ends the links of a succeeded task now. Throws 409 for a task without a link. */
export function withExpiredLink(world: World, task: Task): Task {
  const now = nowIn(world)
  const { status } = viewAt(task, now)
  const family = familyOf(task.family)
  if (status !== 'succeeded')
    throw conflict(`The task ${task.id} is ${family.words(task)[status]} and has no link`)
  if (Object.keys(family.outputs(task)).length === 0)
    throw conflict(`The task ${task.id} gives a text, and no link`)
  return addFact(world, task, { kind: 'link_expired', at: now })
}

/** The states to which a task in a state can be forced: what the machine of its family allows. */
function reachableFrom(task: Task, status: Status): Status[] {
  if (status !== 'queued' && status !== 'running') return []
  const { words, fromQueueOnly = [] } = familyOf(task.family)
  const known = Object.keys(words(task)) as Status[]
  return known.filter(
    next => next !== 'queued' && next !== status && !(status === 'running' && fromQueueOnly.includes(next)),
  )
}

/** A file of a task as it was rendered. Reading it does not count as a download and adds no journal entry. Throws 404, and 409 when the task has no files. */
export async function mediaReply(task: Task, call: ControlCall): Promise<FileReply> {
  checkSucceeded(task, call)
  const recipe = outputOf(task, call.params.name ?? '')
  if (!recipe) throw notFound(`The file ${call.params.name} of the task ${task.id}`)
  return await fileReply(recipe, call)
}

/** A small picture of a task's result, for lists. Throws 404 for sounds and texts, and 409 when the task has no files. */
export async function posterReply(task: Task, call: ControlCall): Promise<FileReply> {
  checkSucceeded(task, call)
  const recipe = posterOf(Object.values(familyOf(task.family).outputs(task)))
  if (!recipe) throw notFound(`A picture of the task ${task.id}`)
  return await fileReply(recipe, call)
}

function checkSucceeded(task: Task, { world }: ControlCall): void {
  const { status } = viewAt(task, nowIn(world))
  if (status !== 'succeeded') throw conflict(`The task ${task.id} is ${status}: it has no files`)
}

async function fileReply(recipe: Recipe, { services, request }: ControlCall): Promise<FileReply> {
  const file = await services.library.file(recipe)
  const transfer = planTransfer(request, {
    file,
    size: await services.library.files.sizeOf(file),
    etag: `"${parse(file).name}"`,
    headers: { 'Content-Type': mediaType(recipeEnding(recipe)), 'Cache-Control': 'private, no-cache' },
  })
  const payload = await openTransfer(transfer, services.library.files)
  return { kind: 'file', status: transfer.status, headers: transfer.headers, payload }
}
