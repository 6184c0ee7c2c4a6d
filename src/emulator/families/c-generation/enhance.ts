import type { Faker } from '@faker-js/faker'
import { lateFixture } from '../../package/files.ts'
import type { Call } from '../../pipeline/endpoint.ts'
import { admit } from '../../tasks/admission.ts'
import { fixedCharge } from '../../tasks/ledger.ts'
import type { MediaFacts } from '../../worlds/media-facts.ts'
import type { Random } from '../../worlds/random.ts'
import type { Task } from '../../worlds/task.ts'
import { checkNoCallback } from '../create-rules.ts'
import { notesOn, resolveMedia } from '../input-media.ts'
import { chooseModel, priceOf } from '../models.ts'
import type { Order } from '../order.ts'
import { type Content, type Mode, readContent } from './content.ts'
import { mediaReferencesIn, taskId } from './create.ts'
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

/** The library that picks the words, with one locale, loaded on first use. */
export async function openFaker(): Promise<Faker> {
  return (await import('@faker-js/faker/locale/en')).faker
}

/** The words of shots, in `fixtures/words/shots.json`. */
type ShotWords = Readonly<
  Record<
    | 'framings'
    | 'lights'
    | 'cameraMoves'
    | 'transitions'
    // Content of a shot for which no sentence of the prompt is left.
    | 'continuations'
    | 'details'
    | 'endings'
    | 'sounds'
    | 'spaces'
    | 'paces'
    | 'instruments'
    | 'arcs',
    readonly string[]
  >
>

const shotWords = lateFixture<ShotWords>('words/shots.json')

/** The request behind an enhanced prompt. */
interface Scene {
  content: Content
  seconds: number
  ratio: string
}

/**
 * An enhanced prompt as upstream writes it: labelled sections and several shots, with time codes that fit the length
 * (C-enhanced). It contains every sentence of the given prompt. The same random stream gives the same text.
 */
export function enhance(
  { content, seconds, ratio }: Scene,
  { random, faker }: { random: Random; faker: Faker },
): string {
  faker.seed(random.integer(0, 2_147_483_647))
  const one = (kind: keyof ShotWords) => faker.helpers.arrayElement(shotWords()[kind])
  const some = (kind: keyof ShotWords, most: number) => faker.helpers.arrayElements(shotWords()[kind], most)
  const count = Math.min(5, Math.max(2, Math.round(seconds / 3)))
  const starts = cutsOf(seconds, count, faker)
  const sentences = spread(sentencesOf(content.prompt), count)
  const [framings, fillers] = [some('framings', count), some('continuations', count)]
  const look = `${one('lights')}, with ${faker.color.human()} and ${faker.color.human()} tones`
  const shots = starts.map((start, index) => {
    const framing = withArticle(framings[index] ?? 'medium shot')
    const text = sentences[index] || fillers[index] || ''
    if (index === 0)
      return `[Shot 1] ${capital(framing)} composed for ${ratio}, in ${look}: ${text} The camera ${one('cameraMoves')}.${leads[content.mode]}`
    const shot = `${one('transitions')} ${framing}: ${text} The camera ${one('cameraMoves')}, and ${one('details')}.`
    const end = index === count - 1 ? ` ${one('endings')}` : ''
    return `[Shot ${index + 1}] At ${timeCode(start)}, ${shot}${end}`
  })
  const [near, far] = some('sounds', 2)
  const sounds = `Close to the picture one hears ${near}, further away ${far}; ${one('spaces')}.`
  const theme = `${capital(withArticle(one('paces')))} ${faker.music.genre().toLowerCase()} theme`
  return [
    `integrated_multimodal_description: ${shots.join(' ')}`,
    `overall_soundscape: ${sounds}`,
    `non_diegetic_music: ${theme} on ${one('instruments')}, at about ${faker.number.int({ min: 60, max: 128 })} beats per minute, ${one('arcs')}.`,
  ].join('\n\n')
}

/** About one token for four letters of an alphabet, and one token for each character of a script without an alphabet. */
export function tokensIn(text: string): number {
  let quarters = 0
  for (const character of text) quarters += character > '\u2e7f' ? 4 : 1
  return Math.ceil(quarters / 4)
}

const leads: Readonly<Record<Mode, string>> = {
  text: '',
  first_frame:
    ' The shot begins exactly on the given first frame and keeps its subjects, layout and colours.',
  last_frame: ' All movement leads to the given last frame, on which the final shot comes to rest.',
  first_last_frame:
    ' The shot begins exactly on the given first frame, and the final shot comes to rest on the given last frame.',
  reference: ' Subjects keep the look, movement and voice of the reference material throughout.',
}

/** Start times of the shots in seconds, from 0. Shots, and the end, are at least a second apart. */
function cutsOf(seconds: number, count: number, faker: Faker): number[] {
  const length = seconds / count
  const slack = Math.min(0.4, (length - 1) / 2)
  return Array.from({ length: count }, (_, index) => {
    const shift = index === 0 ? 0 : faker.number.float({ min: -slack, max: slack })
    return Math.round((index * length + shift) * 10) / 10
  })
}

/** `00:02.800` */
function timeCode(seconds: number): string {
  const minutes = Math.floor(seconds / 60)
  const rest = (seconds - minutes * 60).toFixed(3)
  return `${String(minutes).padStart(2, '0')}:${rest.padStart(6, '0')}`
}

function sentencesOf(prompt: string): string[] {
  return prompt
    .split(/(?<=[.!?])\s+|(?<=[。！？])|\n+/)
    .map(part => part.trim())
    .filter(part => part !== '')
    .map(part =>
      /[.!?。！？…]["'”’)]*$/.test(part) ? part : part + (/[\u2e80-\uffef]$/.test(part) ? '。' : '.'),
    )
}

/** Spreads the sentences over `count` shots, each once and in order. The first shot always has one. */
function spread(sentences: readonly string[], count: number): string[] {
  const size = Math.max(1, sentences.length / count)
  return Array.from({ length: count }, (_, index) =>
    sentences.slice(Math.round(index * size), Math.round((index + 1) * size)).join(' '),
  )
}

function withArticle(words: string): string {
  return `${/^[aeiou]/i.test(words) ? 'an' : 'a'} ${words}`
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
