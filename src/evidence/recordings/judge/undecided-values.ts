import { at } from '../../spec/json.ts'
import { factsOf } from '../operation.ts'
import { inputsIn, isKnownInput } from '../read/inputs.ts'
import { isOtherList } from '../read/list-rows.ts'
import type { Observed } from '../read/observed.ts'
import type { Step } from '../read/steps.ts'
import { choicesIn } from '../replay/chosen-values.ts'

/** Which numbers of a job depend on things that are not in the recording: inputs behind links, and random choices. */
export interface Openness {
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
export function opennessOf(step: Step, tasks: readonly Observed[]): Openness {
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

function opennessOfTask({ makes, kind, family }: Observed): Openness {
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
export function isOpenAt(path: string, open: Openness): boolean {
  if (always.test(path)) return false
  if (open.request) return true
  return (
    (open.shape && ofShape.test(path)) ||
    (open.length && ofLength.test(path)) ||
    (open.layers && ofLayers.test(path))
  )
}

const asAsked =
  /(?:^|\.)(?:last_frame_url|output_format|safety_identifier|external_id|watermark_url|task_info|resolution|bounding_box|elements?|owned_by|element_(?!id$)\w+|trial_url|\w+_list)$|^usage\./

/** Whether the presence of a field depends on a request that is not known. */
export function isOptionalAt(path: string, open: Openness): boolean {
  return open.request && asAsked.test(path)
}
