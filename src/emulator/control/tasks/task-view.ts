import type { TaskFile, TaskHead, TaskPlan, TaskView } from '../../../kits/views.ts'
import { recipeEnding } from '../../../media/index.ts'
import { familyOf } from '../../families/index.ts'
import { linkExpiry, resultLink } from '../../families/result-link.ts'
import { maskedJson } from '../../http/masked.ts'
import type { Services } from '../../pipeline/services.ts'
import { spellMedia } from '../../scenarios/effects/media.ts'
import { entriesAt } from '../../tasks/ledger.ts'
import { changesOf, nextChange, viewAt } from '../../tasks/lifecycle.ts'
import { iso } from '../../worlds/clock.ts'
import type { Plan, Task, View } from '../../worlds/task.ts'
import { nowIn, type World } from '../../worlds/world.ts'
import { reachableFrom } from './force.ts'

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
