import type { StartedTestContainer } from 'testcontainers'
import { assembleInMemory } from '../../src/emulator/server/emulator.ts'
import { listening } from './input-server.ts'

/** Replaces the library Testcontainers, which needs a container engine: it records its calls, and runs an emulator in this process. */
export const asked: {
  image?: string
  built?: unknown[]
  ports?: number[]
  environment?: object
  wait?: unknown
} = {}

export class GenericContainer {
  constructor(image: string) {
    asked.image = image
  }
  static fromDockerfile(...where: string[]) {
    return {
      async build(...how: unknown[]) {
        asked.built = [...where, ...how]
        return new GenericContainer(String(how[0]))
      },
    }
  }
  withExposedPorts(...ports: number[]): this {
    asked.ports = ports
    return this
  }
  withEnvironment(environment: Record<string, string>): this {
    asked.environment = environment
    return this
  }
  withWaitStrategy(wait: unknown): this {
    asked.wait = wait
    return this
  }
  async start(): Promise<StartedTestContainer> {
    const { dispatch, close } = assembleInMemory({ clock: { mode: 'manual', rate: 1 } })
    const { port, close: leave } = await listening(dispatch)
    return {
      getHost: () => '127.0.0.1',
      getMappedPort: () => port,
      async stop() {
        await leave()
        await close()
      },
    }
  }
}

export class AbstractStartedContainer {
  readonly started: StartedTestContainer
  constructor(started: StartedTestContainer) {
    this.started = started
  }
  getHost = () => this.started.getHost()
  getMappedPort = (port: number) => this.started.getMappedPort(port)
  stop = () => this.started.stop()
}

export const Wait = { forHttp: (path: string, port: number) => ({ path, port }) }
