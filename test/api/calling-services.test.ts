import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { connectEmulator } from '../../src/explore/play/emulator-client.ts'
import { EmulatorError } from '../../src/kits/client/call.ts'
import { tasksPath, textBody } from '../support/family-a.ts'
import { openGateway } from '../support/gateway.ts'

const gateway = await openGateway()
const emulator = connectEmulator(gateway.url)
const services = ['web', 'worker-1', 'worker-2']

/** Two polls on one connection, and one more of a child that inherits the environment. */
const node = `
const { Agent, request } = require('node:http')
const agent = new Agent({ keepAlive: true, maxSockets: 1 })
const get = () => new Promise((resolve, reject) =>
  request(process.env.ADDRESS, { agent, headers: { authorization: 'Bearer ' + process.env.KEY } }, reply =>
    reply.resume().on('end', resolve)).on('error', reject).end())
get().then(get).then(() => agent.destroy()).then(() => {
  if (process.env.CHILD) require('node:child_process').execFileSync('curl', ['-s', '-H', 'Authorization: Bearer ' + process.env.KEY, process.env.ADDRESS])
})`
const python = `
import http.client, os, urllib.parse
address = urllib.parse.urlsplit(os.environ["ADDRESS"])
connection = http.client.HTTPConnection(address.netloc)
for _ in range(2):
    connection.request("GET", address.path, headers={"Authorization": "Bearer " + os.environ["KEY"]})
    connection.getresponse().read()`

const fails = 'a kite [[fail:InternalServiceError]]'

async function run(program: string, args: string[], env: Record<string, string>): Promise<void> {
  await promisify(execFile)(program, args, { env: { PATH: process.env.PATH, ...env } })
}

async function systemWorld() {
  const world = await emulator.openWorld({ clock: 'manual', services })
  const as = (service: string, more: Record<string, string> = {}) => ({
    GATEWAY_EMULATOR_WORLD: world.id,
    GATEWAY_EMULATOR_SERVICE: service,
    ADDRESS: `${gateway.url}${tasksPath}`,
    KEY: world.apiKey,
    ...more,
  })
  const callers = async () => (await world.requests.list()).map(({ service }) => service)
  return { world, as, callers }
}

describe('a world that is opened with services says of each request which of them sent it', () => {
  it('by the label of the key, where it is one of their names', async () => {
    const { world, callers } = await systemWorld()
    for (const label of ['web', 'worker-2', 'cron', undefined])
      await gateway.get(tasksPath, world.keyFor('default', label))
    expect(await callers()).toEqual(['web', 'worker-2', undefined, undefined])
    expect((await emulator.worlds()).find(({ id }) => id === world.id)?.services).toEqual(services)
  })

  it.runIf(process.platform === 'linux')(
    'else by the process that holds the connection, and its children',
    async () => {
      const { as, callers } = await systemWorld()
      await run(process.execPath, ['-e', node], as('web', { CHILD: 'yes' }))
      await run('python3', ['-c', python], as('worker-1'))
      await run(process.execPath, ['-e', node], as('cron'))
      await run(process.execPath, ['-e', node], { ...as('web'), GATEWAY_EMULATOR_WORLD: 'another' })
      expect(await callers()).toEqual([
        ...['web', 'web', 'web', 'worker-1', 'worker-1'],
        ...[undefined, undefined, undefined, undefined],
      ])
    },
  )

  it.runIf(process.platform === 'linux')('downloads, which carry no key, by the process', async () => {
    const { world, as, callers } = await systemWorld()
    const { id } = (await gateway.post(tasksPath, textBody(), world.keyFor('default', 'web'))).body
    await world.clock.advanceUntil('idle')
    const done = await gateway.get(`${tasksPath}/${id}`, world.keyFor('default', 'web'))
    await run('curl', ['-s', '-o', '/dev/null', done.body.content.video_url], as('worker-2'))
    expect(await callers()).toEqual(['web', 'web', 'worker-2'])
  })

  it('in traces, searches, stories and live events, too', async () => {
    const { world } = await systemWorld()
    const { id } = (await gateway.post(tasksPath, textBody(), world.keyFor('default', 'web'))).body
    for (const label of ['worker-1', 'worker-2', 'worker-2'])
      await gateway.get(`${tasksPath}/${id}`, world.keyFor('default', label))
    const { attempts } = await world.trace()
    expect(attempts.map(({ calls }) => calls.map(({ service }) => service))).toEqual([
      ['web'],
      ['worker-1'],
      ['worker-2', 'worker-2'],
    ])
    expect(await world.requests.list({ search: 'service:worker-2' })).toHaveLength(2)
    expect(JSON.stringify(await world.tasks.story(id))).toMatch(/the task was made \(.*service web\)/)
  })

  it.each<[string, by: [string, string], found: number, prompts?: [string, string]]>([
    ['two workers', ['worker-1', 'worker-2'], 1],
    ['one worker, twice', ['worker-1', 'worker-1'], 0],
    ['two workers, two jobs', ['worker-1', 'worker-2'], 0, ['a kite', 'a boat']],
    ['somebody unknown', ['worker-1', 'cron'], 0],
    ['a worker, after the job of another had failed', ['worker-1', 'worker-2'], 0, [fails, fails]],
  ])('so that made_twice is found where two created the same job: %s', async (_, by, count, prompts) => {
    const { world } = await systemWorld()
    const ids: string[] = []
    for (const [index, label] of by.entries()) {
      const body = textBody({ content: [{ type: 'text', text: prompts?.[index] ?? 'a kite' }] })
      // JSON leaves the order of keys to its writer.
      const sent = index === 0 ? body : Object.fromEntries(Object.entries(body).reverse())
      ids.push((await gateway.post(tasksPath, sent, world.keyFor('default', label))).body.id)
      await world.clock.advance('10m')
    }
    const found = (await world.findings()).filter(({ kind }) => kind === 'made_twice')
    expect(found.map(({ count }) => count)).toEqual(count === 0 ? [] : [count])
    const [one, other] = ids
    const text = `worker-1 and worker-2 created the same job: worker-1 made ${one}, and worker-2 made ${other}`
    for (const finding of found)
      expect(finding).toMatchObject({ task_id: one, text: expect.stringContaining(text) })
  })

  it('after a reset and when its drop was undone, and not in other worlds', async () => {
    const { world, callers } = await systemWorld()
    await world.reset()
    const { body } = await gateway.control('DELETE', `/worlds/${world.id}?undo=true`)
    await gateway.control('POST', `/undo/${body.undo}`)
    await gateway.get(tasksPath, world.keyFor('default', 'web'))
    expect(await callers()).toEqual(['web'])
    const other = await emulator.openWorld()
    await gateway.get(tasksPath, other.keyFor('default', 'web'))
    expect(await other.requests.list()).toEqual([expect.not.objectContaining({ service: 'web' })])
  })

  it.each([[[]], [['web', 'web']], [['no spaces']], ['web']])('refuses the services %j', async given => {
    const opened = emulator.openWorld({ services: given as string[] })
    await expect(opened).rejects.toThrow(EmulatorError)
  })
})
