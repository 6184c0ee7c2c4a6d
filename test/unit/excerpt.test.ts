import { describe, expect, it } from 'vitest'
import { unreadKeys } from '../../src/emulator/http/fields.ts'
import type { Schema } from '../../src/emulator/http/validate.ts'
import { keptRequest, keptText } from '../../src/emulator/worlds/digest.ts'
import { excerpt } from '../../src/emulator/worlds/excerpt.ts'

describe('the beginning of a text', () => {
  it.each([
    ['abc', 3, 'abc'],
    ['abc', 2, 'ab'],
    ['a🎬b', 2, 'a'],
    ['a🎬b', 3, 'a🎬'],
    ['', 5, ''],
    ['日本語', 2, '日本'],
  ])('of %j up to %i is %j, and no character is cut in half', (text, most, wanted) => {
    expect(excerpt(text, most)).toBe(wanted)
  })
})

it('a task keeps 20,000 characters of a long text and its length (A-long-texts)', () => {
  const words = 'words and '.repeat(200_000)
  const kept = JSON.parse(keptRequest({ content: [{ type: 'text', text: words }] }))
  expect(kept.content[0].text).toBe(`${words.slice(0, 20_000)}…(2000000 characters)`)
})

it('the journal cuts a long body at 64 KiB', () => {
  const kept = keptText(JSON.stringify({ text: 'words and '.repeat(10_000) })) ?? ''
  expect(kept).toHaveLength(64 * 1024 + 1)
})

it('a task lists 100 unknown keys, each with at most 200 characters (A-unknown-keys)', () => {
  const schema: Schema = {
    type: 'object',
    properties: { list: { type: 'array', items: { type: 'object', properties: {} } } },
  }
  const many = Object.fromEntries(Array.from({ length: 150 }, (_, i) => [`key${i}`, i]))
  expect(unreadKeys(schema, many)).toHaveLength(100)
  expect(unreadKeys(schema, { list: Array.from({ length: 150 }, () => ({ odd: 1 })) })).toHaveLength(100)
  expect(unreadKeys(schema, { ['x'.repeat(500)]: 1, list: [{ odd: 1 }] })).toEqual([
    'x'.repeat(200),
    'list[0].odd',
  ])
})
