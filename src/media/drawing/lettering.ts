/** Text broken into lines that fit a box. */
export interface Lettering {
  size: number
  lines: string[]
}

export interface TextBox {
  width: number
  height: number
  /** Sizes to try, largest first. */
  sizes: readonly number[]
  maxLines: number
  /** Distance of lines as a multiple of the size. */
  leading: number
}

/** More than this many signs fit no picture. */
const readable = 2_000

/** The largest lettering that fits the box; at the smallest size what does not fit is cut off with an ellipsis. */
export function fitText(text: string, box: TextBox): Lettering {
  const clean = printable(text.slice(0, readable))
  for (const size of box.sizes) {
    const lines = wrap(clean, box.width / size)
    if (lines.length <= box.maxLines && lines.length * size * box.leading <= box.height)
      return { size, lines }
  }
  const size = box.sizes.at(-1) ?? 1
  const room = Math.max(1, Math.min(box.maxLines, Math.floor(box.height / (size * box.leading))))
  const lines = wrap(clean, box.width / size)
  return { size, lines: lines.length <= room ? lines : cut(lines.slice(0, room), box.width / size) }
}

/** One line, cut off with an ellipsis when it is wider than `widthEm` (in units of the size of the type). */
export function fitLine(text: string, widthEm: number): string {
  const clean = printable(text.slice(0, readable))
  return textWidth(clean) <= widthEm ? clean : (cut([clean], widthEm)[0] ?? '')
}

/** Leaves out what cannot be drawn: control characters, halves of surrogate pairs, emoji. White space becomes one space. */
export function printable(text: string): string {
  return text
    .replace(/\s/g, ' ')
    .replace(/[\p{C}\p{Variation_Selector}\uFFFD]/gu, '')
    .replace(/(?!\d)\p{Emoji_Presentation}|[\u{1F000}-\u{1FAFF}]/gu, '')
    .replace(/ +/g, ' ')
    .trim()
}

/** As it must stand inside SVG. */
export function escapeXml(text: string): string {
  return text.replace(/[<>&"']/g, sign => `&#${sign.charCodeAt(0)};`)
}

/** How wide a text comes out, in units of the size of the type; a little more than it really is. */
export function textWidth(text: string): number {
  let width = 0
  for (const sign of text) width += signWidth(sign)
  return width
}

const widths: readonly (readonly [RegExp, number])[] = [
  [/[\u2E80-\u9FFF\uAC00-\uD7FF\uF900-\uFAFF\uFF00-\uFFEF\u{20000}-\u{3FFFF}]/u, 1.0],
  [/[ijlI.,:;'|!()[\]`·]/, 0.33],
  [/[mwMW@%—…]/, 0.92],
  [/[A-Z&]/, 0.68],
  [/[ frt/-]/, 0.4],
]

function signWidth(sign: string): number {
  return widths.find(([signs]) => signs.test(sign))?.[1] ?? 0.58
}

/** Chinese may break after every sign, other scripts between words; what is longer than a line breaks anywhere. */
function wrap(text: string, widthEm: number): string[] {
  const lines: string[] = []
  let line = ''
  let width = 0
  for (const piece of pieces(text, widthEm)) {
    if (line !== '' && width + textWidth(piece.trimEnd()) > widthEm) {
      lines.push(line.trimEnd())
      line = ''
      width = 0
    }
    const added = line === '' ? piece.trimStart() : piece
    line += added
    width += textWidth(added)
  }
  if (line.trim() !== '') lines.push(line.trimEnd())
  return lines
}

const wide = '\\u2E80-\\u9FFF\\uF900-\\uFAFF\\uFF00-\\uFFEF'
const notFirst = '、。，．！？：；）」』】》〉”’％'
const unit = new RegExp(`[${wide}][${notFirst}]*|[^\\s${wide}]+[${notFirst}]*\\s*|\\s+`, 'gu')

function pieces(text: string, widthEm: number): string[] {
  return (text.match(unit) ?? []).flatMap(piece =>
    textWidth(piece.trimEnd()) > widthEm ? [...piece] : [piece],
  )
}

function cut(lines: string[], widthEm: number): string[] {
  const last = [...(lines.at(-1) ?? '')]
  while (last.length > 0 && textWidth(last.join('')) > widthEm - 0.95) last.pop()
  return [...lines.slice(0, -1), `${last.join('').trimEnd()}…`]
}
