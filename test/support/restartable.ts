import { createServer, type Server } from 'node:http'
import { afterAll } from 'vitest'
import { assembleInMemory } from '../../src/emulator/server/emulator.ts'
import { freePort } from './free-port.ts'
import { openingTime } from './gateway.ts'
import { poolForTest } from './shared-pool.ts'

/** An emulator that can be stopped and started again at the same address, with an empty state. */
export interface Restartable {
  url: string
  goAway(): Promise<void>
  comeBack(): Promise<void>
}

/** Starts one; it is closed after the file's tests. */
export async function openRestartable(): Promise<Restartable> {
  const port = await freePort()
  let running = await start(port)
  const stop = async () => {
    running.server.closeAllConnections()
    await new Promise(resolve => running.server.close(resolve))
    await running.close()
  }
  afterAll(stop)
  return {
    url: `http://127.0.0.1:${port}`,
    goAway: stop,
    async comeBack() {
      running = await start(port)
    },
  }
}

async function start(port: number): Promise<{ server: Server; close(): Promise<void> }> {
  const { dispatch, services, close } = assembleInMemory({
    clock: { mode: 'realtime', rate: 1 },
    now: Date.parse(openingTime),
    pool: poolForTest(),
  })
  services.library.ahead = () => undefined
  const server = createServer(dispatch)
  await new Promise<void>(resolve => server.listen(port, '127.0.0.1', resolve))
  return { server, close }
}
