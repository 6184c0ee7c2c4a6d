import { parse } from 'node:path'
import type {
  ComingDownloads,
  TaskFile,
  TaskHead,
  TaskLine,
  TaskPlan,
  TaskView,
} from '../../../kits/views.ts'
import { mediaType, openTransfer, posterOf, type Recipe, recipeEnding } from '../../../media/index.ts'
import { comingDownloads, nextMediaFault } from '../../downloads/open-link.ts'
import { families, familyOf, outputOf } from '../../families/index.ts'
import { namesOfModel } from '../../families/models.ts'
import { linkExpiry, linksEnd, resultLink } from '../../families/result-link.ts'
import { maskedJson } from '../../http/secrets.ts'
import { planTransfer } from '../../http/transfer.ts'
import type { Options } from '../../options/table.ts'
import type { Services } from '../../pipeline/endpoint.ts'
import type { FileReply } from '../../pipeline/exchange.ts'
import { media } from '../../scenarios/effects/media.ts'
import { addFact, force } from '../../tasks/commands.ts'
import { entriesAt } from '../../tasks/ledger.ts'
import { changesOf, nextChange, viewAt } from '../../tasks/lifecycle.ts'
import { iso } from '../../worlds/clock.ts'
import { type Plan, type Status, statuses, type Task, type TaskError, type View } from '../../worlds/task.ts'
import { nowIn, type World } from '../../worlds/world.ts'
import type { ControlCall } from '../control-endpoint.ts'
import { badRequest, checkKnown, conflict, notFound, unknownCursor } from '../control-error.ts'
import { promptOf } from '../journal/entry-view.ts'

interface Surroundings {
  world: World
  baseUrl: string
  services: Services
}

/** A task with request, plan, facts, view, timeline, charges and media. Moments are ISO 8601. Only links show a secret. */
export function taskView(surroundings: Surroundings, task: Task): TaskView {
  const coming = comingView(surroundings.world, task)
  return {
    ...maskedJson(recordView(surroundings.world, task)),
    media: mediaView(surroundings, task),
    ...(coming.length > 0 && { coming_downloads: maskedJson(coming) }),
  }
}

/** The rules that can act on downloads of a task that has files, or will have them. */
function comingView(world: World, task: Task): ComingDownloads[] {
  const { status } = viewAt(task, nowIn(world))
  const isComing = (status === 'queued' || status === 'running') && task.plan.outcome.kind === 'succeeded'
  if (!isComing && status !== 'succeeded') return []
  if (Object.keys(familyOf(task.family).outputs(task)).length === 0) return []
  return comingDownloads(world, task).map(({ rule, then, first, last, every, fromMs, untilMs, headers }) => ({
    rule: rule.name,
    then,
    ...(then.media !== undefined && rule.then.media && { media_fault: rule.then.media }),
    first,
    last: Number.isFinite(last) ? last : null,
    ...(every !== undefined && { every }),
    ...(Number.isFinite(fromMs) && { from_ms: fromMs }),
    ...(Number.isFinite(untilMs) && { until_ms: untilMs }),
    ...(rule.probability !== undefined && { chance: rule.probability }),
    ...(headers.length > 0 && { headers }),
  }))
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
    ...(task.media && { media_fault: task.media, media_rule: media.spell(task.media) }),
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

/** A file of a task as it was rendered, or with the fault that its clients meet. Reading it does not count as a download and adds no journal entry. Throws 404, and 409 when the task has no files. */
export async function mediaReply(task: Task, call: ControlCall): Promise<FileReply> {
  checkSucceeded(task, call)
  const recipe = outputOf(task, call.params.name ?? '')
  if (!recipe) throw notFound(`The file ${call.params.name} of the task ${task.id}`)
  const reply = await fileReply(recipe, call)
  return call.query.as === 'client' ? { ...reply, media: nextMediaFault(call.world, task) } : reply
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
    mayBeKnown: true,
  })
  const payload = await openTransfer(transfer, services.library.files)
  const { status, headers, start, size } = transfer
  return { kind: 'file', status, headers, payload, place: { start, size } }
}

