// biome-ignore-all lint/suspicious/noThenProperty: the word of the scenario language, never awaited.
import { describe, expect, it } from 'vitest'
import { operationFacts } from '../../src/emulator/families/index.ts'
import { inertRules } from '../../src/emulator/scenarios/inert-rules.ts'
import { shippedDocuments } from '../../src/emulator/scenarios/known-scenarios.ts'
import { checkScenario } from '../../src/emulator/scenarios/load.ts'
import { operations } from '../../src/emulator/scenarios/operations.ts'

const refused = { refuse: { fault: 'internal' } }
const refusedFor = (operation: unknown, more: object = {}) => ({
  when: { operation, ...more },
  then: refused,
})
const failing = { task: { outcome: 'failed' } }
const labelled = { when: { operation: 'b.create' }, then: { task: { label: 'slow' } } }
const facts = operationFacts()
const warnings = (...rules: unknown[]) =>
  inertRules(checkScenario({ name: 'mine', rules }), facts).map(
    ({ path, message, hint }) => `${path}: ${message} (${hint})`,
  )

it('every operation has facts', () => {
  expect(facts.map(({ operation }) => operation).sort()).toEqual([...operations].sort())
  expect(facts.filter(({ models }) => models.length > 0).length).toBeGreaterThan(10)
})

describe('a rule that can never act is named, with the reason', () => {
  it.each(
    // biome-ignore format: a table, one row a line
    [
    [
      'a model that does not exist',
      [refusedFor('*', { model: 'model_a_2' })],
      'when.model: acts only on requests that are refused for their model: "model_a_2" fits no known model (did you mean model_a_20?)',
    ],
    [
      'a model of another family',
      [refusedFor('a.create', { model: 'wan3.0-video' })],
      'when.model: acts only on requests that are refused for their model: "wan3.0-video" fits no model of a.create',
    ],
    [
      'a plan for a model that does not exist',
      [{ when: { operation: 'a.create', model: 'model_a_2' }, then: failing }],
      'when.model: never acts: "model_a_2" fits no known model',
    ],
    [
      'a plan for a request that its own connection loses',
      [{ when: { operation: 'a.create' }, then: { ...failing, connection: { reset: 'before_request' } } }],
      'then.task: task never acts: its own connection always comes first',
    ],
    ['a model where none is named', [refusedFor('a.get', { model: 'model_a_20' })], 'when.model: never acts: requests of a.get name no model'],
    ['another family', [refusedFor('k.*', { family: 'a' })], 'when.family: never acts: family "a" fits no request'],
    [
      'conditions that exclude each other',
      [refusedFor('*.create', { family: 'a', model: 'model_b' })],
      'when: never acts: its conditions exclude each other, a.create by model',
    ],
    ['a prompt without a body', [refusedFor('a.get', { prompt: 'x' })], 'when.prompt: never acts'],
    ['a mode of a list', [refusedFor('*.list', { mode: 'text' })], 'when.mode: never acts'],
    ['a body of a download', [refusedFor('media.download', { body: { '/x': 1 } })], 'when.body: never acts'],
    ['a task of a create', [refusedFor('a.create', { task: 'cgt-1' })], 'when.task: never acts'],
    [
      'a label that no rule gives',
      [labelled, refusedFor('b.get', { task: { of: 'slwo' } })],
      'when.task: never acts: no rule here gives the label "slwo" (did you mean slow?)',
    ],
    [
      'a label of another family',
      [labelled, refusedFor('a.get', { task: { of: 'slow' } })],
      'when.task: never acts: no task with the label "slow" belongs to a.get',
    ],
    ['no chance', [{ when: { probability: 0 }, then: refused }], 'when.probability: never acts: its chance is 0'],
    ['a catch-all before it', [refusedFor('*'), refusedFor('a.get', { call: 2 })], ': never acts: mine/1 always comes first'],
    [
      'several rules before it together',
      [refusedFor('a.delete'), refusedFor('b.list'), refusedFor(['a.delete', 'b.list'])],
      ': never acts: mine/1 and mine/2 always come first',
    ],
    ['the same calls as before', [refusedFor('a.get', { call: 1 }), refusedFor('a.get', { call: 1 })], ': never acts: mine/1 always comes first'],
    [
      'a wider condition before it',
      [refusedFor('a.create', { prompt: { contains: 'cat' } }), refusedFor('a.create', { prompt: 'a cat' })],
      ': never acts: mine/1 always comes first',
    ],
    [
      'a family that its operation implies',
      [{ when: { family: 'a' }, then: refused }, refusedFor('a.get')],
      ': never acts: mine/1 always comes first',
    ],
    [
      'a time within another',
      [
        { when: { during: { to: '9m' } }, then: refused },
        { when: { during: { from: '1m', to: '2m' } }, then: refused },
      ],
      ': never acts: mine/1 always comes first',
    ],
    [
      'one effect of two',
      [refusedFor('a.create'), { when: { operation: 'a.create' }, then: { ...failing, connection: 'hang' } }],
      'then.task: task never acts: mine/1 always comes first',
    ],
    [
      'its own refusal',
      [{ when: { operation: 'a.create' }, then: { ...refused, ...failing } }],
      'then.task: task never acts: its own refuse always comes first',
    ],
    [
      'one operation of two',
      [{ when: { operation: ['a.create', 'a.get'] }, then: failing }],
      'when.operation[1]: never acts on a.get: task cannot act there',
    ],
    [
      'one operation by its conditions',
      [
        refusedFor(['a.create', 'b.*'], { model: 'MODEL' }),
        refusedFor(['a.create', 'b.*'], { model: 'model_b' }),
      ],
      'when.operation[0]: never acts on a.create: its requests never meet the conditions',
    ],
  ],
  )('%s', (_, rules, words) => {
    const found = warnings(...rules).filter(warning => warning.startsWith(`rules[${rules.length - 1}]`))
    expect(found).toEqual([expect.stringContaining(words)])
  })
})

describe('a rule that may act is not named', () => {
  it.each(
    // biome-ignore format: a table, one row a line
    [
    ['after a chance', [{ when: { probability: 0.9 }, then: refused }, refusedFor('a.get')]],
    ['after some calls', [refusedFor('a.get', { call: '1..3' }), refusedFor('a.get', { call: 3 }), refusedFor('a.get')]],
    ['after another kind of effect', [{ then: { connection: 'garble' } }, refusedFor('a.get')]],
    ['after a narrower condition', [refusedFor('a.create', { prompt: 'a cat' }), refusedFor('a.create', { prompt: { contains: 'cat' } })]],
    ['after a rule that cannot act there', [refusedFor('*', { mode: 'text' }), refusedFor('a.get')]],
    [
      'by the label of a task that a batch query names',
      [
        { when: { operation: 'k.create' }, then: { task: { label: 'x' } } },
        refusedFor('k.tasks.get', { task: { of: 'x' } }),
      ],
    ],
    [
      'by a published name',
      [
        refusedFor('a.create', { model: 'doubao-seedance-2-0' }),
        refusedFor('media.download', { model: { matches: '^kling' } }),
      ],
    ],
    ['on some operations of a glob', [refusedFor('*', { prompt: { contains: 'x' } })]],
    ['without the value', [refusedFor('a.get', { model: { exists: false } }), refusedFor('a.list', { prompt: { exists: false } })]],
  ],
  )('%s', (_, rules) => {
    expect(warnings(...rules)).toEqual([])
  })

  it.each(shippedDocuments().map(document => [document.name, document] as const))('of %s', (_, document) => {
    expect(inertRules(document, facts)).toEqual([])
  })
})
