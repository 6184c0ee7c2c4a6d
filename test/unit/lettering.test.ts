import { expect, it, onTestFinished, vi } from 'vitest'
import { escapeXml, fitLine, fitText, printable, textWidth } from '../../src/media/drawing/lettering.ts'

const box = { width: 400, height: 300, sizes: [40, 30, 20], maxLines: 8, leading: 1.3 }

it('leaves out characters that cannot be drawn', () => {
  expect(printable('a\u0000b\u0007\n\tc\ud800d 😀 e\u200b❤️ f \u202eg')).toBe('ab\ncd 😀 e❤ f g')
})

it('writes a character that our fonts lack in its simpler form, else as a dot', () => {
  expect(printable('𝒜𝓫 ﬃ 1️⃣ አዲስ \u{10ffff}x')).toBe('Ab ﬃ 1 ··· ·x'.replace('ﬃ', printable('ﬃ')))
  expect(printable('e\u0301 a\u{1e000}')).toBe('é a')
})

it('keeps the lines of a prompt, and at most one empty line between them', () => {
  expect(fitText('one \r\n two\n\n\n\nthree', box).lines).toEqual(['one', 'two', '', 'three'])
  expect(fitLine('one\ntwo', 40)).toBe('one two')
  expect(fitText(' \n ', box).lines).toEqual([])
})

it.each([
  ['مرحبا world', 'rtl'],
  ['12 שלום', 'rtl'],
  ['a مرحبا', 'ltr'],
  ['😀', 'ltr'],
])('finds the direction of %s', (text, direction) => {
  expect(fitText(text, box).direction).toBe(direction)
})

it('writes text that is valid inside SVG', () => {
  expect(escapeXml('<b>"Tom" & \'Ann\'')).toBe('&#60;b&#62;&#34;Tom&#34; &#38; &#39;Ann&#39;')
})

it('uses the largest size that fits', () => {
  expect(fitText('Rain', box)).toMatchObject({ size: 40, lines: ['Rain'] })
  expect(
    fitText('A corgi in sunglasses rides a skateboard along the seafront at sunset. '.repeat(3), box).size,
  ).toBe(20)
})

it.each([
  ['en', 'A corgi in sunglasses rides a skateboard along the seafront'],
  ['th', 'แมวนอนหลับบนโซฟาสีแดงในห้องนั่งเล่นที่มีแสงแดด'],
  ['ko', '빨간 소파 위에서 잠자는 고양이와 창밖의 비 내리는 도시'],
])('breaks lines of %s between words, and loses no text', (language, text) => {
  const { lines, size } = fitText(text, box)
  expect(lines.length).toBeGreaterThan(1)
  for (const line of lines) expect(textWidth(line) * size).toBeLessThanOrEqual(box.width)
  expect(lines.join('').replaceAll(' ', '')).toBe(text.replaceAll(' ', ''))
  const words = [...new Intl.Segmenter(language, { granularity: 'word' }).segment(text)]
  expect(endsOf(words.map(({ segment }) => segment))).toEqual(expect.arrayContaining(endsOf(lines)))
})

it('breaks lines of Chinese after any sign, when no other fits', () => {
  const text = '一只戴墨镜的柯基犬沿着海边滑滑板镜头缓缓推进'
  const { lines, size } = fitText(text, box)
  expect(lines.length).toBeGreaterThan(1)
  expect(lines.join('')).toBe(text)
  for (const [i, line] of lines.entries()) {
    const next = lines[i + 1]?.[0]
    expect(textWidth(line) * size).toBeLessThanOrEqual(box.width)
    if (next !== undefined) expect(textWidth(line + next) * size).toBeGreaterThan(box.width)
  }
})

/** Where each part ends in the whole, blanks not counted. */
function endsOf(parts: readonly string[]): number[] {
  let end = 0
  return parts.map(part => {
    end += part.replaceAll(' ', '').length
    return end
  })
}

it('does not start a line with a Chinese full stop or comma', () => {
  for (let width = 80; width < 400; width += 7) {
    const { lines } = fitText('夕阳下，一只柯基犬，滑滑板。镜头推进，电影感。', {
      ...box,
      width,
      sizes: [20],
      maxLines: 30,
      height: 900,
    })
    for (const line of lines.slice(1)) expect(line).not.toMatch(/^[，。]/)
  }
})

it('cuts off what does not fit at the smallest size', () => {
  const { lines, size } = fitText('word '.repeat(2_000), box)
  expect(size).toBe(20)
  expect(lines.length).toBe(8)
  expect(lines.at(-1)).toMatch(/…$/)
  expect(fitLine('x'.repeat(300), 20).length).toBeLessThan(60)
})

it('measures only those characters of a long prompt that can fill the picture', () => {
  const tested = vi.spyOn(String.prototype, 'codePointAt')
  onTestFinished(() => tested.mockRestore())
  const measured = (length: number) => {
    tested.mockClear()
    const { lines } = fitText('夕阳下的柯基犬，'.repeat(length / 8), box)
    return { last: lines.at(-1), tests: tested.mock.calls.length }
  }
  const filling = measured(2_400)
  expect(filling.last).toMatch(/…$/)
  expect(filling.tests).toBeGreaterThan(2_000)
  expect(measured(1_000_000)).toEqual(filling)
})

it('breaks a word that is longer than a line', () => {
  const { lines } = fitText('x'.repeat(100), box)
  expect(lines.join('')).toBe('x'.repeat(100))
})