/** Which tasks a list shows. */
export interface TaskFilter {
  family?: string
  status?: string
  account?: string
  search?: string
  limit: number
  cursor?: string
}

/** A filter that no task can match is a mistake. Throws 400. */
function checkFilter({ family, status }: TaskFilter): void {
  const ids = families.map(({ id }) => id)
  if (family !== undefined) checkKnown(family, ids, { path: 'family' })
  if (status !== undefined) checkKnown(status, statusWords(), { path: 'status' })
}

/** Every word for a task's state: the emulator's and those of all families. */
function statusWords(): string[] {
  const theirs = families.flatMap(({ words, makers }) =>
    Object.keys(makers).flatMap(kind => Object.values(words({ kind }))),
  )
  return [...new Set([...statuses, ...theirs])]
}

/** One page of tasks, newest first. The cursor is the id of the last task of the previous page. Throws 400 for an unknown filter word, and when that task no longer exists, for example after a reset. */
export function taskPage(world: World, query: TaskFilter): { items: Task[]; next?: string } {
  checkFilter(query)
  const now = nowIn(world)
  const tasks = [...world.state.tasks.values()]
  const before = query.cursor === undefined ? undefined : cursorTask(world, query.cursor)
  const items: Task[] = []
  for (let i = before ? tasks.lastIndexOf(before) : tasks.length; i-- > 0; ) {
    const task = tasks[i]
    if (!task || !fits(task, query, now)) continue
    const last = items.at(-1)
    if (items.length === query.limit && last) return { items, next: last.id }
    items.push(task)
  }
  return { items }
}

/** Throws 400 for an unknown cursor. */
function cursorTask(world: World, cursor: string): Task {
  const task = world.state.tasks.get(cursor)
  if (!task) throw unknownCursor(cursor)
  return task
}

function fits(task: Task, { family, status, account, search }: TaskFilter, now: number): boolean {
  if (family !== undefined && task.family !== family) return false
  if (account !== undefined && task.account !== account) return false
  if (search !== undefined && !isFound(task, search)) return false
  if (status === undefined) return true
  const own = viewAt(task, now).status
  return own === status || familyOf(task.family).words(task)[own] === status
}

function isFound(task: Task, search: string): boolean {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  const about =
    `${task.id} ${namesOfModel(task.model).join(' ')} ${task.kind} ${task.label ?? ''}`.toLowerCase()
  const rest = words.filter(word => !about.includes(word))
  if (rest.length === 0) return true
  const prompt = promptOf(JSON.parse(task.request)).toLowerCase()
  return rest.every(word => prompt.includes(word))
}

/**
 * A task as a short row of a time line: its kind, and all its states with their moments (epoch ms), in the family's words and in
 * the emulator's. It is a tenth of the size of the whole view, so that a page can show ten thousand tasks.
 */
export function taskLine(world: World, task: Task, options: Pick<Options, 'links'>): TaskLine {
  const now = nowIn(world)
  const words = familyOf(task.family).words(task)
  const view = viewAt(task, now)
  const next = nextChange(task, now)
  const linksEndAt = linksEnd(familyOf(task.family), task, options)
  return {
    ...taskHead(task, view),
    prompt: promptStart(JSON.parse(task.request)),
    states: [
      { at_ms: task.createdAt, state: 'queued', word: words.queued ?? 'queued' },
      ...changesOf(task).flatMap(({ at, to }) =>
        to === 'deleted' ? [] : [{ at_ms: at, state: to, word: words[to] ?? to }],
      ),
    ],
    next_change_ms: next ?? null,
    deleted_at_ms: view.deletedAt ?? null,
    ...(linksEndAt !== undefined && { links_end_ms: linksEndAt }),
    ...(task.media && { media_fault: task.media }),
    ...(view.error && { error: view.error }),
    ...(task.label && { label: task.label }),
    ...(task.rule && { rule: task.rule }),
  }
}

/** The first 160 characters of a request's prompt. */
export function promptStart(request: unknown): string {
  return promptOf(request).slice(0, 160)
}
