import { once } from 'node:events'
import { connect } from 'node:net'
import { afterAll, expect, it, vi } from 'vitest'
import { realTime } from '../../src/emulator/worlds/clock.ts'
import { joinRun } from '../../src/explore/time/conductor-link.ts'
import { startForTest } from '../support/start-for-test.ts'

const emulator = await startForTest({})
afterAll(() => emulator.close())

it('a reply that waits behind a held one of its connection holds no time up (docs/explore.md, "Time")', async () => {
  const world = await emulator.openWorld({ clock: 'manual' })
  await world.inject('a.list', 1, { connection: { latency: '10s' } })
  const { port } = new URL(emulator.url)
  let told = (_: string) => {}
  const hello = `hello ${process.pid} - 1 0 1 -`
  const link = await joinRun({
    ...{ url: emulator.url, world: world.id, hello, ended() {} },
    hear: line => told(line),
  })
  link.say('begin')
  // However long both requests take, they come before the process says that it waits for them.
  const clock = vi.spyOn(realTime, 'elapsedMs').mockReturnValue(realTime.elapsedMs())
  const socket = connect(Number(port), '127.0.0.1')
  const head = `GET /api/v3/contents/generations/tasks HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${world.apiKey}\r\n\r\n`
  socket.write(head + head)
  await expect.poll(async () => (await world.requests.list()).length).toBe(2)
  const before = (await world.clock.get()).now
  let now = 0
  told = line => {
    const [word = '', rest] = line.split(' ')
    if (word === 'look') link.say(`still ${rest}`)
    if (word === 'now') now = Number(rest)
  }
  link.say(`wait - - 127.0.0.1:${port}=2 1 0`)
  await expect.poll(() => now).toBeGreaterThanOrEqual(Date.parse(before) + 10_000)
  clock.mockRestore()
  await once(socket, 'data')
  socket.destroy()
  link.end()
  await world.drop()
})
