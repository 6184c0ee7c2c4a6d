import type { Call } from '../../pipeline/endpoint.ts'
import { admit } from '../../tasks/admission.ts'
import { fixedCharge, roundCredits } from '../../tasks/ledger.ts'
import type { MediaFacts, MediaKind } from '../../worlds/media-facts.ts'
import type { Task } from '../../worlds/task.ts'
import { type MediaReference, notesOn } from '../input-media.ts'
import { chooseModel, priceOf } from '../models.ts'
import { mediaOrder, type Order } from '../order.ts'
import { queuedMs, runningMs } from '../video-recipe.ts'
import { type Content, type MediaItem, readContent, sorts } from './content.ts'
import { jobOf, type Resolved, type SynthesisJob } from './job.ts'
import { type Model, models } from './models.ts'
import { failureOf } from './present.ts'
import {
  checkAddress,
  checkAsyncHeaders,
  checkForbidden,
  checkMeasured,
  checkOptions,
  limits,
  longestSeconds,
  type Measured,
} from './rules.ts'
import type { CreateBody } from './schema.ts'

/** Checks a create call after its shape was checked, in the order of A-order. */
export function createTask(call: Call): Order<readonly MediaFacts[]> {
  const body = call.body as CreateBody
  const model = chooseModel(call, body.model, models)
  checkAsyncHeaders(call.headers)
  checkForbidden(body)
  const { parameters = {} } = body
  const content = readContent(body.input)
  checkOptions(parameters, content, call.account)
  content.media.forEach(checkAddress)
  const checked = { modelId: model.id, parameters, content }
  const files = content.media.flatMap(fileOf)
  const admit = (facts: readonly MediaFacts[]) => {
    const items = files.flatMap(({ item }, index) => measured(item, facts[index]))
    const media = items.length > 0 ? checkMeasured(items, parameters.duration) : []
    return store(call, model, { ...checked, media })
  }
  const references = files.map(({ reference }) => reference)
  return mediaOrder(call, references, admit)
}

/** The file that an item refers to. A `link` has none: its page is not opened. */
function fileOf(item: MediaItem): { item: MediaItem; reference: MediaReference }[] {
  const { type, url, param } = item
  if (type === 'link') return []
  const kind = sorts[type].kind as MediaKind
  return [{ item, reference: { reference: url, kind, param, limits: limits[type], store: 'oss' } }]
}

function measured(item: MediaItem, facts: MediaFacts | undefined): Measured[] {
  return facts ? [{ ...item, facts }] : []
}

function store(call: Call, model: Model & { id: string }, resolved: Resolved): Task {
  return admit(call, random => {
    const job = jobOf(resolved, random)
    return {
      family: 'b',
      kind: 'b',
      model: (call.body as CreateBody).model,
      job,
      queuedMs,
      runningMs: runningMs(job, [runsMs[0] * model.pace, runsMs[1] * model.pace]),
      charge: chargeOf(call, resolved, job),
      failure: failureOf,
      timeout: { code: 'InternalError.Timeout' },
      id: stream => stream.uuid(),
      notes: [...notesOn(resolved.media.map(({ facts }) => facts)), ...notesOnContent(resolved.content)],
    }
  })
}

/** Range of the run time for five seconds of 720P, virtual ms (A-run-times). */
export const runsMs = [10_000, 25_000] as const

/** Seconds of input and output are billed (B-usage). When the output's length is open, its longest length is reserved. */
function chargeOf(call: Call, { modelId, parameters }: Resolved, job: SynthesisJob): Task['charge'] {
  const perSecond = priceOf(call, `${modelId}.per_second`)
  const charge = fixedCharge((job.inputSeconds + job.seconds) * perSecond)
  if (parameters.duration !== -1) return charge
  const longest = Math.floor(longestSeconds - job.inputSeconds)
  return { ...charge, reserved: roundCredits((job.inputSeconds + longest) * perSecond) }
}

/** Sentences for the story about what the reply does not show: a prompt that was cut, a page that was not opened. */
function notesOnContent({ cutCharacters, media }: Content): string[] {
  const pages = media.filter(({ type }) => type === 'link')
  return [
    ...(cutCharacters > 0
      ? [
          `The prompt was cut off after 20000 characters: ${cutCharacters} were dropped, and the reply does not say so, as at upstream.`,
        ]
      : []),
    ...pages.map(({ url }) => `The page ${url.slice(0, 200)} was not opened: only its address was checked.`),
  ]
}
