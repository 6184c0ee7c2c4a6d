import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { assumptions } from '../src/assumptions/index.ts'
import { citingTests, fidelityFile, fidelityTable } from './support/fidelity.ts'

describe('the fidelity table', () => {
  it('is that of the present tests, rules, assumptions and scenarios; `npm run fidelity` writes it', () => {
    const isFresh = readFileSync(fidelityFile, 'utf8') === fidelityTable()
    expect(isFresh, 'fixtures/fidelity.md is stale: run `npm run fidelity`').toBe(true)
  })

  it('has tests that cite the specification, for every family', () => {
    const files = citingTests().map(({ file }) => file)
    for (const family of ['a-', 'b-', 'c-', 'k-', 'images-'])
      expect(files.filter(file => file.includes(`api/${family}`)).length, family).toBeGreaterThan(4)
  })
})

describe('the table of assumptions', () => {
  it('gives each question an id of its own, an answer and a reason', () => {
    expect(new Set(assumptions.map(({ id }) => id)).size).toBe(assumptions.length)
    for (const { id, question, answer, reason } of assumptions)
      for (const text of [question, answer, reason]) expect(text.trim().length, id).toBeGreaterThan(2)
  })
})
