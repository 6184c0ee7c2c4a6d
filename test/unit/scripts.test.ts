import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { signsOf } from '../../build/font-signs.ts'
import { fixturePath, readFixture } from '../../src/emulator/package/files.ts'
import { printable, textWidth } from '../../src/media/drawing/lettering.ts'
import { registerFonts, text } from '../../src/media/drawing/svg.ts'
import type { DrawnRecipe } from '../../src/media/render/recipe.ts'
import { startWorker } from '../../src/media/workers/worker.ts'
import { ownFolder } from '../support/folders.ts'
import { pictureRecipe } from '../support/pool-jobs.ts'
import { svgPicture } from '../support/svg-picture.ts'
import { videoRecipe } from '../support/video-files.ts'

const folder = fixturePath('font')
const files = readdirSync(folder).filter(name => name.endsWith('.ttf'))
const drawable = new Set(files.flatMap(name => [...signsOf(join(folder, name))]))

const between = (first: number, last: number, test = /\p{L}|\p{M}/u) =>
  Array.from({ length: last - first + 1 }, (_, i) => String.fromCodePoint(first + i))
    .filter(sign => test.test(sign))
    .join('')

/** The two-byte characters of an older encoding, which contains those in common use. */
function encoded(encoding: string, [first, last]: readonly [number, number]): string {
  const decoder = new TextDecoder(encoding)
  const bytes = Array.from({ length: (last - first + 1) * 94 }, (_, i) => [
    first + Math.floor(i / 94),
    0xa1 + (i % 94),
  ])
  const signs = bytes.map(pair => decoder.decode(Uint8Array.from(pair)))
  return [...new Set(signs.join(''))].filter(sign => sign !== '\ufffd').join('')
}

const scripts: Record<string, string> = {
  'Latin with all accents': between(0xa1, 0x24f) + between(0x1e00, 0x1eff),
  Vietnamese: 'ăâđêôơưĂÂĐÊÔƠƯ ầẩẫấậằẳẵắặềểễếệồổỗốộờởỡớợừửữứự ₫',
  Greek: between(0x391, 0x3ce) + between(0x1f00, 0x1fff),
  Cyrillic: between(0x400, 0x52f),
  'simplified Chinese (GB 2312, first level)': encoded('gbk', [0xb0, 0xd7]).replace(
    /[^\p{Script=Han}]/gu,
    '',
  ),
  'traditional Chinese': '繁體中文櫻花龍鳳貓雲霧燈樓臺灣',
  'Japanese (JIS X 0208, first level)': encoded('euc-jp', [0xb0, 0xcf]),
  kana: `${between(0x3041, 0x3096) + between(0x30a1, 0x30fc)}。、「」〜`,
  'Korean (KS X 1001)': encoded('euc-kr', [0xb0, 0xc8]),
  Arabic: `${between(0x621, 0x64a)}پچژگیک،؟٠١٢٣٤٥٦٧٨٩`,
  Hebrew: `${between(0x5d0, 0x5ea)}״׳־`,
  Hindi: `${between(0x905, 0x939) + between(0x93e, 0x94d)}०१२३४५६७८९।`,
  Thai: `${between(0xe01, 0xe3a, /\p{L}|\p{M}/u) + between(0xe40, 0xe4e, /\p{L}|\p{M}/u)}฿๐๑๒`,
  emoji: `${between(0x1f300, 0x1faf8, /\p{Emoji_Presentation}/u).replace(/[\u{1fa70}-\u{1faff}]/gu, '')}❤☀✨`,
}

it.each(Object.entries(scripts))('every sign of %s has a shape in our fonts', (_, signs) => {
  const missing = [...signs].filter(sign => sign !== ' ' && !drawable.has(sign.codePointAt(0) ?? 0))
  expect(missing).toEqual([])
  expect([...signs].length).toBeGreaterThan(10)
  expect([...signs].filter(sign => printable(`x${sign}`).includes('·') && sign !== '·')).toEqual([])
})

it('the fonts have the 2,350 common syllables of Korean', () => {
  expect([...encoded('euc-kr', [0xb0, 0xc8])]).toHaveLength(2_350)
})

