import type { Faker } from '@faker-js/faker'
import type { Random } from '../../worlds/random.ts'
import type { Content, Mode } from './content.ts'

/** The library that picks the words; one locale only, read when first needed. */
export async function openFaker(): Promise<Faker> {
  return (await import('@faker-js/faker/locale/en')).faker
}

/** What an enhanced prompt is about. */
interface Scene {
  content: Content
  seconds: number
  ratio: string
}

/**
 * An enhanced prompt as upstream writes it: labelled sections, and several shots with time codes that fit the length (C-enhanced).
 * Every sentence of the given prompt stands in it. The same stream gives the same text.
 */
export function enhance(scene: Scene, { random, faker }: { random: Random; faker: Faker }): string {
  faker.seed(random.integer(0, 2_147_483_647))
  const shots = shotsOf(scene, faker)
  return [
    `integrated_multimodal_description: ${shots.join(' ')}`,
    `overall_soundscape: ${soundscape(faker)}`,
    `non_diegetic_music: ${music(faker)}`,
  ].join('\n\n')
}

/** About one token for four letters of an alphabet, and one for each character of a script without one. */
export function tokensIn(text: string): number {
  let quarters = 0
  for (const character of text) quarters += character > '\u2e7f' ? 4 : 1
  return Math.ceil(quarters / 4)
}

function shotsOf({ content, seconds, ratio }: Scene, faker: Faker): string[] {
  const count = Math.min(5, Math.max(2, Math.round(seconds / 3)))
  const starts = cutsOf(seconds, count, faker)
  const parts = spread(sentencesOf(content.prompt), count)
  const framings = faker.helpers.arrayElements(framingWords, count)
  const fillers = faker.helpers.arrayElements(continuations, count)
  const look = `${faker.helpers.arrayElement(lights)}, with ${faker.color.human()} and ${faker.color.human()} tones`
  return starts.map((start, index) => {
    const shot = {
      framing: framings[index] ?? 'medium shot',
      text: parts[index] || fillers[index] || '',
      faker,
    }
    return index === 0
      ? `[Shot 1] ${opening({ ...shot, look, ratio })}${leads[content.mode]}`
      : `[Shot ${index + 1}] At ${timeCode(start)}, ${laterShot(shot, index === count - 1)}`
  })
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

interface Shot {
  framing: string
  text: string
  faker: Faker
}

function opening({ framing, text, faker, look, ratio }: Shot & { look: string; ratio: string }): string {
  const camera = faker.helpers.arrayElement(cameraMoves)
  return `${capital(withArticle(framing))} composed for ${ratio}, in ${look}: ${text} The camera ${camera}.`
}

function laterShot({ framing, text, faker }: Shot, isLast: boolean): string {
  const [cut, camera, detail] = [transitions, cameraMoves, details].map(list =>
    faker.helpers.arrayElement(list),
  )
  const end = isLast ? ` ${faker.helpers.arrayElement(endings)}` : ''
  return `${cut} ${withArticle(framing)}: ${text} The camera ${camera}, and ${detail}.${end}`
}

/** Where shots begin, in seconds from 0, none nearer than a second to another or to the end. */
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

/** Every sentence once, in order, over `count` shots; the first shot always has one. */
function spread(sentences: readonly string[], count: number): string[] {
  const size = Math.max(1, sentences.length / count)
  return Array.from({ length: count }, (_, index) =>
    sentences.slice(Math.round(index * size), Math.round((index + 1) * size)).join(' '),
  )
}

function soundscape(faker: Faker): string {
  const [near, far] = faker.helpers.arrayElements(sounds, 2)
  return `Close to the picture one hears ${near ?? 'room tone'}, further away ${far ?? 'a low hum'}; ${faker.helpers.arrayElement(spaces)}.`
}

function music(faker: Faker): string {
  const pace = faker.helpers.arrayElement(paces)
  return `${capital(withArticle(pace))} ${faker.music.genre().toLowerCase()} theme on ${faker.helpers.arrayElement(instruments)}, at about ${faker.number.int({ min: 60, max: 128 })} beats per minute, ${faker.helpers.arrayElement(arcs)}.`
}

function withArticle(words: string): string {
  return `${/^[aeiou]/i.test(words) ? 'an' : 'a'} ${words}`
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

const framingWords = [
  'wide establishing shot',
  'medium shot',
  'close-up',
  'low-angle shot',
  'over-the-shoulder shot',
  'high-angle shot',
  'tracking side shot',
  'extreme close-up',
]
const lights = [
  'soft morning light',
  'warm light of the late afternoon',
  'cool overcast daylight',
  'the glow of dusk',
  'crisp light from the side',
  'diffuse light from a window',
]
const cameraMoves = [
  'pushes in slowly',
  'glides from left to right',
  'holds still',
  'pulls back to show more of the surroundings',
  'follows at walking pace',
  'tilts up gently',
  'circles by a quarter turn',
  'drifts as if held by hand',
]
const transitions = [
  'the picture cuts to',
  'a match cut leads to',
  'the view changes smoothly to',
  'a soft dissolve gives way to',
]
/** What a shot shows that no sentence of the prompt is left for. */
const continuations = [
  'the action goes on without a break.',
  'the same subject is seen from another side.',
  'attention moves to the surroundings.',
  'a telling detail fills the picture.',
  'the movement of the shot before is carried on.',
]
const details = [
  'the background falls into a shallow blur',
  'small particles float through the light',
  'reflections move over nearby surfaces',
  'fabric and hair move with the air',
  'shadows wander slowly across the ground',
  'fine textures come out in sharp focus',
]
const endings = [
  'The movement comes to rest, and the picture holds for a moment.',
  'The light fades a little as the shot settles.',
  'The last gesture is seen to its end.',
]
const sounds = [
  'a light wind',
  'footsteps on a hard floor',
  'the rustle of leaves',
  'running water',
  'birdsong',
  'the murmur of voices',
  'the hum of traffic',
  'the creak of wood',
  'soft breathing',
]
const spaces = [
  'the room is small and dry',
  'the space is open, with hardly any echo',
  'a short natural reverb binds the sounds together',
  'the sounds follow the picture from shot to shot',
]
const paces = ['slow', 'calm', 'steady', 'lively', 'unhurried', 'playful']
const instruments = [
  'piano and strings',
  'acoustic guitar',
  'warm synthesizers',
  'solo cello',
  'woodwinds',
  'muted brass',
]
const arcs = [
  'swelling towards the last shot',
  'quiet under the voices throughout',
  'fading out over the last second',
  'with a short rest at every cut',
]
