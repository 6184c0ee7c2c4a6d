import { downloadOperation } from '../../../emulator/words.ts'
import { at, isObject, Words } from '../../spec/json.ts'
import { isSameLife, linkLife } from '../../spec/lives.ts'
import { plainType } from '../describe-media.ts'
import { headerOf } from '../har.ts'
import { factsOf, isSynchronous } from '../operation.ts'
import { isOtherList, isTaskList, knownRows } from '../read/list-rows.ts'
import { inputsIn, isKnownInput, recordsIn, type TaskObservation } from '../read/observed.ts'
import type { Step } from '../read/steps.ts'
import type { Replayed } from '../replay/ask-emulator.ts'
import type { Replay } from '../replay/replay.ts'
import { choicesIn } from '../replay/replay-request.ts'
import type { Add, Check } from './check.ts'
import { compareJson } from './compare-json.ts'

export function compareStep(step: Step, own: Replayed, { ids, tasks }: Replay): Check[] {
  const checks: Check[] = []
  const add: Add = ([aspect, place, path], [recorded, emulated], isAlike = recorded === emulated) =>
    checks.push({ step, aspect, place, path, recorded, emulated, isAlike })
  if (own.broken !== undefined) {
    const [whole, broken] = [`a reply with status ${step.status}`, `no complete reply (${own.broken})`]
    add(['type', 'connection', 'connection'], [new Words(whole), new Words(broken)])
    return checks
  }
  add(['status', 'status', 'http_status'], [step.status, own.status])
  compareHeaders(step, own, add)
  if (step.status !== own.status || step.operation === 'unknown') return checks
  const open = opennessOf(step, tasks)
  if (step.operation === downloadOperation) {
    if (step.status === 200) compareFile(step, own, { isOpen: path => isOpenAt(path, open), add })
    return checks
  }
  if (step.method === 'HEAD' || step.status === 204) return checks
  if (step.reply === undefined || own.reply === undefined) {
    const [kind, ownKind] = [kindOf(step.reply), kindOf(own.reply)]
    add(['type', 'body', ''], [new Words(kind), new Words(ownKind)], kind === ownKind)
    return checks
  }
  const [recorded, emulated] = knownRows(step, own, ids)
  const isOther = isOtherList(step)
  compareJson(recorded, emulated, {
    step,
    known: ids,
    // The total depends on the earlier tasks of the account.
    isOpen: path => isOpenAt(path, open) || /^total(?:_page)?$/.test(path),
    isOptional: path => open.request && asAsked.test(path),
    // Layers of pictures and lists of other things than tasks differ between gateways.
    isLoose: path => isOther || (open.layers && path === 'data'),
    add,
  })
  if (step.status < 300) compareLives(step, own, add)
  return checks
}

function kindOf(reply: unknown): string {
  return reply === undefined ? 'no JSON' : 'JSON'
}

const namedHeaders = ['x-request-id', 'x-client-request-id', 'retry-after', 'allow']
const fileHeaders = ['accept-ranges', 'etag', 'content-range', 'content-disposition', 'last-modified']

/** Compares which headers of the contract are present, and what their values are like. Other headers are not compared. */
function compareHeaders(step: Step, own: Replayed, add: Add): void {
  const isDownload = step.operation === downloadOperation
  for (const name of isDownload ? fileHeaders : namedHeaders) {
    // An object store may send more headers with a file.
    const isCompared = own.headers.has(name) || !(isDownload || step.status !== own.status)
    const recorded = headerOf(step.entry.response.headers, name) || undefined
    const emulated = own.headers.get(name) ?? undefined
    if (!isCompared || (recorded === undefined && emulated === undefined)) continue
    const isAlike = headerClass(name, recorded) === headerClass(name, emulated)
    add(['header', 'header', `header.${name}`], [recorded, emulated], isAlike)
  }
  const type = plainType(headerOf(step.entry.response.headers, 'content-type') ?? '')
  const ownType = plainType(own.headers.get('content-type') ?? '')
  if (step.status === own.status && step.operation !== 'unknown' && ownType !== '')
    add(['header', 'header', 'header.content-type'], [type, ownType])
}

/** What of a header's value is compared: its one word, or whether it is a number of seconds or a date. */
function headerClass(name: string, value: string | undefined): string {
  if (value === undefined) return 'absent'
  if (name === 'accept-ranges' || name === 'content-disposition') return value.split(';', 1)[0]?.trim() ?? ''
  return name === 'retry-after' && /^\d+$/.test(value) ? 'seconds' : 'present'
}

const measured = ['type', 'width', 'height', 'seconds', 'fps', 'audio'] as const
/** Containers round lengths, and a sound track may be one frame longer. */
const sameSeconds = 0.06

