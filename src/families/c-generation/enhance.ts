import type { Call } from '../../http/endpoint.ts'
import { admit } from '../../tasks/admission.ts'
import { fixedCharge } from '../../tasks/ledger.ts'
import type { Task } from '../../tasks/task.ts'
import { notesOn } from '../input-media.ts'
import { chooseModel } from '../models.ts'
import { priceOf } from '../prices.ts'
import { taskId } from './admit-video.ts'
import { readContent } from './content.ts'
import { models, withMedia } from './create.ts'
import { enhance, openFaker, tokensIn } from './enhanced-prompt.ts'
import { resolvedRatio, type TextJob } from './job.ts'
import { failureOf } from './present.ts'
import { checkForbidden, checkRatio } from './rules.ts'
import type { EnhanceBody } from './schema.ts'
import type { Variant } from './variants.ts'

/**
 * Makes a prompt enhancement. Its ratio follows the standard rules in both variants: Spec, C-special `h3_context_ir`, "like standard
 * but `duration` is an integer 4 to 15".
 */
export async function enhancePrompt(call: Call, variant: Variant): Promise<Task> {
  const body = call.body as EnhanceBody
  chooseModel(call, body.model, models)
  checkForbidden(body)
  const content = readContent(body.content, 'generation')
  checkRatio(content.mode, body.ratio)
  const media = await withMedia(call, content, facts => facts)
  const ratio = resolvedRatio(body.ratio, { content, media, isExplicit: false })
  const faker = await openFaker()
  const { duration: seconds } = body
  return admit(call, random => {
    const enhanced = enhance({ content, seconds, ratio }, { random, faker })
    const tokens = {
      prompt: instructionTokens + tokensIn(content.prompt) + content.media.length * tokensPerFile,
      completion: tokensIn(enhanced),
    }
    const job: TextJob = {
      taskType: 'h3_context_ir',
      prompt: content.prompt,
      seconds,
      ratio,
      enhanced,
      ...(variant.countsTokens && { tokens }),
    }
    return {
      family: variant.id,
      kind: `${variant.id}.enhance`,
      model: body.model,
      job,
      queuedMs: [500, 1500],
      runningMs: [3000, 8000],
      charge: fixedCharge(priceOf(call, variant.prices.enhance) * unitsOf(job)),
      failure: failureOf,
      id: taskId,
      notes: notesOn(media),
    }
  })
}

/** C-usage: the conversion is not published; the model's own instructions make most of a published sample. */
const instructionTokens = 4800
const tokensPerFile = 800

/** Thousands of tokens where they are counted, else one call. */
function unitsOf({ tokens }: TextJob): number {
  return tokens ? (tokens.prompt + tokens.completion) / 1000 : 1
}
