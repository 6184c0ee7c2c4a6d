import { describe, expect, it } from 'vitest'
import { hostileTexts, mutationsOf, wholeBodies } from '../../build/torture/mutations.ts'
import { controlEndpoints } from '../../src/emulator/control/endpoints.ts'
import { isSurelyValid, misfit, type Schema } from '../../src/emulator/http/validate.ts'
import { deepestJson, isNestedDeeper } from '../../src/emulator/worlds/json-depth.ts'
import { creating, examplesOf, type Row, rows } from '../support/contract.ts'
import { parsed } from '../support/seen-exchanges.ts'

/** What ajv says: replies are checked by ajv alone. */
const isValid = (schema: Schema, value: unknown) => misfit(schema, value) === undefined

const here = { url: 'http://127.0.0.1:8585' }
/** The values of JSON texts, as far as the gateway reads them. */
const valuesOf = (texts: Iterable<string>) => {
  const shallow = [...texts].filter(text => !isNestedDeeper(text, deepestJson))
  return shallow.map(parsed).filter(value => value !== undefined)
}
const examples = ({ title }: Row) => examplesOf(title, here).map(({ body }) => body)

/** A letter, a sign of two bytes, one of two UTF-16 units, and both halves of it alone. */
const signs = ['a', 'é', '😀', '\ud83d', '\ude00']
const pairs = signs.flatMap(one => signs.map(other => one + other))
const texts = ['', ...signs, ...pairs, ...pairs.flatMap(one => pairs.map(other => one + other))]
const values: unknown[] = [
  ...[...texts, ...valuesOf(hostileTexts)],
  ...[['a', 1], [1, 2, 3], [[1], ['a']], { a: 1 }, { a: 'a' }, { b: 1 }, { a: { a: 1 }, b: 'a', c: null }],
]

/** Schemas with the keywords of the table, also beside each other. */
const schemas: Schema[] =
  // biome-ignore format: a table, one row a line
  [
  ...(['string', 'number', 'integer', 'boolean', 'null', 'array', 'object'] as const).map(type => ({ type })),
  ...[{ type: ['string', 'null'] }, { type: ['integer', 'array'], minimum: 1, minItems: 1 }],
  ...[{ enum: ['a', 1, null, true] }, { enum: [0] }, { const: 'a' }, { const: 0 }, { const: null }],
  ...[{ minimum: 1 }, { maximum: 1 }, { type: 'number', minimum: -1, maximum: 1e9 }],
  ...[0, 1, 2, 3, 4].flatMap(limit => [{ minLength: limit }, { maxLength: limit }]),
  ...[{ pattern: '^a' }, { type: 'string', pattern: '^.$' }, { minItems: 2 }, { maxItems: 1 }],
  ...[{ items: { type: 'integer' } }, { items: { items: { type: 'string' } } }],
  ...[{ minProperties: 1 }, { maxProperties: 1 }, { required: ['a'] }, { required: ['toString'] }],
  ...[{ properties: { a: { type: 'integer' }, b: { type: 'string' } } }],
  ...[{ properties: { a: {} }, additionalProperties: false }, { additionalProperties: { type: 'integer' } }],
  { type: 'object', properties: { a: {} }, required: ['b'], additionalProperties: { type: ['string', 'null'] } },
  { anyOf: [{ type: 'string', maxLength: 1 }, { type: 'object', required: ['a'] }] },
  { title: 'A value', description: 'Any value', default: 1, examples: ['a'] },
] as Schema[]

describe('a value that is called valid without ajv', () => {
  it('is valid for ajv, by each keyword and for values of each type', () => {
    expect(values.length).toBeGreaterThan(700)
    for (const schema of schemas) {
      const sure = values.filter(value => isSurelyValid(schema, value))
      expect(sure.length, JSON.stringify(schema)).toBeGreaterThan(0)
      expect(
        sure.filter(value => !isValid(schema, value)),
        JSON.stringify(schema),
      ).toEqual([])
    }
  })

  it('is every value that ajv calls valid, but for texts whose characters must be counted', () => {
    for (const schema of schemas) {
      const missed = values.filter(value => isValid(schema, value) && !isSurelyValid(schema, value))
      const unclear = missed.filter(
        value => typeof value !== 'string' || !/minLength|maxLength/.test(JSON.stringify(schema)),
      )
      expect(unclear, JSON.stringify(schema)).toEqual([])
    }
  })

  it.each<object>([
    { type: 'string', format: 'uri' },
    { type: 'array', minItems: 1, items: { type: 'string', format: 'uri' } },
    { type: 'array', minItems: 1, items: [{ type: 'string' }] },
    { oneOf: [{ type: 'string' }, { type: 'null' }] },
    { not: {} },
    { type: 'object', required: ['a'], properties: { a: false } },
    { enum: [['a'], {}] },
    { const: {} },
    { toString: 1 },
  ])('is never one that a keyword which the table lacks must decide about: %j', schema => {
    expect(values.filter(value => isSurelyValid(schema, value))).toEqual([])
  })
})

describe('requests are checked without ajv', () => {
  it.each(creating)('$title: each shipped example', row => {
    const bodies = examples(row)
    expect(bodies.length).toBeGreaterThan(0)
    for (const body of bodies) expect(isSurelyValid(row.endpoint.body ?? {}, body)).toBe(true)
  })

  it.each(creating)('$title: a body with a mistake is called valid by ajv, too', row => {
    const schema = row.endpoint.body ?? {}
    const bodies = examples(row).flatMap(body => [...mutationsOf(schema, body)])
    let seen = 0
    for (const body of valuesOf([...bodies, ...wholeBodies].map(mutation => mutation.body))) {
      seen++
      const isRight = isValid(schema, body)
      expect(isSurelyValid(schema, body) && !isRight, JSON.stringify(body)?.slice(0, 500)).toBe(false)
    }
    expect(seen).toBeGreaterThan(1000)
  })

  it('every query that has no value, and the empty body of a control call that needs no key', () => {
    const queries = rows.flatMap(({ endpoint }) => endpoint.query ?? [])
    const bodies = controlEndpoints.flatMap(({ body }) =>
      body && !body.required && isValid(body, {}) ? [body] : [],
    )
    expect(queries.length).toBeGreaterThan(5)
    expect(bodies.length).toBeGreaterThan(5)
    for (const schema of [...queries, ...bodies])
      expect(isSurelyValid(schema, {}), JSON.stringify(schema)).toBe(true)
  })
})
