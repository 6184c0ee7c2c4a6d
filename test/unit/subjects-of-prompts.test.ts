import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { sceneWords } from '../../src/media/scenes/scene-words.ts'

/** Prompts with the subjects that are right for them; `-` where a picture without one is right too. Every third was kept aside while the words were chosen. */
const prompts = readFileSync(new URL('../data/subject-prompts.tsv', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line, i) => {
    const [prompt = '', right = ''] = line.split('\t')
    return { prompt, right: right.split(' '), isAside: i % 3 === 2 }
  })

const bare = (sign: string) => sign.replaceAll('\ufe0f', '')

function verdictOn({ prompt, right }: (typeof prompts)[number]): 'right' | 'wrong' | 'none' {
  const { subject } = sceneWords(prompt, 1)
  if (!subject) return right.includes('-') ? 'right' : 'none'
  return right.map(bare).includes(bare(subject.sign ?? subject.kind)) ? 'right' : 'wrong'
}

it.each([
  ['known', false, { most: 5, least: 92 }],
  ['kept aside', true, { most: 1, least: 45 }],
])('of the %s prompts few have no subject, and fewer a wrong one', (_, isAside, { most, least }) => {
  const asked = prompts.filter(each => each.isAside === isAside)
  expect(asked.length).toBeGreaterThanOrEqual(50)
  const of = (verdict: string) =>
    asked.filter(each => verdictOn(each) === verdict).map(({ prompt }) => prompt)
  expect(of('wrong').length, of('wrong').join('; ')).toBeLessThanOrEqual(most)
  expect(of('right').length, of('none').join('; ')).toBeGreaterThanOrEqual(least)
})

it('the nouns of a close-up are its subject', () => {
  expect(sceneWords('ramen, close-up', 1).subject?.sign).toBe('🍜')
  expect(sceneWords('close-up of a bee', 1).subject?.sign).toBe('🐝')
})

it.each([
  ['a cat in the rain', { rain: true }],
  ['Regen am See', { rain: true }],
  ['雨中的城市', { rain: true }],
  ['a shoe, white background', { white: true, place: 'studio' }],
  ['白色背景，一个苹果', { white: true, place: 'studio' }],
])('"%s" decides the weather or the background', (prompt, words) => {
  expect(sceneWords(prompt, 1)).toMatchObject(words)
})

it.each(['a shoe, white background', '显微镜，产品图，白色背景'])('"%s" has no white thing', prompt => {
  expect(sceneWords(prompt, 1).subject?.colour).toBeUndefined()
})

it.each([
  ['a butterfly on a leaf', 'butterfly'],
  ['strawberries in milk', '🍓'],
  ['a luxury wristwatch, product shot', '⌚'],
  ['Ein Eichhörnchen im Park', '🐿️'],
  ['a short film about fallen leaves', undefined],
  ['a drone shot over terraces', undefined],
  ['eine drehende Kugel, product shot', undefined],
  ['transparent layers, crossed lines', undefined],
  ['lemon yellow dress in the wind', '👗'],
  ['peach-coloured sunset over dunes', undefined],
  ['chocolate brown leather sofa', undefined],
  ['hot air from a kettle, steam', undefined],
  ['a tired nurse drinks coffee', 'person'],
  ['train your brain in five minutes', undefined],
  ['a bear market chart falling', undefined],
  ['un avocat au tribunal', undefined],
  ['la glace sur le lac', undefined],
  ['un parapluie rouge', '☂️'],
  ['一杯红酒', '🍷'],
  ['一杯咖啡', 'cup'],
])('the subject of "%s" is no thing that it only seems to name', (prompt, is) => {
  const { subject } = sceneWords(prompt, 1)
  expect(subject?.sign ?? subject?.kind).toBe(is)
})
