import type { TraceTask } from '../../../kits/views.ts'
import { familyOf } from '../../families/index.ts'
import { linkExpiry } from '../../families/result-link.ts'
import { maskedJson } from '../../http/secrets.ts'
import type { Services } from '../../pipeline/endpoint.ts'
import { media } from '../../scenarios/effects/media.ts'
import { type Change, changesOf, goneAt, viewAt } from '../../tasks/lifecycle.ts'
import { iso } from '../../worlds/clock.ts'
import type { Task } from '../../worlds/task.ts'
import { nowIn, type World } from '../../worlds/world.ts'
import { chargesView, planView, promptStart, taskHead } from '../tasks/task-view.ts'

/** A task of a trace, at the present moment; keys in its texts are masked. */
export function traceTask(world: World, task: Task, { options }: Pick<Services, 'options'>): TraceTask {
  const now = nowIn(world)
  const words = familyOf(task.family).words(task)
  const view = viewAt(task, now)
  const request = JSON.parse(task.request)
  const changes = changesOf(task)
  const next = changes.find(({ at }) => at > now)
  return maskedJson<TraceTask>({
    ...taskHead(task, view),
    prompt: promptStart(request),
    request_id: task.requestId,
    request,
    states: [
      { status: words.queued ?? 'queued', state: 'queued', at: iso(task.createdAt) },
      ...changes.map(change => ({
        status: wordOf(task, change),
        state: change.to,
        at: iso(change.at),
        ...(change.at > now && { planned: true as const }),
        ...(isForced(task, change) && { forced: true as const }),
      })),
    ],
    links: linksOf(world, task, options),
    money: chargesView(task, now),
    ...(next && { next: { at: iso(next.at), status: wordOf(task, next) } }),
    plan: planView(task.plan),
    ...(view.error && { error: view.error }),
    ...(task.media && { media_rule: media.spell(task.media) }),
    ...(task.rule && { rule: task.rule }),
    ...(task.label && { label: task.label }),
    ...(task.rule === 'POST /__emulator/tasks' && { made_by_hand: true as const }),
  })
}

/** The state after a change, in the family's word; `gone` when the plan loses the record. */
export function wordOf(task: Task, { to }: Change): string {
  if (to === 'deleted') return goneAt(task) === undefined ? 'deleted' : 'gone'
  return familyOf(task.family).words(task)[to] ?? to
}

function isForced({ facts }: Task, { at, to }: Change): boolean {
  return facts.some(fact => fact.kind === 'forced' && fact.at === at && fact.status === to)
}

/** The links of a task that succeeds, now or as planned. */
export function linksOf(world: World, task: Task, options: Services['options']): TraceTask['links'] {
  const success = changesOf(task).find(({ to }) => to === 'succeeded')
  if (!success || task.media?.kind === 'missing_url') return []
  const family = familyOf(task.family)
  const { maxDownloads } = family.links(task)
  const expiry = linkExpiry(family, { task, view: viewAt(task, success.at) }, options)
  const isEnded = task.facts.some(fact => fact.kind === 'link_expired' && fact.at === expiry)
  return Object.keys(family.outputs(task)).map(output => ({
    output,
    opens_at: iso(success.at),
    expires_at: iso(expiry),
    downloads: world.state.downloads.get(`${task.id}/${output}`) ?? 0,
    ...(maxDownloads !== undefined && { max_downloads: maxDownloads }),
    ...(success.at > nowIn(world) && { planned: true as const }),
    ...(isEnded && { ended_by_hand: true as const }),
  }))
}
