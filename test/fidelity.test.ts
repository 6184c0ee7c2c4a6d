import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { fidelityFile, fidelityTable } from '../build/guide/fidelity.ts'
import { unknownIds, unshown } from '../build/guide/statement-table.ts'
import { fixturePath } from '../src/emulator/package/files.ts'
import {
  confirmations,
  assumptions as readAssumptions,
  type Source,
  seenById,
} from '../src/evidence/spec/assumptions.ts'
import { sections } from '../src/evidence/spec/statement.ts'
import { statements } from '../src/evidence/spec/statements/index.ts'

const assumptions = readAssumptions()

describe('the fidelity table', () => {
  it('follows from the statements, links, rules, assumptions and scenarios; `npm run fidelity` writes it', () => {
    const isFresh = readFileSync(fidelityFile, 'utf8') === fidelityTable()
    expect(isFresh, 'docs/fidelity.md is stale: run `npm run fidelity`').toBe(true)
  })
})

describe('tests and statements', () => {
  it('every statement has a test that calls `shows` with its id', () => {
    expect(unshown).toEqual([])
  })

  it('every call of `shows` names a statement', () => {
    expect(unknownIds).toEqual([])
  })

  it('every statement that an assumption completes names a row of the table', () => {
    const rows = assumptions.map(({ id }) => id)
    expect(statements.filter(({ assumed }) => assumed !== undefined && !rows.includes(assumed))).toEqual([])
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

  it('has no columns but those that are read, and one source', () => {
    const sources = ['documented', 'client', 'measured', 'inferred', 'guess', 'section']
    const columns = [
      'scope',
      'question',
      'answer',
      'reason',
      'certainty',
      'says',
      'claims',
      'completes',
      'statuses',
    ]
    const folder = fixturePath('assumptions')
    const stored = readdirSync(folder).flatMap(name =>
      Object.entries<object>(parse(readFileSync(join(folder, name), 'utf8'))),
    )
    expect(stored.length).toBe(assumptions.length)
    for (const [id, row] of stored) {
      const names = Object.keys(row)
      expect(
        names.filter(name => ![...columns, ...sources].includes(name)),
        id,
      ).toEqual([])
      expect(names.filter(name => sources.includes(name)).length, id).toBe(1)
    }
    for (const { source } of assumptions)
      if (source.kind === 'specification') expect(sections).toContain(source.section)
  })

  it('has every row of which the code says how it is seen', () => {
    const ids = assumptions.map(({ id }) => id)
    expect(Object.keys(seenById).filter(id => !ids.includes(id))).toEqual([])
  })

  it('has the rows of a family in that family’s file', () => {
    for (const scope of ['a', 'b', 'c', 'k', 'image']) {
      const own = assumptions.filter(row => row.scope === scope).map(({ id }) => id)
      const file = parse(readFileSync(fixturePath(`assumptions/${scope}.yaml`), 'utf8'))
      expect(own.length, scope).toBeGreaterThan(5)
      expect(Object.keys(file), scope).toEqual(expect.arrayContaining(own))
    }
  })

  it('confirms only rows that exist', () => {
    const ids = [...assumptions, ...statements].map(({ id }) => id)
    expect(Object.keys(confirmations()).filter(id => !ids.includes(id))).toEqual([])
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
