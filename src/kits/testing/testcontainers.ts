import { AbstractStartedContainer, GenericContainer, type StartedTestContainer, Wait } from 'testcontainers'
import { packagePath, packageVersion } from '../../emulator/ground.ts'
import { optionRows } from '../../emulator/options.ts'
import { connectEmulator, type EmulatorClient, type StartOptions } from '../../index.ts'

/** The options of an emulator in a container: those of `startEmulator` that have a meaning there. */
export type ContainerOptions = Pick<
  StartOptions,
  | 'auth'
  | 'codecs'
  | 'cors'
  | 'inputs'
  | 'links'
  | 'maxBodyBytes'
  | 'maxWorlds'
  | 'mediaCacheBytes'
  | 'promptTags'
  | 'publicUrl'
  | 'seed'
  | 'strict'
  | 'unknownModel'
> & {
  /** A mode, or a rate such as `60x`; default `realtime`. */
  clock?: 'realtime' | 'manual' | 'auto' | `${number}x` | undefined
  /** The virtual time at which worlds open, ISO 8601; default: the wall clock. */
  now?: string | undefined
  /** Names of shipped scenarios, active in every new world. */
  scenarios?: readonly string[] | undefined
}

const port = 8585

/**
 * The emulator in a container of Testcontainers. The image is made once from the installed package by `GatewayContainer.image()`, or in
 * a clone by `docker build -t generation-gateway-emulator .`. Links in replies use the address under which a request came; set
 * `publicUrl` when other containers download what this process creates.
 */
export class GatewayContainer extends GenericContainer {
  /** `image`: the name of an image of the emulator; default `generation-gateway-emulator`. */
  constructor(image = 'generation-gateway-emulator') {
    super(image)
    this.withExposedPorts(port).withWaitStrategy(Wait.forHttp('/__emulator/health', port))
  }

  /** Makes the image from the installed package, and returns its name, with the package's version. It stays on the machine, so the next time takes a moment. */
  static async image(): Promise<string> {
    const name = `generation-gateway-emulator:${packageVersion()}`
    await GenericContainer.fromDockerfile(packagePath('.'), 'fixtures/docker/Dockerfile').build(name, {
      deleteOnExit: false,
    })
    return name
  }

  /** Sets options of the emulator; call it before `start`. Options that are absent or undefined keep their default. */
  withOptions(options: ContainerOptions): this {
    return this.withEnvironment(environmentOf(options))
  }

  /** Starts the container and resolves when the emulator answers. */
  override async start(): Promise<StartedGatewayContainer> {
    return new StartedGatewayContainer(await super.start())
  }
}

/** A running emulator in a container. */
export class StartedGatewayContainer extends AbstractStartedContainer {
  /** Its address from this machine, such as `http://localhost:49153`. */
  readonly url: string
  /** A client of it, as `connectEmulator(url)` gives it: `emulator.openWorld()`, `emulator.world.clock.advance('30s')`. */
  readonly emulator: EmulatorClient

  /** Made by `GatewayContainer.start`. */
  constructor(started: StartedTestContainer) {
    super(started)
    const host = this.getHost()
    this.url = `http://${host.includes(':') ? `[${host}]` : host}:${this.getMappedPort(port)}`
    this.emulator = connectEmulator(this.url)
  }
}

/** The environment variables for some options, from the table of options. */
function environmentOf(options: ContainerOptions): Record<string, string> {
  const given = Object.entries(options).filter(([, value]) => value !== undefined && value !== null)
  return Object.fromEntries(
    given.map(([key, value]) => {
      const row = optionRows.find(candidate => candidate.key === key)
      if (!row) throw new TypeError(`${key} is not an option of an emulator in a container`)
      return [`GATEWAY_EMULATOR_${row.environment}`, String(value)]
    }),
  )
}
