import { readPrompt } from '../../../emulator/gateway.ts'
import { type LeftOut, readLeftOut } from '../../spec/json.ts'
import { type Pseudonyms, withWords } from './pseudonyms.ts'

/** Parts of a prompt that decide the reply and contain no words of the user: points and boxes of an edit. */
const marks = /<(point|bbox)>\s*(\d{1,5}(?:[\s,]+\d{1,5}){1,3})\s*<\/\1>/g
/** The largest coordinate. Larger ones are refused, whichever they are. */
const largestPlace = 999

const ratios = /(?<![\d:])(?:21:9|16:9|9:16|4:3|3:4|3:2|2:3|1:1)(?![\d:])/g

/** What a prompt asks for beside a reference video (A-task-type), in words that are read so again and fit in the shortest prompt. */
const readings = { reference: [], edit: ['编辑'], extend: ['延长'] } as const

/** Words that decide which kind of picture is made. Each is kept as one word of a fixed list (I-ratio). */
const deciding: readonly (readonly [RegExp, string])[] = [
  [/\b(?:square|avatar|icon|logo)\b|方形|正方|头像|图标/i, 'square'],
  [/\b(?:panoram|ultra-?wide|cinematic|banner)|全景|超宽|横幅|电影感/i, 'panorama'],
  [/\b(?:wallpaper|desktop|widescreen)\b|壁纸|桌面|宽屏/i, 'wallpaper'],
  [/\b(?:phone|mobile|story|stories)\b|手机|竖屏/i, 'phone'],
  [/\b(?:portrait|vertical|poster)\b|竖版|竖构图|海报|肖像/i, 'portrait'],
  [/\b(?:landscape|horizontal)\b|横版|横构图/i, 'landscape'],
]

/** `text:42;`, followed by the marks and deciding words of the prompt, as words of fixed lists. A text of blanks stays one. */
export function redactPrompt(text: string, names: Pseudonyms): string {
  if (text.trim() === '') return ' '.repeat([...text].length)
  const words = deciding.filter(([pattern]) => pattern.test(text)).map(([, word]) => word)
  const reading = readings[readPrompt(text).reading]
  const places = [...text.matchAll(marks)].map(([, name, list = '']) => {
    const numbers = list.split(/[\s,]+/).map(one => Math.min(Number(one), largestPlace + 1))
    return `<${name}>${numbers.join(' ')}</${name}>`
  })
  return withWords(names.text(text), [
    ...reading,
    ...(text.match(ratios)?.slice(0, 1) ?? []),
    ...words,
    ...places,
  ])
}

/** A text exactly as long as a prompt that was left out, to repeat the request: fields have limits. A short one has no place for the words. */
export function standInPrompt({ length, number, words }: LeftOut): string {
  const start = `prompt ${number}: ${length} characters; ${words}`
  if (start.length <= length) return start.padEnd(length, ' .')
  return words.slice(0, length).padEnd(length, '.')
}

/** A JSON value in which stand-ins replace the words that were left out, as a repeated request has them. */
export function withStandIns(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withStandIns)
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withStandIns(inner)]))
  const left = readLeftOut(value)
  return left && left.words === '' ? standInWord(left) : value
}

/** The same for any other text: letters only, because a digit may be a page or a length. */
export function standInWord({ length, number }: LeftOut): string {
  const letters = number
    .toString(26)
    .replace(/./g, digit => String.fromCharCode(97 + Number.parseInt(digit, 26)))
  return letters.padStart(length, 'x').slice(-length)
}
