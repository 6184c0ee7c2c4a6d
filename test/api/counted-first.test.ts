import { expect, it } from 'vitest'
import { parseScenario } from '../../src/emulator/scenarios/load.ts'
import { holdsMoreValues } from '../../src/emulator/worlds/json-depth.ts'
import { textBody } from '../support/family-a.ts'
import { openGateway } from '../support/gateway.ts'

const gateway = await openGateway()
const tasks = '/api/v3/contents/generations/tasks'

// The ends of these texts are missing: a message about the values shows that they were counted before the text was read.
const manyNumbers = `{"model":"model_a_25","content":[${'1,'.repeat(150_000)}`
const manyObjects = `{"rules":[${'{},'.repeat(150_000)}`

it('a create with more than 100,000 values is refused before its JSON is read', async () => {
  const { status, body } = await gateway.call('POST', tasks, manyNumbers)
  expect([status, body.error.message]).toEqual([400, expect.stringContaining('more than 100000 values')])
  expect((await gateway.control('GET', '/tasks')).body.items).toEqual([])
})

it.each(['/scenarios', '/requests/verify', '/inject', '/tasks'])(
  'a body of the control API is counted first: %s',
  async path => {
    const { status, body } = await gateway.control('POST', path, manyObjects)
    expect([status, body.error.message]).toEqual([400, 'The body holds more than 100000 values'])
  },
)

it('a whole world may hold more', async () => {
  const { body } = await gateway.control('PUT', '/state', manyObjects)
  expect(body.error.message).toContain('not valid JSON')
})

it('commas and brackets in strings are no values: a prompt and a file may be long', async () => {
  const text = ',[{\\"'.repeat(40_000)
  expect(holdsMoreValues(JSON.stringify({ text }), 10)).toBe(false)
  const { body } = await gateway.call('POST', tasks, textBody({ note: ',[{'.repeat(50_000) }))
  expect(body.id).toMatch(/^cgt-/)
  expect(holdsMoreValues('[1,2,3]', 3)).toBe(false)
  expect(holdsMoreValues('[1,2,[]]', 3)).toBe(true)
})

it.each([
  ['YAML', (n: number) => `name: big\nrules:\n${'  - when: { call: 1 }\n'.repeat(n)}`],
  ['JSON', (n: number) => `{"name":"big","rules":[${'{"when":{"call":1}},'.repeat(n)}`],
])('a scenario file in %s is counted before it is read', (_form, textOf) => {
  expect(() => parseScenario(textOf(120_000), 'big.yaml')).toThrow('holds more than 100000 values')
  // A text that holds fewer is read to its end, where it is wrong.
  expect(() => parseScenario(textOf(2), 'big.yaml')).toThrow(/then|readable/)
})
