import type { Pseudonyms } from './pseudonyms.ts'

/** Parts of a prompt that decide the reply and contain no words of the user: points and boxes of an edit. */
const marks = /<\/?(?:point|bbox)>(?:[\d\s.,-]{0,60}(?=<\/))?/g
const ratios = /(?<![\d:])(?:21:9|16:9|9:16|4:3|3:4|3:2|2:3|1:1)(?![\d:])/g

/** Words that decide which kind of task or picture is made. Each is kept as one word of a fixed list (A-task-type, I-ratio). */
const deciding: readonly (readonly [RegExp, string])[] = [
  [/\b(?:extend|continu|prolong)|延长|延续|续写|继续|向前延|向后延/i, 'extend'],
  [/\b(?:edit|add|delet|remov|modif|replac|chang)|编辑|增加|添加|删除|移除|修改|替换|改成|换成/i, 'edit'],
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
  const kept = [...(text.match(ratios)?.slice(0, 1) ?? []), ...words, ...(text.match(marks) ?? [])]
  return [`[prompt ${number}: ${[...text].length} characters]`, ...kept].join(' ')
}

const redacted = /^\[prompt \d+: (\d+) characters\]/

export function isRedactedPrompt(text: string): boolean {
  return redacted.test(text)
}

/** A text exactly as long as the redacted prompt, to repeat the request: fields have limits. A short one has no place for the words. */
export function standInPrompt(text: string): string {
  const length = Number(redacted.exec(text)?.[1] ?? 0)
  const start = text.replace(/[[\]]/g, '')
  if (start.length <= length) return start.padEnd(length, ' .')
  const words = start.replace(/^prompt \d+: \d+ characters ?/, '')
  return words.slice(0, length).padEnd(length, '.')
}
