import { Ajv } from 'ajv'
import { describe, expect, it } from 'vitest'
import { makeAjv } from '../../src/http/ajv.ts'

/** A letter, a sign of two bytes, one of two UTF-16 units, and both halves of it alone. */
const signs = ['a', 'é', '😀', '\ud83d', '\ude00']

/** All texts of up to five signs, and the empty one. */
function texts(): string[] {
  let longest = ['']
  const all = ['']
  for (let length = 1; length <= 5; length++) {
    longest = longest.flatMap(text => signs.map(sign => text + sign))
    all.push(...longest)
  }
  return all
}

describe('the length of a text is checked as ajv does, without counting long texts', () => {
  const all = texts()

  it.each([0, 1, 2, 3, 4, 6, 12])('minLength and maxLength %i', limit => {
    for (const keyword of ['minLength', 'maxLength'] as const) {
      const schema = { type: 'string', [keyword]: limit } as const
      const [ours, known] = [makeAjv().compile(schema), new Ajv().compile(schema)]
      const wrong = all.filter(text => ours(text) !== known(text))
      expect(wrong, keyword).toEqual([])
    }
  })

  it.each([
    ['minLength', 3, 'ab'],
    ['minLength', 1, ''],
    ['maxLength', 1, '😀😀'],
  ])('an error of %s %i is worded as by ajv, and comes before one of the pattern', (keyword, limit, text) => {
    const schema = { type: 'string', [keyword]: limit, pattern: '^never$' }
    const [ours, known] = [makeAjv().compile(schema), new Ajv().compile(schema)]
    expect([ours(text), known(text)]).toEqual([false, false])
    expect(ours.errors).toMatchObject(known.errors ?? [])
    expect(ours.errors).toHaveLength(1)
  })

  it('a text that is much too long is refused', () => {
    const validate = makeAjv().compile({ type: 'string', maxLength: 2 })
    expect(validate('a'.repeat(1_000_000))).toBe(false)
  })
})