function compareFile(
  step: Step,
  own: Replayed,
  { isOpen, add }: { isOpen(path: string): boolean; add: Add },
): void {
  const recorded = step.entry._gateway?.media
  const emulated = own.media
  if (!recorded || !emulated) return
  const isFrame = !isSynchronous(step.family) && emulated.type.startsWith('image/')
  for (const name of measured) {
    if (emulated[name] === undefined || isOpen(`file.${name}`)) continue
    const path = `${isFrame ? 'last_frame' : 'file'}.${name}`
    const isClose =
      typeof emulated[name] === 'number' && name !== 'width' && name !== 'height'
        ? Math.abs(Number(recorded[name]) - emulated[name]) <= sameSeconds
        : recorded[name] === emulated[name]
    add(['media', 'file', path], [recorded[name], emulated[name]], isClose)
  }
}

function compareLives(step: Step, own: Replayed, add: Add): void {
  const lifeIn = (reply: unknown): number | undefined => {
    const records = recordsIn({ ...step, reply }).map(([, record]) => record)
    return (isSynchronous(step.family) ? [reply] : records)
      .filter(isObject)
      .map(linkLife)
      .find(life => life !== undefined)
  }
  const [recorded, emulated] = [lifeIn(step.reply), lifeIn(own.reply)]
  if (recorded === undefined || emulated === undefined) return
  const path = isTaskList(step) ? 'items[].link.life' : 'link.life'
  add(['life', 'link', path], [`${recorded} s`, `${emulated} s`], isSameLife(recorded, emulated))
}

/** Which numbers of a job depend on things that are not in the recording: inputs behind links, and random choices. */
interface Openness {
  /** The request is not known: the task is older than the recording. */
  request: boolean
  /** Shape and size in pixels. */
  shape: boolean
  /** Length in seconds. */
  length: boolean
  /** The layers of a decomposed picture. */
  layers: boolean
}

const closed: Openness = { request: false, shape: false, length: false, layers: false }

/** What cannot be compared by value of the task that a call made, or of the tasks that it shows. */
function opennessOf(step: Step, tasks: readonly TaskObservation[]): Openness {
  const shown = tasks.filter(({ makes, id }) => makes === step || step.tasks.includes(id))
  if (isOtherList(step)) return { ...closed, request: true }
  return shown.map(opennessOfTask).reduce(merged, closed)
}

function merged(one: Openness, other: Openness): Openness {
  return {
    request: one.request || other.request,
    shape: one.shape || other.shape,
    length: one.length || other.length,
    layers: one.layers || other.layers,
  }
}

function opennessOfTask({ makes, kind, family }: TaskObservation): Openness {
  if (!makes) return { ...closed, request: true }
  const body = makes.body.kind === 'json' ? makes.body.value : {}
  const inputs = inputsIn(body)
  const isMeasured = inputs.every(isKnownInput)
  if (factsOf(family).undecided?.includes(kind)) return { ...closed, shape: true, length: true }
  // The length of a video of a text is asked for as it was chosen.
  const isDrawn = inputs.length > 0 && choicesIn(makes).some(({ asked }) => asked.endsWith('duration'))
  return {
    request: false,
    shape: !isMeasured,
    length: isDrawn || !isMeasured,
    layers: at(body, 'layer_decomposition') === true,
  }
}

const always =
  /(?:^|\.)(?:status|task_status|task_type|modality|action|type|code|output_format|z_index|framespersecond|fps|video_count|input_images|input_image_count|service_tier|draft|total)$/
const ofShape = /(?:^|\.)(?:ratio|size|bounding_box\.\w+\[\]|\w*tokens)$|^file\.(?:width|height)$/
const ofLength = /(?:^|\.)(?:duration|\w*seconds|\w*_duration|\w*tokens)$|^file\.seconds$/
const ofLayers = /(?:^|\.)(?:size|bounding_box\.\w+\[\]|\w*tokens|generated_images)$|^file\./

/** Whether the value at a path depends on things that are not in the recording. */
function isOpenAt(path: string, open: Openness): boolean {
  if (always.test(path)) return false
  if (open.request) return true
  return (
    (open.shape && ofShape.test(path)) ||
    (open.length && ofLength.test(path)) ||
    (open.layers && ofLayers.test(path))
  )
}

/** Fields that are there when they were asked for. */
const asAsked =
  /(?:^|\.)(?:last_frame_url|output_format|safety_identifier|external_id|watermark_url|task_info|resolution|bounding_box|elements?|owned_by|element_(?!id$)\w+|trial_url|\w+_list)$|^usage\./
