import { describe, expect, it } from 'vitest'
import {
  type Model,
  models,
  type Resolution,
  resolutions,
} from '../../src/emulator/families/a-contents/models.ts'
import { factsOfFamily } from '../../src/emulator/families/facts.ts'
import type { FamilyFacts } from '../../src/emulator/families/family.ts'
import { misfit, type Schema } from '../../src/emulator/http/validate.ts'
import { operationsMatching } from '../../src/emulator/scenarios/operations.ts'
import { refusals } from '../../src/emulator/scenarios/refusals.ts'
import { assumptions } from '../../src/evidence/spec/assumptions.ts'
import { specFamilies } from '../../src/evidence/spec/observation.ts'
import { any4xx } from '../../src/evidence/spec/predicates.ts'
import { statements } from '../../src/evidence/spec/statements/index.ts'
import { rows } from '../support/contract.ts'

const predicates = statements.flatMap(({ id, seen = {} }) =>
  specFamilies.flatMap(family => (seen[family] ?? []).map(predicate => ({ id, predicate }))),
)
const asks = predicates.flatMap(({ id, predicate }) =>
  predicate.kind === 'asks'
    ? Object.entries(predicate.fields).map(([field, form]) => ({ id, predicate, field, form }))
    : [],
)
const sorted = (some: readonly number[]) => [...new Set(some)].sort()

