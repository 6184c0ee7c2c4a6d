import { expect, it } from 'vitest'
import { momentsOf } from '../../src/console/trace/moments.ts'
import { rowsOf } from '../../src/console/trace/rows.ts'
import { connectEmulator } from '../../src/explore/play/emulator-client.ts'
import { openGateway } from '../support/gateway.ts'

const gateway = await openGateway()
const tasks = '/api/v3/contents/generations/tasks'

/** Asks for the list with these keys of a world, in turn, and returns the rows of its trace. */
async function rowsOfCalls(services: string[] | undefined) {
  const world = await connectEmulator(gateway.url).openWorld({
    clock: 'manual',
    ...(services && { services }),
  })
  for (const label of ['web', 'worker', 'web']) await gateway.get(tasks, world.keyFor('default', label))
  const trace = await world.trace()
  return rowsOf(trace, momentsOf(trace), true).map(({ lane, service, label, note, spans }) => [
    lane,
    service,
    label,
    note.split(' ·')[0],
    spans.length,
  ])
}

it('each service has a line of all its calls, with its attempts below', async () => {
  expect(await rowsOfCalls(['web', 'worker'])).toEqual([
    ['Calls', 'web', 'web', '2 calls', 2],
    ['Calls', 'web', 'a.list', '2 calls', 2],
    ['Calls', 'worker', 'worker', '1 call', 1],
    ['Calls', 'worker', 'a.list', '200', 1],
  ])
})

it('a world without services has its attempts alone', async () => {
  expect((await rowsOfCalls(undefined)).map(([, service, label]) => [service, label])).toEqual([
    [undefined, 'a.list'],
    [undefined, 'a.list'],
  ])
})
