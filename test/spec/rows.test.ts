import { describe, expect, it } from 'vitest'
import { families } from '../../src/emulator/families/index.ts'
import { answers } from '../../src/evidence/spec/assumptions.ts'
import { judge, partsOf } from '../../src/evidence/spec/judge.ts'
import { isWordFor, namedBy, specFamilies } from '../../src/evidence/spec/observation.ts'
import { statements } from '../../src/evidence/spec/statements/index.ts'
import { examplesOf } from '../support/row-examples.ts'

/** What `agrees` with a record is shown by the changed recordings of `test/recordings/changes.test.ts`. */
const seen = [...statements, ...answers()].flatMap(({ id, seen: byFamily = {} }) =>
  specFamilies.flatMap(family =>
    (byFamily[family] ?? []).flatMap((predicate, index) =>
      predicate.kind === 'agrees'
        ? []
        : [[`${id} in ${family}, ${index + 1}`, { id, family, predicate }] as const],
    ),
  ),
)

describe('a row is confirmed and contradicted by its own predicate only', () => {
  it('most rows are seen in replies', () => {
    expect(new Set(seen.map(([, { id }]) => id)).size).toBeGreaterThan(220)
  })

  const kindsIn = (family: string) =>
    new Set(seen.flatMap(([, row]) => (row.family === family ? [row.predicate.kind] : [])))

  it.each(specFamilies.flatMap(family => [...kindsIn(family)].map(kind => [family, kind] as const)))(
    '%s, rows of the kind %s: replies with values of its form confirm each, others contradict it (facts.test.ts tries the numbers)',
    (of, kind) => {
      for (const [name, { id, family, predicate }] of seen) {
        if (family !== of || predicate.kind !== kind) continue
        const { confirms, contradicts } = examplesOf(id, family, predicate)
        expect(confirms.length, name).toBeGreaterThan(0)
        if (predicate.kind !== 'expires') expect(contradicts.length, name).toBeGreaterThan(0)
        for (const observed of confirms) {
          const judged = judge(id, predicate, observed)
          expect(judged.length, `${name}: ${JSON.stringify(observed)}`).toBeGreaterThan(0)
          expect(
            judged.filter(({ holds }) => !holds),
            `${name}: ${JSON.stringify(observed)}`,
          ).toEqual([])
        }
        const shown = confirms.flatMap(observed =>
          judge(id, predicate, observed).flatMap(({ shows }) => shows),
        )
        expect([...new Set(shown)].sort(), `${name}: together they show every part`).toEqual(
          partsOf(predicate).sort(),
        )
        for (const observed of contradicts)
          expect(
            judge(id, predicate, observed).some(({ holds }) => !holds),
            `${name}: ${JSON.stringify(observed)}`,
          ).toBe(true)
      }
    },
  )

  it('a row that demands the status 200 says so (one deviation contradicts no other row)', () => {
    const silent = seen.filter(([, { predicate }]) => predicate.kind === 'fields' && predicate.isWhole)
    expect(silent.length).toBeGreaterThan(10)
    const says = new Map(statements.map(one => [one.id, one.says]))
    expect(silent.filter(([, { id }]) => !says.get(id)?.includes('200'))).toEqual([])
  })

  it.each([
    ['C-errors', 'c', 'c.get', { task: { status: 'failed', error: { code: 'text:15' } } }],
    ['C-errors', 'c', 'c.get', { task: { status: 'failed', error: { code: null } } }],
    ['image.reply.b64', 'image', 'image.generate', { data: [{ b64_json: 'text:90:2' }] }],
  ] as const)('%s in %s: a text that a recording left out shows nothing', (id, family, operation, reply) => {
    const body = { response_format: 'b64_json' }
    const of = (one: unknown) => {
      const own = seen.filter(([, row]) => row.id === id && row.family === family)
      expect(own.length).toBeGreaterThan(0)
      return own.flatMap(([, { predicate }]) =>
        judge(id, predicate, { operation, family, status: 200, body, reply: one }),
      )
    }
    expect(of(reply).filter(({ path }) => /code|b64/.test(path))).toEqual([])
    expect(of(JSON.parse(JSON.stringify(reply).replace(/"text:[:\d]+"|null/, '"left_out"')))).toMatchObject([
      { holds: false },
    ])
  })

  it('the words of the specification for states are those of the families', () => {
    const meanings = { open: ['queued', 'running'], success: ['succeeded'], failure: ['failed'] }
    for (const { id, words, makers } of families)
      for (const [state, word] of Object.keys(makers).flatMap(kind => Object.entries(words({ kind }))))
        for (const [meaning, states] of Object.entries(meanings))
          expect(isWordFor(meaning as 'open', word), `${word} of ${id} as ${meaning}`).toBe(
            states.includes(state),
          )
  })

  it('a message names a parameter with a hyphen', () => {
    expect(namedBy({ message: 'the header `X-Vendor-Async` is needed' })).toBe('X-Vendor-Async')
  })

  const oddReplies = [
    undefined,
    null,
    1,
    'text',
    [],
    {},
    [null],
    { items: [null] },
    { data: [[]] },
    { task: 7 },
  ]

  it.each([...new Set(seen.map(([, { predicate }]) => predicate.kind))])(
    'a reply of any shape can be judged by rows of the kind %s',
    kind => {
      for (const [name, { id, family, predicate }] of seen.filter(([, row]) => row.predicate.kind === kind))
        for (const { operation, before } of examplesOf(id, family, predicate).confirms)
          for (const reply of oddReplies)
            for (const status of [200, 400]) {
              const observed = { operation, family, status, reply, body: reply, made: reply, about: [id] }
              const judging = () => judge(id, predicate, { ...observed, ...(before && { before }) })
              expect(judging, `${name}: ${JSON.stringify(reply)}`).not.toThrow()
            }
    },
  )
})
