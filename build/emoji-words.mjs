// Writes fixtures/words/emoji.json: what prompts call the things that the emoji font can draw, from the annotations of Unicode CLDR.
// Run with the unpacked npm packages cldr-annotations-full and unicode-emoji-json: node build/emoji-words.mjs CLDR EMOJI
import { readFile, writeFile } from 'node:fs/promises'
import { signsOf } from './font-signs.ts'

const [cldr, emoji] = process.argv.slice(2)
const languages = [
  'en',
  'de',
  'es',
  'fr',
  'it',
  'pt',
  'vi',
  'el',
  'ru',
  'zh',
  'ja',
  'ko',
  'ar',
  'he',
  'hi',
  'th',
]
/** In these languages what a thing is comes before what kind of it. */
const nounIsFirst = new Set(['es', 'fr', 'it', 'pt', 'vi', 'ar', 'he', 'th'])
const groups = ['Animals & Nature', 'Food & Drink', 'Travel & Places', 'Activities', 'Objects']
// How a picture is taken, time, weather, money and signs: words of prompts that are seldom the thing to be seen.
const leftOut = new Set(
  [
    ...'📷📸📹🎥🎬📽🎞🖼🎨🎭🔍🔎📺💡🔦📡🎦⌛⏳⏰⏱⏲🕰🗓📅📆💰💵💴💶💷💸💳🧾💹📈📉📊🔥💧🌊⭐🌟✨❄⚡☄🌀💨💫🎵🎶🎼',
    ...'☀☁⛅⛈🌤🌥🌦🌧🌨🌩🌪🌫🌬🌡🌃🌆🌇🌉🌁🌄🌅🌌🎆🎇🏞🏜🏝🏖⛰🏔🗻🏕🛤🛣🗾🗺🌍🌎🌏🌐🪨💎🎯🎮🕹🎰🎲♠♥♦♣🀄🃏🔇🔈🔉🔊📢📣🔔🔕',
    // What scenes draw themselves.
    ...'🐱🐈🐶🐕🐩🐰🐇🦊🐻🐼🦁🐺🐴🐎🦌🐘🐦🕊🦋🐟🐠🐡🐳🐋🚆🚂🚞🚄🚅🚈🚲🚗🚙🏎🚕🚖🚘⛵🚤🛥✈🛩🚀🛸🤖☕🍵🍎🍏🍊🍐🍇💐🌺🌼🏰🏯⛩🌳🌲🏠🏡🛖⛪🕌🛕🍾🍶🧴🔟',
    ...'🔗📎📌📍📁📂🗂📃📄📑📜📰🔒🔓🔏🔐🔨🛠⚙🧪🔮🏁🚩🎌🏴🏳🛑🚧🚨🚥🚦🪧🏗🏢🏬🏭🏣🏤🏥🏦🏨🏩🏪🏫🏘🏚🎪🪐🌑🌒🌓🌔🌕🌖🌗🌘🌙🌚🌛🌜🌝🌞🐾🎀🎁🎈🎉🎊🧸🥇🥈🥉',
  ].filter(sign => sign !== '\ufe0f'),
)
const stop = new Set(
  (await readFile(new URL('emoji-stop-words.txt', import.meta.url), 'utf8')).split(/\s+/).filter(Boolean),
)

const bare = sign => sign.replaceAll('\ufe0f', '')
// Words that CLDR gives to several things or to none, written as in the tables.
const more = (await readFile(new URL('emoji-more-words.txt', import.meta.url), 'utf8')).trim().split('\n')
const added = new Map(more.map(line => line.split(' ')).map(([sign, ...words]) => [bare(sign), words]))
const isAdded = new Set([...added.values()].flat().map(word => word.replace(/[*+]$/, '')))
// English words that begin like a word of another language.
const others =
  'butterfly butterflies buttercup+ butternut dragonfly dragonflies planted planter+ planters plantain+ spinner+ squalor coronary avocation magnetic magnetism monetary pettiness palmed crossed fallen austere austerity ratted western+ computerized serpentine vegetarian currying monumental raising supper+'

const font = signsOf(new URL('../fixtures/font/emoji.ttf', import.meta.url).pathname)
const known = JSON.parse(await readFile(`${emoji}/data-by-emoji.json`, 'utf8'))
const drawn = Object.keys(known).filter(sign => {
  const [first, second] = [...bare(sign)]
  const isThing = (groups.includes(known[sign].group) && !leftOut.has(first)) || added.has(bare(sign))
  return (
    isThing && !second && font.has(first.codePointAt(0)) && !/clock|thirty|moon|button/.test(known[sign].name)
  )
})

