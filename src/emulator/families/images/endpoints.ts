import { FaultError, invalid } from '../../faults/fault.ts'
import { type Call, type Endpoint, ok } from '../../pipeline/endpoint.ts'
import { canEnd } from '../../scenarios/effects/task.ts'
import type { Effects } from '../../scenarios/scenario.ts'
import type { Task } from '../../worlds/task.ts'
import { waitUntil } from '../../worlds/wait.ts'
import type { Family } from '../family.ts'
import { makeTask } from '../order.ts'
import { resultLink } from '../result-link.ts'
import { createTask } from './create.ts'
import { facts } from './facts.ts'
import { type ImageJob, jobSchema, outputName, type Picture, picturesOf } from './job.ts'
import { type Delivery, dialect, failureOf, generateReply as present } from './present.ts'
import { modeOf } from './rules.ts'
import { type GenerateBody, generateBody, generateReply } from './schema.ts'

const dayMs = 24 * 3_600_000

const generate: Endpoint = {
  operation: 'image.generate',
  method: 'POST',
  paths: ['/api/v3/images/generations'],
  summary: 'Generate, edit or take apart a picture',
  body: generateBody,
  reads: {
    prompts: ['/prompt'],
    model: body => (body as Partial<GenerateBody> | undefined)?.model,
    models: Object.keys(facts.models),
    mode: body => modeOf((body ?? {}) as Partial<GenerateBody>),
  },
  replies: { 200: generateReply },
  async handle(call) {
    const task = await makeTask({ ...call, effects: atOnce(call.effects) }, createTask)
    const { outcome, endsAt } = task.plan
    if (outcome.kind === 'failed')
      throw new FaultError('internal', { code: outcome.code, message: outcome.message })
    const reply = ok(present(task, await deliver(call, task)))
    return endsAt <= task.createdAt ? reply : { ...reply, after: waitUntil(call.world, endsAt) }
  },
}

/** The image operation. It is synchronous, so its tasks are finished when they are made. */
export const images: Family = {
  ...facts,
  endpoints: [generate],
  dialect,
  words: () => facts.words,
  makers: { image: createTask },
  jobs: { image: jobSchema },
  failure: failureOf,
  outputs: task =>
    Object.fromEntries(picturesOf(task).map(({ recipe }, index) => [outputName(index), recipe])),
  // Spec, "Limits": image links are valid for 24 hours.
  links: task => ({ lifeMs: dayMs, isNone: (task.job as ImageJob).response === 'b64_json' }),
  recorded: { modelLike: () => 'model_image' },
}

/** A synchronous call has no run time. Its only outcomes are success and failure, so a tag that asks for another one is refused (I-outcome). */
function atOnce(effects: Effects): Effects {
  if (!effects.task) return effects
  const { outcome } = effects.task
  if (!canEnd(generate.operation, outcome))
    throw invalid(
      'prompt',
      `its tag asks for the outcome ${outcome}, and a picture is there or refused at once: write [[fail:InternalServiceError]], or no such tag`,
    )
  return { ...effects, task: { ...effects.task, queuedMs: 0, runningMs: 0 } }
}

/** With links, the reply is sent at once, and the files are rendered after it. With base64, the files are rendered first. */
function deliver(call: Call, task: Task): Delivery[] | Promise<Delivery[]> {
  const pictures = picturesOf(task)
  if ((task.job as ImageJob).response === 'b64_json')
    return Promise.all(pictures.map(({ recipe }) => inline(call, recipe)))
  const view = { status: 'succeeded', since: task.plan.endsAt } as const
  return pictures.map(({ recipe }, index) => {
    if (recipe.kind === 'image') call.services.library.ahead(() => recipe)
    const url = resultLink(call, images, { task, view }, outputName(index))
    return url === undefined ? {} : { url }
  })
}

async function inline({ services }: Call, recipe: Picture['recipe']): Promise<Delivery> {
  return { b64_json: (await services.library.read(recipe)).toString('base64') }
}
