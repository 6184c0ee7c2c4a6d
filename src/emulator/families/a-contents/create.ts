import type { Call } from '../../pipeline/endpoint.ts'
import { admit } from '../../tasks/admission.ts'
import { roundCredits } from '../../tasks/ledger.ts'
import { stampedId } from '../../worlds/clock.ts'
import type { MediaFacts } from '../../worlds/media-facts.ts'
import type { Task } from '../../worlds/task.ts'
import { notesOn } from '../input-media.ts'
import { chooseModel, priceOf } from '../models.ts'
import { mediaOrder, type Order } from '../order.ts'
import { queuedMs, runningMs } from '../video-recipe.ts'
import { readContent } from './content.ts'
import { type ContentsJob, framesOf, jobOf, tokensOf } from './job.ts'
import { models } from './models.ts'
import { failureOf } from './present.ts'
import {
  checkDeclaredType,
  checkForbidden,
  checkOptions,
  checkTotals,
  checkWebVideo,
  limitsOf,
} from './rules.ts'
import type { CreateBody } from './schema.ts'
import { checkEditedVideos, checkTaskType, taskTypeOf } from './task-type.ts'

/** Checks a create call after its shape was checked, in the order of A-order. */
export function createTask(call: Call): Order<readonly MediaFacts[]> {
  const body = call.body as CreateBody
  const model = chooseModel(call, body.model, models)
  checkForbidden(body, model)
  checkOptions(body, model, call.account)
  const content = readContent(body.content, model)
  checkDeclaredType(body, content)
  const type = taskTypeOf(content, body.omni_reference_task_type, model)
  const typed = model.edits && { type, edits: model.edits }
  if (typed) checkTaskType(typed, body, content)
  checkWebVideo(content)
  const admit = (resolved: readonly MediaFacts[]) => {
    const media = checkTotals(content, resolved, model)
    if (typed) checkEditedVideos(typed, content, media)
    return store(call, { body, content, type, model, media })
  }
  const references = content.media.map(({ sort, url, param }) => ({
    reference: url,
    kind: sort,
    param,
    limits: limitsOf(sort, model),
  }))
  return mediaOrder(call, references, admit)
}

type Checked = Parameters<typeof jobOf>[0]

function store(call: Call, checked: Checked): Task {
  const { codecs } = call.services.options
  return admit(cancelledInQueue(call), random => {
    const job = jobOf(checked, random, codecs)
    return {
      family: 'a',
      kind: 'a',
      model: checked.body.model,
      job,
      queuedMs,
      runningMs: runningMs(job),
      expiresAfterMs: job.expiresAfterSeconds * 1000,
      charge: chargeOf(call, checked, job),
      failure: failureOf,
      id: (random, now) => stampedId('cgt', random, now),
      notes: notesOn(checked.media),
    }
  })
}

/**
 * Spec, "States and transitions": a running task of this family cannot be cancelled. A task that a scenario cancels therefore
 * never starts (A-cancel).
 */
function cancelledInQueue(call: Call): Call {
  const { task } = call.effects
  if (task?.outcome !== 'cancelled') return call
  return { ...call, effects: { ...call.effects, task: { ...task, runningMs: 0 } } }
}

/** Reserves the price of the longest length that `duration: -1` can give; the task is charged by its tokens. */
function chargeOf(call: Call, { body, model, type }: Checked, job: ContentsJob): Task['charge'] {
  const perToken = priceOf(call, `${model.id}.per_million_tokens`) / 1e6
  const settled = roundCredits(tokensOf(job) * perToken)
  const isOpen = (body.duration ?? model.standardDuration) === -1 && type !== 'edit'
  if (!isOpen) return { settled, reserved: settled }
  const frames = framesOf(model.longestSeconds, type)
  return { settled, reserved: roundCredits(tokensOf({ ...job, frames }) * perToken) }
}
