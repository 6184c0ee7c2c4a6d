import type { Call } from '../../pipeline/endpoint.ts'
import { admit } from '../../tasks/admission.ts'
import { fixedCharge } from '../../tasks/ledger.ts'
import type { MediaFacts } from '../../worlds/media-facts.ts'
import type { Task } from '../../worlds/task.ts'
import { checkNoCallback } from '../create-rules.ts'
import { notesOn, resolveMedia } from '../input-media.ts'
import { chooseModel } from '../models.ts'
import type { Order } from '../order.ts'
import { priceOf } from '../prices.ts'
import { type Content, readContent } from './content.ts'
import { mediaReferencesIn, taskId } from './create.ts'
import { enhance, openFaker, tokensIn } from './enhanced-prompt.ts'
import { resolvedRatio, type TextJob } from './job.ts'
import { failureOf } from './present.ts'
import { checkRatio, checkTotals } from './rules.ts'
import type { EnhanceBody } from './schema.ts'
import { facts, type Variant } from './variants.ts'

/**
 * Checks a prompt enhancement. Its ratio follows the rules of the standard variant in both variants: Spec, C-special
 * `h3_context_ir`, "like standard but `duration` is an integer 4 to 15".
 */
export function enhancePrompt(call: Call, variant: Variant): Order<Read> {
  const body = call.body as EnhanceBody
  chooseModel(call, body.model, facts.models)
  checkNoCallback({ callback_url: body.callback_url })
  const content = readContent(body.content, 'generation')
  checkRatio(content.mode, body.ratio)
  return {
    async read() {
      const media = await resolveMedia(call, mediaReferencesIn(content))
      return { media, faker: await openFaker() }
    },
    admit(read) {
      if (!read) throw new Error('a prompt cannot be enhanced before its words are loaded')
      return store(call, variant, { ...read, content, media: checkTotals(content, read.media) })
    },
  }
}

/** The words that must be loaded before a prompt is enhanced. */
interface Read {
  media: readonly MediaFacts[]
  faker: Awaited<ReturnType<typeof openFaker>>
}

function store(call: Call, variant: Variant, { content, media, faker }: Read & { content: Content }): Task {
  const body = call.body as EnhanceBody
  const ratio = resolvedRatio(body.ratio, { content, media, isExplicit: false })
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

/** C-usage: the formula is not published. In a published sample, the model's own instructions are most of the tokens. */
const instructionTokens = 4800
const tokensPerFile = 800

/** The number of billed units: thousands of tokens where the variant counts tokens, else one call. */
function unitsOf({ tokens }: TextJob): number {
  return tokens ? (tokens.prompt + tokens.completion) / 1000 : 1
}
