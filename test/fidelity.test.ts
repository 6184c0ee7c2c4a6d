import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { confirmations } from '../src/assumptions/confirmations.ts'
import { assumptions, type Source } from '../src/assumptions/index.ts'
import { sections } from '../src/contract/sections.ts'
import { statements } from '../src/contract/statements/index.ts'
import { rules } from '../src/selfcheck/rules/index.ts'
import { namedRules } from '../src/selfcheck/shown-statements.ts'
import { fidelityFile, fidelityTable } from './support/fidelity.ts'
import { assumedBy } from './support/statement-links/assumed.ts'
import { links } from './support/statement-links/index.ts'
import { unshown } from './support/statement-table.ts'
import { testNamesOf } from './support/test-names.ts'

const known = new Set(statements.map(({ id }) => id))

describe('the fidelity table', () => {
  it('follows from the statements, links, rules, assumptions and scenarios; `npm run fidelity` writes it', () => {
    const isFresh = readFileSync(fidelityFile, 'utf8') === fidelityTable()
    expect(isFresh, 'fixtures/fidelity.md is stale: run `npm run fidelity`').toBe(true)
  })
})

describe('tests and statements', () => {
  it('every statement has a test that shows it; test/support/statement-links names them', () => {
    expect(unshown).toEqual([])
  })

  it('every link has a statement and a test that exist', () => {
    const names = Object.fromEntries(
      [...new Set(links.map(({ file }) => file))].map(file => [file, testNamesOf(file)]),
    )
    const broken = links.filter(
      ({ id, file, part }) =>
        !known.has(id) || part === '' || !names[file]?.some(name => name.includes(part)),
    )
    expect(broken).toEqual([])
  })

  it('every rule of selfcheck that is said to show a statement exists, and so does the statement', () => {
    const names = rules.flatMap(({ id }) => [id, id.replace(/^[^.]+/, '*')])
    expect(namedRules.filter(name => !names.includes(name))).toEqual([])
    expect(rules.flatMap(({ shows }) => shows ?? []).filter(id => !known.has(id))).toEqual([])
  })

  it('every statement that an assumption completes names a row of the table', () => {
    const rows = assumptions.map(({ id }) => id)
    expect(Object.entries(assumedBy).filter(([id, row]) => !known.has(id) || !rows.includes(row))).toEqual([])
  })
})

describe('the statements of the specification', () => {
  it('have an id of their own and a sentence', () => {
    expect(statements.length).toBeGreaterThan(230)
    expect(new Set(statements.map(({ id }) => id)).size).toBe(statements.length)
    for (const { id, family, says } of statements) {
      expect(id).toMatch(new RegExp(`^${family}\\.[a-z0-9.-]+$`))
      expect(says, id).toMatch(/^\S.{9,}[.]$/)
    }
  })

  it('come from every section', () => {
    expect(sections.filter(section => !statements.some(row => row.section === section))).toEqual([])
  })
})

describe('the table of assumptions', () => {
  it('gives each question an id of its own and every part of a row', () => {
    expect(assumptions.length).toBeGreaterThan(80)
    expect(new Set(assumptions.map(({ id }) => id)).size).toBe(assumptions.length)
    for (const { id, question, answer, reason, source, certainty, confirmed } of assumptions) {
      for (const text of [question, answer, reason]) expect(text.trim().length, id).toBeGreaterThan(2)
      expect(question, id).toMatch(/\?$/)
      expect(foundation(source).trim().length, id).toBeGreaterThan(10)
      expect(['high', 'medium', 'low'], id).toContain(certainty)
      expect(confirmed === null || !Number.isNaN(Date.parse(confirmed.at)), id).toBe(true)
    }
  })

  it('has the rows of a family in that family’s file', () => {
    for (const scope of ['all', 'a', 'b', 'c', 'k', 'image'])
      expect(assumptions.filter(row => row.scope === scope).length, scope).toBeGreaterThan(5)
  })

  it('confirms only rows that exist', () => {
    const ids = [...assumptions, ...statements].map(({ id }) => id)
    expect(Object.keys(confirmations).filter(id => !ids.includes(id))).toEqual([])
  })
})

function foundation(source: Source): string {
  switch (source.kind) {
    case 'specification':
      return source.says
    case 'upstream':
      return source.fact
    case 'guess':
      return source.because
  }
}
