import { readPrompt } from '../../families/index.ts'
import type { Pseudonyms } from './pseudonyms.ts'

/** Parts of a prompt that decide the reply and contain no words of the user: points and boxes of an edit. */
const marks = /<\/?(?:point|bbox)>(?:[\d\s.,-]{0,60}(?=<\/))?/g
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

/** `[prompt 1: 42 characters]`, followed by the marks and deciding words of the prompt. An empty text stays empty. */
export function redactPrompt(text: string, names: Pseudonyms): string {
  if (text.trim() === '') return text
  const number = names.hide('prompt', text).split('-')[1]
  const words = deciding.filter(([pattern]) => pattern.test(text)).map(([, word]) => word)
  const reading = readings[readPrompt(text).reading]
  const kept = [
    ...reading,
    ...(text.match(ratios)?.slice(0, 1) ?? []),
    ...words,
    ...(text.match(marks) ?? []),
  ]
  return [`[prompt ${number}: ${[...text].length} characters]`, ...kept].join(' ')
}

const redacted = /^\[prompt \d+: (\d+) characters\]/

export function isRedactedPrompt(text: string): boolean {
  return redacted.test(text)
}

/** A text exactly as long as the redacted prompt, to repeat the request: fields have limits. A short one has no place for the words. */
export function standInPrompt(text: string): string {
  const length = Number(redacted.exec(text)?.[1] ?? 0)
  const start = text.replace('[', '').replace(']', ';')
  if (start.length <= length) return start.padEnd(length, ' .')
  const words = start.replace(/^prompt \d+: \d+ characters; ?/, '')
  return words.slice(0, length).padEnd(length, '.')
}
