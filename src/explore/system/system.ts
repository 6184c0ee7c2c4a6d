import { parse } from 'shell-quote'
import { UsageError } from '../../emulator/options.ts'
import { nearSuggestion, shown } from '../../emulator/words.ts'

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

/**
 * Splits a command as a shell splits its words. Throws UsageError for what only a shell can do, such as `a && b`.
 */
export function wordsOf(command: string): string[] {
  if (/['"]/.test(command.replace(/\\.|'[^']*'|"(?:\\.|[^"\\])*"/gs, '')))
    throw new UsageError(`${shown(command)} has a quote that is not closed`)
  // A variable is left to whoever reads the word: no shell fills it in.
  const words = parse(command, name => `$${name}`).flatMap(word => {
    if (typeof word === 'string') return word
    if ('pattern' in word) return word.pattern
    if ('comment' in word) return []
    throw new UsageError(
      `${shown(command)} uses ${word.op}, and no shell runs it; write a list, such as ["sh", "-c", "…"]`,
    )
  })
  if (words.length === 0 || words[0] === '') throw new UsageError('a command needs a program')
  return words
}

/** The values of a case: `{state}`, `{url}`, `{key}`, `{world}`, and `{port.NAME}`. */
export type Values = Readonly<Record<string, string>>

/** The words that have a value besides ports. */
const valueNames = ['state', 'url', 'key', 'world'] as const

const placeholder = /\{(port\.[\w.-]+|[a-z]+)\}/g

/** A text with the values in their places. */
export function filled(text: string, values: Values): string {
  return text.replace(placeholder, (written, name: string) => values[name] ?? written)
}

/** What is wrong with the placeholders of a text: a port of no service, or a word that nearly is a value. Undefined when nothing is. */
export function wrongPlaceholder(text: string, services: readonly string[]): string | undefined {
  for (const [written, name = ''] of text.matchAll(placeholder)) {
    if (name.startsWith('port.')) {
      const service = name.split('.')[1] ?? ''
      if (services.includes(service)) continue
      const near = nearSuggestion(service, services, one => `{port.${one}}`)
      return `${written} is the port of no service${near ? `; ${near}` : `; they are ${services.join(', ')}`}`
    }
    if (valueNames.some(one => one === name)) continue
    const near = nearSuggestion(name, valueNames, one => `{${one}}`)
    if (near) return `${written} has no value; ${near}`
  }
  return undefined
}

/** The ports that the texts of a system name, each `SERVICE` or `SERVICE.more`. */
export function portsIn(texts: readonly string[]): string[] {
  const names = texts.flatMap(text => [...text.matchAll(placeholder)].map(([, name = '']) => name))
  return [...new Set(names.filter(name => name.startsWith('port.')))].map(name => name.slice('port.'.length))
}