it('a character that counts as drawable is in a font: a box is never drawn', () => {
  const { gaps, counts } = readFixture<{ gaps: number[]; counts: number[] }>('font/signs.json')
  let next = 0
  for (const [i, count] of counts.entries()) {
    const first = next + (gaps[i] ?? 0)
    next = first + count
    for (let code = first; code < next; code++)
      if (!drawable.has(code)) expect.fail(`no font has U+${code.toString(16)}`)
  }
  expect(printable('\u{13000}')).toBe('·')
})

const lines = {
  Latin: 'Żółta łódź, naïve façade, WWWWMMMM @@@@',
  Vietnamese: 'Một con mèo đang ngủ trên ghế sô pha',
  Greek: 'Μια γάτα κοιμάται στον καναπέ',
  Cyrillic: 'Широкая электрификация южных губерний',
  Chinese: '夕阳下，一只柯基犬沿着海边滑滑板',
  kana: 'ソファーでねむるねこ、ゆうやけ',
  Korean: '빨간 소파 위에서 잠자는 고양이',
  Arabic: 'قطة جميلة نائمة على الأريكة الحمراء',
  Hebrew: 'חתול יפה ישן על הספה האדומה',
  Hindi: 'लाल सोफे पर सोती हुई सुंदर बिल्ली क्षत्रिय',
  Thai: 'แมวน้อยนอนหลับอยู่บนโซฟาสีแดง',
  emoji: '🐱🛋️ 👩‍🚀🚀 👍🏽 😀',
}

it.each(Object.entries(lines))('a line of %s stays within its measured width', async (_, line) => {
  await registerFonts()
  const content = printable(line)
  const size = 40
  const wide = Math.ceil(textWidth(content) * size)
  const [width, height, left] = [wide + 200, 100, 100]
  const drawn = text(content, { x: left, right: left + wide, y: 62, size })
  const alpha = await svgPicture(drawn, { width, height }).extractChannel('alpha').raw().toBuffer()
  const columns = [...alpha.keys()].filter(at => (alpha[at] ?? 0) > 40).map(at => at % width)
  const [first, last] = columns.reduce(([a, b], x) => [Math.min(a, x), Math.max(b, x)], [width, 0])
  // Round shapes and slanted ones reach over their own width by a hair.
  expect(first).toBeGreaterThanOrEqual(left - 4)
  expect(last).toBeLessThanOrEqual(left + wide + 4)
  expect(last - first).toBeGreaterThan(wide * 0.5)
})

const recipe = pictureRecipe({ width: 640, height: 640, seed: 3, prompt: Object.values(lines).join('\n') })

it('a picture with all scripts has the same bytes with any system fonts', async () => {
  const drawn = await Promise.all([
    drawnWith({}),
    drawnWith({ FONTCONFIG_FILE: '/nowhere/fonts.conf', FONTCONFIG_PATH: '/nowhere' }),
  ])
  expect(drawn[0]?.equals(drawn[1] ?? Buffer.alloc(0))).toBe(true)
})

it('a picture with all scripts has the same bytes after other pictures were drawn', async () => {
  const folder = ownFolder('scripts')
  const worker = startWorker()
  onTestFinished(() => worker.kill())
  const draw = async (name: string, what: DrawnRecipe) => {
    const file = join(folder, name)
    await worker.run({ kind: 'render', recipe: what, file, kept: folder })
    return readFileSync(file)
  }
  // The frame that cannot be read is replaced by a drawing without text, before the fonts are registered.
  const unread = videoRecipe({ firstFrame: 'a1'.repeat(32), frames: 25 })
  await draw('last.png', { kind: 'last_frame', of: unread })
  await draw('latin.png', { ...recipe, prompt: 'a cat' })
  expect((await draw('after.png', recipe)).equals(await drawnWith({}))).toBe(true)
})

async function drawnWith(environment: Record<string, string>): Promise<Buffer> {
  const folder = ownFolder('scripts')
  const before = { ...process.env }
  Object.assign(process.env, environment)
  const worker = startWorker()
  for (const name of Object.keys(environment)) {
    if (before[name] === undefined) delete process.env[name]
    else process.env[name] = before[name]
  }
  onTestFinished(() => worker.kill())
  const file = join(folder, 'picture.png')
  await worker.run({ kind: 'render', recipe, file, kept: folder })
  return readFileSync(file)
}
