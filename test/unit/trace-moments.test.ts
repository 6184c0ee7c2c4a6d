import { expect, it } from 'vitest'
import { momentsOf, moneyAt } from '../../src/console/trace/moments.ts'
import { connectEmulator } from '../../src/explore/play/emulator-client.ts'
import { tasksPath, textBody } from '../support/family-a.ts'
import { openGateway } from '../support/gateway.ts'

const gateway = await openGateway()
const { world } = connectEmulator(gateway.url)

it('shows what a call caused after the call, when a clock that stands gives both one moment', async () => {
  await world.inject('a.create', 1, { refuse: { fault: 'rate_limited', retry_after: '2s' } })
  for (const text of ['refused', 'one', 'two'])
    await gateway.post(tasksPath, { ...textBody({}), content: [{ type: 'text', text }], colour: 'red' })
  const trace = await world.trace()
  const moments = momentsOf(trace)
  expect(new Set(moments.map(({ at }) => at)).size, 'of one moment').toBe(1)
  const lanes = moments.map(({ lane }) => lane)
  expect(lanes.filter(lane => lane !== 'Findings')).toEqual([
    'By hand',
    'Calls',
    ...['Calls', 'Tasks', 'Money'],
    ...['Calls', 'Tasks', 'Money'],
  ])
  const calls = moments.filter(({ lane }) => lane === 'Calls')
  const [price = 0] = trace.tasks.map(({ money }) => money[0]?.amount ?? 0)
  expect(price).toBeGreaterThan(0)
  expect(calls.map(call => moneyAt(trace, call).reserved)).toEqual([0, price, 2 * price])
  expect(lanes.indexOf('Findings')).toBeGreaterThan(lanes.indexOf('Tasks'))
})
