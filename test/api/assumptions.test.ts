import { expect, it } from 'vitest'
import { openGateway } from '../support/gateway.ts'
import { accepted } from '../support/own-world.ts'

const gateway = await openGateway()

it('serves each assumption with its source, its certainty and when it was last confirmed', async () => {
  const body = accepted(await gateway.control('GET', '/assumptions'))
  expect(body.items.length).toBeGreaterThan(80)
  for (const row of body.items)
    expect(row, row.id).toEqual({
      id: expect.any(String),
      scope: expect.any(String),
      question: expect.any(String),
      answer: expect.any(String),
      reason: expect.any(String),
      source: expect.objectContaining({ kind: expect.stringMatching(/^(specification|upstream|guess)$/) }),
      certainty: expect.stringMatching(/^(high|medium|low)$/),
      confirmed: null,
      last_confirmed: 'never',
    })
})
