/** The part of Testcontainers (10 to 12) that the kit uses; the user installs the library. */
declare module 'testcontainers' {
  export interface StartedTestContainer {
    getHost(): string
    getMappedPort(port: number): number
    stop(): Promise<unknown>
  }
  export class AbstractStartedContainer implements StartedTestContainer {
    constructor(started: StartedTestContainer)
    getHost(): string
    getMappedPort(port: number): number
    stop(): Promise<unknown>
  }
  export class GenericContainer {
    constructor(image: string)
    static fromDockerfile(
      context: string,
      dockerfile?: string,
    ): { build(image?: string, options?: { deleteOnExit: boolean }): Promise<GenericContainer> }
    withExposedPorts(...ports: number[]): this
    withEnvironment(environment: Record<string, string>): this
    withWaitStrategy(strategy: unknown): this
    start(): Promise<StartedTestContainer>
  }
  export const Wait: { forHttp(path: string, port: number): unknown }
}
