import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { duration } from '../../src/console/copies/effects.ts'
import { copyAs, isWhole } from '../../src/console/parts/copy-as.ts'
import { blank, itemOf, mediaKind, offers, withAt } from '../../src/console/playground/body.ts'
import { fitted, place, ticks } from '../../src/console/tasks/time-scale.ts'
import { entryView } from '../../src/emulator/control/journal/entry-view.ts'
import { parseDuration } from '../../src/emulator/worlds/clock.ts'
import { keptText } from '../../src/emulator/worlds/digest.ts'
import type { World } from '../../src/emulator/worlds/world.ts'
import { entryWith } from '../support/bare-entry.ts'
import { root } from '../support/fresh-build.ts'

const call = {
  method: 'POST',
  url: 'http://127.0.0.1:8585/x',
  key: 'sk-emulator',
  body: { text: "it's", on: true, none: null },
}

it('quotes a quote inside a request for the shell', () => {
  expect(copyAs('curl', call)).toContain(`"text": "it'\\''s"`)
})

it('writes true, false and null as Python does, but not inside strings', () => {
  const python = copyAs('python', {
    ...call,
    body: { a: true, b: null, c: 'true and null', d: 'say "false"' },
  })
  expect(python).toContain('"a": True')
  expect(python).toContain('"b": None')
  expect(python).toContain('"c": "true and null"')
  expect(python).toContain('"d": "say \\"false\\""')
})

it('changes and removes values at any depth without changing the original', () => {
  const body = { content: [{ text: 'a' }, { text: 'b' }] }
  expect(withAt(body, ['content', 1, 'text'], 'c')).toEqual({ content: [{ text: 'a' }, { text: 'c' }] })
  expect(withAt(body, ['content', 0], undefined)).toEqual({ content: [{ text: 'b' }] })
  expect(withAt({}, ['a', 'b'], 1)).toEqual({ a: { b: 1 } })
  expect(body.content).toHaveLength(2)
})

it('a new form has the required values and nothing else', () => {
  const schema = {
    type: 'object',
    required: ['model', 'duration'],
    properties: {
      model: { type: 'string' },
      duration: { type: 'integer', minimum: 4 },
      seed: { type: 'integer' },
    },
  }
  expect(blank(schema)).toEqual({ model: '', duration: 4 })
})

it('offers the values that a schema lists, and reads none out of its description', () => {
  expect(offers({ 'x-values': ['text', 'image_url'], description: 'prompt or file' })).toEqual([
    'text',
    'image_url',
  ])
  expect(offers({ enum: [1, 2] })).toEqual(['1', '2'])
  expect(offers({ description: 'text, image_url, video_url or audio_url.' })).toEqual([])
})

it('makes a new item of a list with its type', () => {
  const items = {
    type: 'object',
    properties: {
      type: {},
      text: { type: 'string' },
      image_url: { type: 'object', required: ['url'], properties: { url: { type: 'string' } } },
    },
  }
  expect(itemOf(items, 'image_url')).toEqual({ type: 'image_url', image_url: { url: '' } })
  expect(
    itemOf({ type: 'object', properties: { type: {}, url: { type: 'string' } } }, 'first_frame'),
  ).toEqual({ type: 'first_frame', url: '' })
})

it.each([
  [['content', 'image_url', 'url'], 'image'],
  [['media', 'reference_video', 'url'], 'video'],
  [['sound_file'], 'audio'],
  [['contents', 'url'], 'any'],
  [['callback'], undefined],
])('finds the kind of file that %j takes', (names, kind) => {
  expect(mediaKind(names)).toBe(kind)
})

it('writes durations as the scenario language does', () => {
  const lengths = [0, 250, 91_000, 3_600_500]
  expect(lengths.map(duration)).toEqual(['0s', '250ms', '1m31s', '1h500ms'])
  expect(lengths.map(duration).map(parseDuration)).toEqual(lengths)
})

const lived = (...moments: number[]) => ({
  states: moments.map(at_ms => ({ at_ms, state: 'queued' as const, word: '' })),
})

it('fits the time line to the visible tasks, also when one of them can wait for days', () => {
  const at = 1_000_000_000
  const window = fitted(
    [lived(at - 60_000, at - 50_000, at + 20_000), lived(at - 30_000, at - 20_000, at + 172_800_000)],
    at,
  )
  expect(window.from).toBeLessThanOrEqual(at - 60_000)
  expect(window.to).toBeGreaterThan(at + 20_000)
  expect(window.to - window.from).toBeLessThan(300_000)
  expect(place(window.from, window)).toBe(0)
  expect(place(window.to, window)).toBe(100)
})

it('puts round moments on the axis, about as many as requested', () => {
  const marks = ticks({ from: 60_500, to: 180_500 }, 6)
  expect(marks.length).toBeGreaterThanOrEqual(3)
  expect(marks.length).toBeLessThanOrEqual(7)
  expect(marks.every(mark => mark % 1000 === 0)).toBe(true)
})

it('knows whether the journal has the complete body of a request', () => {
  const picture = `data:image/png;base64,${'A'.repeat(4000)}`
  const kept = (body: string) =>
    entryView({ id: 'w' } as World, { id: 1, bytes: 0, ...entryWith({ requestBody: keptText(body) }) })
  expect(isWhole(kept('{"prompt":"a cat (3 characters)"}').request.body)).toBe(true)
  expect(isWhole(kept(JSON.stringify({ image: picture })).request.body)).toBe(false)
  expect(isWhole(kept(JSON.stringify({ prompt: 'é'.repeat(70_000) })).request.body)).toBe(false)
  expect(isWhole(kept('{').request.body)).toBe(false)
  expect(isWhole(kept('').request.body)).toBe(true)
})

it('uses only four sizes and three weights of text', () => {
  const folder = join(root, 'src/console')
  const sheets = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(name =>
    name.endsWith('.css'),
  )
  const strays = sheets.flatMap(name => {
    const text = readFileSync(join(folder, name), 'utf8')
    const own = [...text.matchAll(/font(?:-size|-weight)?: [^;]+;/g)].map(([rule]) => rule)
    return own.filter(rule => !/var\(--|inherit|font-size: 0;/.test(rule)).map(rule => `${name}: ${rule}`)
  })
  expect(sheets.length).toBeGreaterThan(10)
  expect(strays).toEqual([])
  const tokens = readFileSync(join(root, 'fixtures/report/tokens.css'), 'utf8')
  const values = (form: RegExp) => new Set([...tokens.matchAll(form)].map(([, value]) => value)).size
  expect([values(/--text-\w+: (\d+px);/g), values(/: ([1-9]00);/g)]).toEqual([4, 3])
})
