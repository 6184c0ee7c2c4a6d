import { createHmac } from 'node:crypto'
import { invalid } from '../../faults/fault.ts'
import { checkShape, type Schema } from '../../http/validate.ts'
import { lateFixture } from '../../package/files.ts'
import type { Call, Endpoint } from '../../pipeline/endpoint.ts'
import { poll, tasksOf } from '../../tasks/commands.ts'
import { viewAt } from '../../tasks/lifecycle.ts'
import { shown } from '../../wording/shown.ts'
import type { Random } from '../../worlds/random.ts'
import { exactly, text } from '../../worlds/record-values.ts'
import type { Task } from '../../worlds/task.ts'
import type { World } from '../../worlds/world.ts'
import type { Order } from '../order.ts'
import type { ImageToVideoJob, PresetElement } from './job.ts'
import { legacyTask, succeed } from './present.ts'
import { admitTask, momentOf, type Options, readOptions, snowflake } from './rules.ts'
import { envelope, legacyTaskSchema, taskOptions } from './schema.ts'

const presetsQuery = {
  type: 'object',
  properties: {
    pageNum: { type: 'integer', minimum: 1, maximum: 1000, default: 1 },
    pageSize: { type: 'integer', minimum: 1, maximum: 500, default: 30 },
  },
} as const satisfies Schema

const listOf = (field: string) => ({ type: 'array', items: exactly({ [field]: text }) }) as const
const elementLists = {
  element_image_list: exactly({ frontal_image: text }, { refer_images: listOf('image_url') }),
  element_video_list: exactly({ refer_videos: listOf('video_url') }),
}

/** Fields of a preset that the control API makes; upstream's names. */
const presetBody = {
  type: 'object',
  properties: {
    element_name: { type: 'string', minLength: 1, maxLength: 20 },
    element_description: { type: 'string', maxLength: 100 },
    ...elementLists,
    ...taskOptions,
  },
} as const satisfies Schema

type PresetBody = Partial<PresetElement> & Options

const element = exactly(
  {
    element_id: { type: 'integer', description: 'Can be referenced in omni and motion-control requests.' },
    element_name: text,
    element_description: text,
    reference_type: { type: 'string', enum: ['image_refer', 'video_refer'] },
    owned_by: text,
    status: { type: 'string', enum: ['succeed'] },
  },
  {
    ...elementLists,
    tag_list: { type: 'array', items: exactly({ id: text, name: text, description: text }) },
  },
)

/** Spec, "Family K": "200 `data[]` of task objects". */
const presetsReply: Schema = envelope({
  type: 'array',
  items: legacyTaskSchema('elements', element),
})

/** The element on the wire. Its addresses are links to the emulator's samples. */
function presentElement(element: PresetElement, baseUrl: string) {
  const addressed: PresetElement = JSON.parse(
    JSON.stringify(element).replaceAll('{{samples}}', `${baseUrl}/__emulator/samples`),
  )
  return { ...addressed, owned_by: 'kling', status: 'succeed' }
}

interface Shipped {
  presets: { task: string; element: PresetElement }[]
}

/** The presets of the package. */
const official = lateFixture<Shipped>('presets.json')

/** One page of preset tasks: those of `fixtures/presets.json`, then those that the control API made for the account. */
function presetPage(call: Call, { start, end }: { start: number; end: number }): object[] {
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
function presetToken(world: World, upstreamId: string): string {
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

/** Checks a preset subject. Only the control API makes them; no public endpoint does. */
export function makePreset(call: Call): Order {
  checkShape(presetBody, call.body)
  const body = call.body as PresetBody
  const { externalId } = readOptions(call, body)
  return { admit: () => store(call, body, externalId) }
}

function store(call: Call, body: PresetBody, externalId: string | undefined): Task {
  return admitTask(call, externalId, random => ({
    kind: 'k.preset',
    model: 'preset',
    job: { kind: 'preset', element: elementFrom(body, random) },
    runningMs: [3000, 6000],
    charge: { reserved: 0, settled: 0 },
    id: (idRandom, now) => presetToken(call.world, snowflake(idRandom, now)),
  }))
}

const standardImages = { frontal_image: '{{samples}}/square.png' }

function elementFrom(body: PresetBody, random: Random): PresetElement {
  const id = random.integer(100_000_000_000_000, 999_999_999_999_999)
  const { element_video_list: videos, element_image_list: images } = body
  return {
    element_id: id,
    element_name: body.element_name ?? `Subject ${id % 1000}`,
    element_description: body.element_description ?? 'A preset subject made for this world.',
    reference_type: videos ? 'video_refer' : 'image_refer',
    ...(videos ? { element_video_list: videos } : { element_image_list: images ?? standardImages }),
    tag_list: [],
  } as PresetElement
}

/** Spec: "paged list of official preset subjects"; the parameters are upstream's (K-presets). */
export const listPresets: Endpoint = {
  operation: 'k.presets.list',
  method: 'GET',
  paths: ['/general/advanced-presets-elements', '/v1/general/advanced-presets-elements'],
  summary: 'List the official preset subjects',
  query: presetsQuery,
  replies: { 200: presetsReply },
  handle(call) {
    const { pageNum, pageSize } = call.query as { pageNum: number; pageSize: number }
    const start = (pageNum - 1) * pageSize
    return succeed(call, presetPage(call, { start, end: start + pageSize }))
  },
}