const fold = word => word.normalize('NFC').toLowerCase()
/** Of these tables only the names of things are taken over. */
const isLoose = new Set(['places', 'seasons', 'subjects'])
const colourNots = []
const [taken, loose] = [new Set(), new Set()]
for (const table of ['colours', 'places', 'seasons', 'subjects', 'times', 'styles']) {
  const { rows, not } = JSON.parse(
    await readFile(new URL(`../fixtures/words/${table}.json`, import.meta.url), 'utf8'),
  )
  if (table === 'colours') colourNots.push(...not.split(' '))
  for (const { words, others = '' } of rows)
    for (const word of fold(`${words} ${others}`).split(' '))
      (isLoose.has(table) ? loose : taken).add(word.replace(/[*+]$/, ''))
}

const wordsOf = new Map(drawn.map(sign => [sign, new Map()]))
const english = new Map()
for (const language of languages) {
  const file = JSON.parse(await readFile(`${cldr}/annotations/${language}/annotations.json`, 'utf8'))
  const all = Object.entries(file.annotations.annotations).filter(
    ([sign]) => ![...sign].some(c => /\p{Emoji_Modifier}/u.test(c)),
  )
  const uses = new Map()
  for (const [sign, { default: keys = [] }] of all)
    for (const key of keys) uses.set(fold(key), [...(uses.get(fold(key)) ?? []), bare(sign)])
  if (language === 'en')
    for (const [sign, { default: keys = [], tts = [] }] of all)
      for (const word of [...keys, ...tts].flatMap(each => [fold(each), ...fold(each).split(' ')]))
        english.set(word, [...(english.get(word) ?? []), bare(sign)])
  const names = new Map(all.map(([sign, { tts: [name = ''] = [] }]) => [bare(sign), fold(name)]))
  for (const sign of drawn) {
    const entry = all.find(([other]) => bare(other) === bare(sign))
    if (!entry) continue
    const name = names.get(bare(sign)) ?? ''
    for (const word of new Set([name, ...(entry[1].default ?? []).map(fold)])) {
      const isName = word === name
      const sharing = uses.get(word) ?? []
      // A keyword means the thing of whose name it is the noun: "bee" is the honeybee, and "electric" no plug. In English it may be a name of its own.
      const isNounOf = other =>
        nounIsFirst.has(language)
          ? (names.get(other) ?? '').startsWith(word)
          : (names.get(other) ?? '').endsWith(word)
      const holders = sharing.filter(isNounOf)
      const isAlone = language === 'en' && sharing.length === 1
      const first = isAlone
        ? sharing[0]
        : holders.length === 1 || holders.length === sharing.length
          ? holders[0]
          : undefined
      if (!isName && first !== bare(sign)) continue
      if (!isName && [...names.values()].includes(word)) continue
      if (!/^[\p{L}\p{M}]+(?:[ '’-][\p{L}\p{M}]+)*$/u.test(word) || word.split(' ').length > 3) continue
      const entered = word.replaceAll(/[ -]/g, '_')
      if (!isName && loose.has(entered)) continue
      if (taken.has(entered) || stop.has(word.replaceAll(' ', '_'))) continue
      const isLatin = /\p{Script=Latin}/u.test(word)
      const inEnglish = english.get(word)
      // "pain" is bread in French.
      if (
        language !== 'en' &&
        isLatin &&
        (inEnglish ? !inEnglish.includes(bare(sign)) : word.length < (isName ? 4 : 5))
      )
        continue
      // A single Han character is mostly a part of another word: 虹 of 霓虹灯, a neon light.
      if (!isLatin && [...word].length < (/\p{Script=Han}/u.test(word) ? 2 : 3)) continue
      if (!wordsOf.get(sign).has(word)) wordsOf.get(sign).set(word, language)
    }
  }
}

const owner = new Map()
for (const [sign, words] of wordsOf)
  for (const word of words.keys()) owner.set(word, [...(owner.get(word) ?? []), sign])
const long = { de: 5, ru: 5, el: 5, es: 6, it: 6, pt: 6, fr: 6 }
const written = (word, language) => {
  const body = word.replaceAll(/[ '’-]/g, '_')
  if (language === 'en') return `${body}+`
  return word.length >= (long[language] ?? Number.POSITIVE_INFINITY) ? `${body}*` : body
}
const rows = [...wordsOf].flatMap(([sign, words]) => {
  const own = [...words]
    .filter(([word]) => owner.get(word)[0] === sign)
    .map(([word, language]) => written(word, language))
    .filter(word => !isAdded.has(word.replace(/[*+]$/, '')))
  const all = [...own, ...(added.get(bare(sign)) ?? [])]
  return all.length > 0 ? [{ is: sign, words: all.join(' ') }] : []
})
// A colour that is named after a thing is no thing.
const shades = [...taken].filter(word => /\p{Script=Han}{3,}|_/u.test(word))
const not = [...[...stop].filter(word => word.includes('_')), others, ...shades, ...colourNots].join(' ')
await writeFile(
  new URL('../fixtures/words/emoji.json', import.meta.url),
  `${JSON.stringify({ rows, not }, null, 2)}\n`,
)
console.log(
  `${rows.length} emoji, ${rows.reduce((sum, { words }) => sum + words.split(' ').length, 0)} words`,
)
