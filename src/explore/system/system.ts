/** A system of services as its file says: in words and variables, `{port.NAME}`, `{state}`, `{url}`, `{key}` and `{world}` stand for values of the case. */
export interface System {
  /** The folder in which everything is started. */
  folder: string
  /** In the order in which they start; the parts beside come first. */
  services: readonly Service[]
  /** Is run once, with the parts beside. */
  prepare?: Part
  /** Does what a user of the system does, and ends. */
  driver: Part
  /** Is run after the driver, while the services still run. */
  check?: Part
}

/** A command with its variables. */
export interface Part {
  /** `web`, `driver`: calls to the gateway bear it. */
  name: string
  command: readonly string[]
  environment: Readonly<Record<string, string>>
}

/** A part that runs until it is ended. */
export interface Service extends Part {
  /** Its name in the file: of several that a scale makes, each has a name of its own. */
  of: string
  dependsOn: readonly string[]
  /** Absent: it is ready as soon as it was started. */
  ready?: Ready
  /** A real part such as a database: it is not judged, and killed only when that is asked for. */
  isBeside: boolean
}

/** What shows that a service is ready: its port accepts a connection, an address answers below 500, or it has written a line with this text. */
export type Ready = { kind: 'tcp' } | { kind: 'url'; url: string } | { kind: 'line'; text: string }

/** The names of what explore runs beside services. */
export const ownNames = ['driver', 'check', 'prepare'] as const

/** The names of those services whose calls are told apart. */
export function callersOf({ services }: Pick<System, 'services'>): string[] {
  return [...services.map(({ name }) => name), ...ownNames]
}

/** A system whose parts all have these variables, unless they set them themselves. */
export function withVariables(system: System, given: Readonly<Record<string, string>>): System {
  const withOwn = <P extends Part>(part: P): P => ({
    ...part,
    environment: { ...given, ...part.environment },
  })
  return {
    ...system,
    services: system.services.map(withOwn),
    driver: withOwn(system.driver),
    ...(system.prepare && { prepare: withOwn(system.prepare) }),
    ...(system.check && { check: withOwn(system.check) }),
  }
}
