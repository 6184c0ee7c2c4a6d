import type { ImageInput } from '../../../media/index.ts'
import type { Call } from '../../pipeline/endpoint.ts'
import { admit } from '../../tasks/admission.ts'
import { fixedCharge } from '../../tasks/ledger.ts'
import { stampedId } from '../../worlds/clock.ts'
import { excerpt, longestKept } from '../../worlds/excerpt.ts'
import type { MediaFacts } from '../../worlds/media-facts.ts'
import type { Task } from '../../worlds/task.ts'
import type { Size } from '../geometry.ts'
import { notesOn, resolveMedia } from '../input-media.ts'
import { chooseModel, priceOf } from '../models.ts'
import type { Order } from '../order.ts'
import { facts } from './facts.ts'
import type { ImageJob, LayerPart } from './job.ts'
import { layersOf } from './layers.ts'
import { failureOf } from './present.ts'
import {
  checkBackground,
  checkCount,
  checkPrompt,
  checkUnsupported,
  imagesOf,
  limitsFor,
  modeOf,
  readPointing,
} from './rules.ts'
import type { GenerateBody } from './schema.ts'
import { baseSize, pictureSize, readSize, standardSize } from './sizes.ts'

/** The data that is read before a picture is made: the inputs and, in layer mode, the parts of the single input. */
interface Read {
  media: readonly MediaFacts[]
  parts: readonly LayerPart[] | undefined
}

/** Checks a call after its shape was checked, in the order of A-order. Its task is finished when it is made. */
export function createTask(call: Call): Order<Read> {
  const body = call.body as GenerateBody
  const model = chooseModel(call, body.model, facts.models)
  checkUnsupported(body)
  const mode = modeOf(body)
  const prompt = checkPrompt(body, mode)
  const images = imagesOf(body)
  checkCount(images, mode)
  checkBackground(body, mode)
  const asked = readSize(body.size ?? standardSize(mode))
  const pointing = readPointing(prompt, images.length)
  const checked = { modelId: model.id, body, mode, prompt, asked, ...pointing }
  const read = async (): Promise<Read> => {
    const media = await mediaOf(call, images, limitsFor(mode))
    const job = jobOf(checked, media)
    const [input] = job.inputs
    const parts = mode === 'layers' && input ? await layersOf(call, { ...job, input, prompt }) : undefined
    return { media, parts }
  }
  return {
    ...(images.length > 0 && { read }),
    admit({ media, parts } = { media: [], parts: undefined }) {
      const job = jobOf(checked, media)
      return store(call, { job: parts ? { ...job, parts } : job, media })
    },
  }
}

type Checked = Pick<ImageJob, 'modelId' | 'mode' | 'caption' | 'places'> & {
  body: GenerateBody
  prompt: string
  asked: ReturnType<typeof readSize>
}

function jobOf(checked: Checked, media: readonly MediaFacts[]): ImageJob {
  const { modelId, body, mode, prompt, asked, caption, places } = checked
  const inputs = media.map(inputOf)
  const [first] = inputs
  const source: Size | undefined = first && [first.widthPx, first.heightPx]
  return {
    modelId,
    mode,
    caption: excerpt(caption, longestKept),
    places,
    size:
      mode === 'layers' && source
        ? baseSize(asked, source)
        : pictureSize(asked, { prompt, inputAspect: source && source[0] / source[1] }),
    format: body.output_format ?? 'jpeg',
    response: body.response_format ?? 'url',
    transparent: body.background === 'transparent',
    mark: body.watermark ?? false,
    inputs,
  }
}

function mediaOf(
  call: Call,
  images: readonly string[],
  limits: ReturnType<typeof limitsFor>,
): Promise<MediaFacts[]> {
  const isList = Array.isArray((call.body as GenerateBody).image)
  return resolveMedia(
    call,
    images.map((reference, index) => ({
      reference,
      kind: 'image' as const,
      param: isList ? `image[${index}]` : 'image',
      limits,
      keepWhole: true,
    })),
  )
}

/**
 * An input for the renderer: the whole picture, or its decoded still for BMP, which the renderer cannot read. No picture for
 * HEVC-coded HEIC and for inputs that were not read.
 */
function inputOf({ format, digest, poster, widthPx = 1024, heightPx = 1024 }: MediaFacts): ImageInput {
  const picture = poster === undefined ? undefined : format === 'bmp' ? poster : digest
  return { format, widthPx, heightPx, ...(picture !== undefined && { picture }) }
}

function store(call: Call, { job, media }: { job: ImageJob; media: readonly MediaFacts[] }): Task {
  const isRealtime = call.world.state.head.clock.mode === 'realtime'
  return admit(call, () => ({
    family: 'image',
    kind: 'image',
    model: (call.body as GenerateBody).model,
    job,
    queuedMs: [0, 0],
    runningMs: [0, 0],
    // A-rate: in realtime an image waits for its slot while the caller waits for the reply. On a stopped clock the wait would
    // never end.
    ...(!isRealtime && { longestWaitMs: 0 }),
    charge: fixedCharge((job.parts?.length ?? 1) * priceOf(call, `${job.modelId}.per_image`)),
    failure: failureOf,
    // Replies carry no id; the control API needs one.
    id: (random, now) => stampedId('img', random, now),
    notes: notesOn(media),
  }))
}
