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

/** What a prompt shows: an emoji, or a kind of subject that is drawn. */
function shownBy(prompt: string): string | undefined {
  const { subject } = sceneWords(prompt, 1)
  return subject?.sign ?? subject?.kind
}

const bare = (sign: string) => sign.replaceAll('\ufe0f', '')

function verdictOn({ prompt, right }: (typeof prompts)[number]): 'right' | 'wrong' | 'none' {
  const shown = shownBy(prompt)
  if (shown === undefined) return right.includes('-') ? 'right' : 'none'
  return right.map(bare).includes(bare(shown)) ? 'right' : 'wrong'
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
  ['une averse sur le lac', { rain: true }],
  ['ливень в городе', { rain: true }],
  ['Schneesturm in den Alpen', { season: 'winter' }],
  ['nevica sul lago', { season: 'winter' }],
  ['метель в городе', { season: 'winter' }],
  ['white studio background, a shoe', { white: true }],
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
  expect(shownBy(prompt)).toBe(is)
})

it.each([
  ['an empty street, no people', undefined],
  ['a quiet beach, no boats or birds', undefined],
  ['a wooden table without a cup', undefined],
  ['a garden with neither flowers nor trees', undefined],
  ["don't show any dogs, only a cat", 'cat'],
  ['a turtle instead of a rabbit', '🐢'],
  ['eine Straße ohne Autos', undefined],
  ['una calle vacía sin gente', undefined],
  ['улица без людей', undefined],
  ['一个没有人的图书馆', undefined],
  ['空无一人的街道', undefined],
  ['人物なし、静かな駅のホーム', undefined],
  ['猫のいない部屋', undefined],
  ['사람이 없는 거리', undefined],
  ['लोगों के बिना सड़क', undefined],
  ['ไม่มีคน แมว', 'cat'],
])('"%s" does not show what it says is not there', (prompt, subject) => {
  expect(shownBy(prompt)).toBe(subject)
})

it.each([
  ['not only a cat but also a bird', 'cat'],
  ['a man without shoes walks a dog', 'dog'],
  ['a cat with no tail', 'cat'],
  ['o reflexo da lua no castelo', 'castle'],
  ['no ordinary cat', 'cat'],
])('"%s" keeps the subject beside a negation', (prompt, subject) => {
  expect(sceneWords(prompt, 1).subject?.kind).toBe(subject)
})

it.each(['a park, no rain', 'ein Park ohne Regen', '没有雨的公园'])('"%s" has no rain', prompt => {
  expect(sceneWords(prompt, 1).rain).toBeUndefined()
})

it.each(['mountains without snow', 'Berge ohne Schnee'])('"%s" have no snow', prompt => {
  const { place, season } = sceneWords(prompt, 1)
  expect({ place, season }).not.toMatchObject({ season: 'winter' })
  expect(place).toBe('mountains')
})

it.each([
  ['nieve cayendo sobre un pueblo', undefined],
  ['un piccolo gatto che dorme', 'cat'],
  ['il primo piano di un lago', undefined],
  ['une étoile brille sur la mer', undefined],
  ['eine Frau mit Brille', '👓'],
  ['无人机拍摄的城市', undefined],
  ['Apple Watch on a marble plinth', '⌚'],
  ['a skateboarder jumping over stairs', '🛹'],
  ['a fire truck racing to a blaze', '🚒'],
  ['a grandfather clock strikes midnight', undefined],
  ['a sea lion on a rock', '🦭'],
  ['a tree frog on glass', '🐸'],
  ['dragon fruit, sliced', 'fruit'],
])('"%s" has no subject by a word of another meaning', (prompt, subject) => {
  expect(shownBy(prompt)).toBe(subject)
})
