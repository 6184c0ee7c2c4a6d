import { createHmac } from 'node:crypto'
import { invalid } from '../../../faults/fault-error.ts'
import { lateFixture } from '../../../package/files.ts'
import type { Call } from '../../../pipeline/endpoint.ts'
import { poll, tasksOf } from '../../../tasks/commands.ts'
import { viewAt } from '../../../tasks/lifecycle.ts'
import { shown } from '../../../wording/shown.ts'
import type { Task } from '../../../worlds/task.ts'
import type { World } from '../../../worlds/world.ts'
import { momentOf } from '../ids.ts'
import type { ImageToVideoJob } from '../job.ts'
import { legacyTask } from '../present.ts'
import { type PresetElement, presentElement } from './element.ts'

interface Shipped {
  presets: { task: string; element: PresetElement }[]
}

/** The presets of the package. */
const official = lateFixture<Shipped>('presets.json')

/** One page of preset tasks: those of `fixtures/presets.json`, then those that the control API made for the account. */
export function presetPage(call: Call, { start, end }: { start: number; end: number }): object[] {
  const { presets } = official()
  const made = madePresets(call)
  const shippedPage = presets.slice(start, end).map(({ task, element }) => ({
    task_id: presetToken(call.world, task),
    task_status: 'succeed',
    task_status_msg: '',
    task_result: { elements: [presentElement(element, call.baseUrl)] },
    created_at: momentOf(task),
    updated_at: momentOf(task),
  }))
  const madePage = poll(
    call.world,
    made.slice(Math.max(0, start - presets.length), Math.max(0, end - presets.length)),
  ).map(seen => legacyTask(seen, seen.view.status === 'succeeded' ? elementsOf(call, seen.task) : {}))
  return [...shippedPage, ...madePage]
}

/** A preset's `element_id` can be referenced directly in omni and motion-control requests (Spec, "Family K: objects" 2). */
export function checkElement(call: Call, { id, param }: { id: string; param: string }): void {
  const isOfficial = official().presets.some(({ element }) => String(element.element_id) === id)
  if (isOfficial) return
  const isMade = madePresets(call).some(
    task => String(elementOf(task).element_id) === id && viewAt(task, call.now).status === 'succeeded',
  )
  if (!isMade) throw invalid(param, `the element ${shown(id)} is not found`)
}

/** Oldest first, so that earlier pages do not change when presets are added. */
function madePresets({ world, account }: Call): Task[] {
  return tasksOf(world, { family: 'k', account: account.id }).filter(task => task.kind === 'k.preset')
}

function elementsOf(call: Call, task: Task) {
  return { elements: [presentElement(elementOf(task), call.baseUrl)] }
}

function elementOf(task: Task): PresetElement {
  const job = task.job as ImageToVideoJob
  if (job.kind !== 'preset') throw new Error(`The task ${task.id} is not a preset`)
  return job.element
}

/**
 * The `task_id` of a preset: "a gateway-signed token that routes back to the resolved channel" (Spec, "Family K: objects" 2). It
 * is base64url JSON of the channel and upstream's task id, a dot, and an HMAC of that with the world's seed. So it is the same in
 * every list, and differs between worlds of different seeds.
 */
export function presetToken(world: World, upstreamId: string): string {
  const payload = Buffer.from(JSON.stringify({ channel: 'k-presets', task: upstreamId })).toString(
    'base64url',
  )
  const { seed } = world.state.head.opening
  const signature = createHmac('sha256', `generation-gateway-emulator/presets/${seed}`)
    .update(payload)
    .digest('base64url')
    .slice(0, 22)
  return `${payload}.${signature}`
}