describe('the rows of the specification keep numbers of their own, and the facts of the emulator are the same', () => {
  const declared = predicates.flatMap(({ id, predicate }) =>
    predicate.kind === 'declared' ? [[id, predicate] as const] : [],
  )

  it.each(declared)('%s: the statuses of refusals', (_, { operations, statuses, others }) => {
    const lines = operationsMatching(`${operations}*`).flatMap(operation => refusals[operation])
    const own = lines.filter(({ by }) => by === 'own')
    if (statuses === any4xx) {
      expect(own.length).toBeGreaterThan(5)
      for (const { wholeClass } of own) expect(wholeClass).toBe('4XX')
      return
    }
    expect(sorted(own.flatMap(line => line.statuses))).toEqual(statuses)
    const made = lines.filter(({ by, source }) => by === 'every' || source === 'A-body')
    const rest = made.flatMap(line => line.statuses).filter(status => !statuses.includes(status))
    expect(sorted(rest)).toEqual(others)
  })

  it.each(['a', 'b', 'c', 'special', 'k'] as const)('%s: the words of states', family => {
    const rows = statements.flatMap(({ seen = {} }) => seen[family] ?? [])
    const told = rows.flatMap(row =>
      row.kind === 'fields' && !row.view.endsWith('.delete') ? Object.entries(row.fields) : [],
    )
    const listed = told.flatMap(([path, { values }]) =>
      /(?:^|[._])status$/.test(path) ? (values ?? []) : [],
    )
    const { words, wordsOfKinds = {}, unknownWord } = factsOfFamily(family) as FamilyFacts
    const own = [words, ...Object.values(wordsOfKinds)].flatMap(some => Object.values(some))
    expect([...new Set(listed)].sort()).toEqual(
      [...new Set([...own, ...(unknownWord === undefined ? [] : [unknownWord])])].sort(),
    )
  })

  const candidates = {
    duration: Array.from({ length: 40 }, (_, second) => second - 2),
    resolution: resolutions,
    output_format: ['mp4', 'mov'],
  }
  const taken = (model: Model): Record<string, (value: unknown) => boolean> => ({
    duration: value =>
      value === -1 || (Number(value) >= model.shortestSeconds && Number(value) <= model.longestSeconds),
    resolution: value => model.resolutions.includes(value as Resolution),
    output_format: value => model.formats.includes(value as 'mp4'),
  })
  const pairs = Object.entries(models).flatMap(([id, model]) =>
    Object.entries(candidates).map(([field, values]) => [id, field, model, values] as const),
  )

  it.each(pairs)('a.create with %s: the values of %s', (id, field, model, values) => {
    const plain = { model: id, content: [{ type: 'text', text: 'a kite' }] }
    const own = asks.filter(
      row =>
        row.predicate.operation === 'a.create' &&
        row.field === field &&
        (row.predicate.given?.holds(plain) ?? true),
    )
    expect(own.length).toBeGreaterThan(0)
    const said = values.filter(value => own.every(({ form }) => form.has(value)))
    expect(said).toEqual(values.filter(value => taken(model)[field]?.(value)))
  })

  /** Rows of a list or a range that hold for every request, with the schema by which the emulator checks the field. */
  const checked = asks.flatMap(({ id, predicate: { operation, given }, field, form }) => {
    const schema = given ? undefined : schemaOf(operation, field)
    const isClosed = form.values !== undefined || form.parts?.below !== undefined
    return schema && isClosed ? [[id, field, form, schema] as const] : []
  })

  it.each(checked)('%s: the values that the emulator takes for %s', (_, __, form, schema) => {
    const { enum: listed = [], minimum, maximum } = schema
    const ends = [minimum, maximum].flatMap(end => (end === undefined ? [] : [end - 1, end, end + 1]))
    const tried = [
      ...listed,
      ...ends,
      ...(form.values ?? []),
      ...form.bad.filter(bad => typeof bad !== 'function'),
    ]
    expect(tried.length).toBeGreaterThan(1)
    const isTaken = (value: unknown) => misfit(schema, value) === undefined
    expect(tried.filter(value => form.has(value))).toEqual(tried.filter(isTaken))
  })

  /** What the specification leaves open, with the assumption that decides it. */
  const assumed: Record<string, string> = {
    'a.create priority': 'A-flags',
    'a.create safety_identifier': 'A-flags',
    'a.list page_num': 'A-list',
    'a.list page_size': 'A-list',
    'a.list filter.status': 'A-list',
    'b.list status': 'B-list',
    'b.list page_no': 'B-list',
    'b.list page_size': 'B-list',
    'c.create ratio': 'C-ratio',
    'c.create resolution': 'C-required',
    'c.enhance ratio': 'C-ratio',
    'c.regenerate source_task_id': 'C-regeneration',
    'k.avatar.create image': 'K-avatar',
    'k.avatar.create prompt': 'K-avatar',
    'k.voice.create voice_name': 'K-voice',
    'special.enhance ratio': 'C-ratio',
    'special.regenerate source_task_id': 'C-regeneration',
    'k.motion.create contents': 'K-beyond',
    'k.omni.create contents': 'K-beyond',
    'k.presets.list pageNum': 'K-presets',
    'k.presets.list pageSize': 'K-presets',
  }

  it('every field whose values the emulator limits has a row or an assumption', () => {
    const rowsOf = new Set(asks.map(({ predicate, field }) => `${predicate.operation} ${field}`))
    const limited = rows.flatMap(({ title, endpoint: { body, query } }) =>
      Object.entries({ ...body?.properties, ...query?.properties }).flatMap(([field, schema]) =>
        isLimited(schema as Checked) ? `${title} ${field}` : [],
      ),
    )
    expect(limited.length).toBeGreaterThan(60)
    expect(limited.filter(field => !rowsOf.has(field)).sort()).toEqual(Object.keys(assumed).sort())
    const known = assumptions().map(({ id }) => id)
    expect(known).toEqual(expect.arrayContaining(Object.values(assumed)))
  })

  it('many rows have such values, and their sentences the same ends', () => {
    expect(declared.length).toBeGreaterThan(5)
    expect(checked.length).toBeGreaterThan(12)
    const numbers = (text: string) => text.match(/-?\d+/g) ?? []
    const says = new Map(statements.map(row => [row.id, numbers(row.says)]))
    const ranges = asks.filter(({ form }) => form.parts?.below)
    expect(ranges.length).toBeGreaterThan(7)
    for (const { id, form } of ranges)
      expect(says.get(id), id).toEqual(expect.arrayContaining(numbers(form.called)))
  })
})

interface Checked extends Schema {
  enum?: readonly unknown[]
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  minItems?: number
}

function isLimited({ enum: listed, minimum, maximum, minLength, maxLength, minItems }: Checked): boolean {
  return (listed ?? minimum ?? maximum ?? minLength ?? maxLength ?? minItems) !== undefined
}

function schemaOf(operation: string, field: string): Checked | undefined {
  const { body, query } = rows.find(({ title }) => title === operation)?.endpoint ?? {}
  const properties = { ...body?.properties, ...query?.properties } as Record<string, Checked>
  const { enum: listed, minimum, maximum } = properties[field] ?? {}
  return (listed ?? minimum ?? maximum) ? properties[field] : undefined
}
