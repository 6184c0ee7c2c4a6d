import { dirname, resolve } from 'node:path'
import type { FromSchema } from 'json-schema-to-ts'
import { checkShape, openDocument, ScenarioError } from '../../emulator/gateway.ts'
import { hint, UsageError } from '../../emulator/options.ts'
import { isName, nameRule, shown } from '../../emulator/words.ts'
import {
  ownNames,
  type Part,
  portsIn,
  type Ready,
  type Service,
  type System,
  wordsOf,
  wrongPlaceholder,
} from './system.ts'

const command = {
  type: ['string', 'array'],
  minLength: 1,
  minItems: 1,
  items: { type: 'string' },
  description: 'a command, or a list of its words',
} as const
const environment = {
  type: ['object', 'array'],
  additionalProperties: { type: ['string', 'number', 'boolean', 'null'] },
  items: { type: 'string' },
  description: 'variables and their values',
} as const
const part = {
  type: ['string', 'array', 'object'],
  minLength: 1,
  minItems: 1,
  items: { type: 'string' },
  properties: { command, environment },
  additionalProperties: false,
  description: 'a command, or command and environment',
} as const

/** A file of `explore --system`. The words are those of Compose where it has them. */
const systemSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['services', 'driver'],
  properties: {
    services: {
      type: 'object',
      minProperties: 1,
      maxProperties: 100,
      additionalProperties: {
        type: 'object',
        additionalProperties: false,
        required: ['command'],
        properties: {
          command,
          environment,
          depends_on: {
            type: 'array',
            items: { type: 'string' },
            description: 'a list of services',
          },
          ready: {
            type: 'string',
            minLength: 1,
            description: 'tcp, an address, or a line of its output',
          },
          beside: { type: 'boolean', description: 'true or false' },
          scale: { type: 'integer', minimum: 1, maximum: 20, description: '1 to 20' },
        },
      },
    },
    prepare: part,
    driver: part,
    check: part,
  },
} as const

type WrittenSystem = FromSchema<typeof systemSchema>
type WrittenService = WrittenSystem['services'][string]
type WrittenPart = WrittenSystem['driver']
type WrittenEnvironment = FromSchema<typeof environment>

export type Scale = Readonly<Record<string, number>>

/** Reads a system file, YAML or JSON. Throws UsageError with line, key and the nearest name. */
export function readSystemFile(file: string, scale: Scale = {}): System {
  try {
    const { document, located } = openDocument(file, value => checkShape<WrittenSystem>(systemSchema, value))
    try {
      return systemOf(document, { folder: resolve(dirname(file)), scale })
    } catch (error) {
      throw error instanceof ScenarioError ? located(error) : error
    }
  } catch (error) {
    throw error instanceof ScenarioError ? new UsageError(error.fullMessage) : error
  }
}

/** What `--service` and `--ready` say, each `NAME=VALUE`, and the driver after `--`. */
export interface GivenServices {
  service: readonly string[]
  ready: readonly string[]
  driver: readonly string[]
  scale: Scale
}

/** The system of flags. Throws UsageError. */
export function readServices({ service, ready, driver, scale }: GivenServices): System {
  const services: Record<string, WrittenService> = {}
  for (const given of service) {
    const [name, words] = named('--service', given)
    if (Object.hasOwn(services, name)) throw new UsageError(`--service: ${name} is given twice`)
    services[name] = { command: words }
  }
  for (const given of ready) {
    const [name, sign] = named('--ready', given)
    const found = services[name]
    if (!found) throw new UsageError(`--ready: ${name} is no --service${hint(name, Object.keys(services))}`)
    found.ready = sign
  }
  try {
    return systemOf({ services, driver: [...driver] }, { folder: process.cwd(), scale })
  } catch (error) {
    throw error instanceof ScenarioError ? new UsageError(error.fullMessage) : error
  }
}

function named(flag: string, given: string): [string, string] {
  const at = given.indexOf('=')
  if (at < 1 || at === given.length - 1)
    throw new UsageError(`${flag}: ${shown(given)} is not of the form NAME=VALUE`)
  return [given.slice(0, at), given.slice(at + 1)]
}

/** Reads `worker=2`, also where an option `scale` says so. Throws UsageError. */
export function readScale(texts: readonly string[]): Scale {
  return Object.fromEntries(
    texts.map(text => {
      const [name, count] = named('scale', text)
      if (!/^(?:[1-9]|1\d|20)$/.test(count))
        throw new UsageError(`scale: ${shown(count)} of ${shown(text)} is not an integer from 1 to 20`)
      return [name, Number(count)]
    }),
  )
}

type About = Pick<System, 'folder'> & { scale: Scale }

function systemOf(written: WrittenSystem, { folder, scale }: About): System {
  const names = Object.keys(written.services)
  for (const name of Object.keys(scale))
    if (!names.includes(name)) throw new UsageError(`scale: ${name} is no service${whichAre(name, names)}`)
  const services = names.flatMap(name => {
    const one = written.services[name] as WrittenService
    const service = serviceOf(name, one, names)
    const count = scale[name] ?? one.scale ?? 1
    if (count === 1) return service
    return Array.from({ length: count }, (_, index) => ({ ...service, name: `${name}-${index + 1}` }))
  })
  for (const [index, { name }] of services.entries())
    if (services.findIndex(other => other.name === name) !== index)
      throw new ScenarioError(`${name} is also the name of one of several that a scale makes`, {
        steps: ['services', name],
      })
  const others = Object.fromEntries(
    ownNames.flatMap(name => {
      const given = written[name]
      return given === undefined ? [] : [[name, partOf(name, given, { steps: [name], names })]]
    }),
  ) as Pick<System, 'prepare' | 'driver' | 'check'>
  return { folder, services: inOrder(services), ...others }
}

/** The nearest name, or all. */
function whichAre(name: string, names: readonly string[]): string {
  return hint(name, names) || `; they are ${names.join(', ')}`
}

function serviceOf(name: string, written: WrittenService, names: readonly string[]): Service {
  const steps = ['services', name]
  const refuse = (message: string, more: readonly (string | number)[] = []) =>
    new ScenarioError(message, { steps: [...steps, ...more] })
  if (!isName(name)) throw refuse(`${shown(name)} is no name: ${nameRule}`)
  if (ownNames.some(own => own === name))
    throw refuse(`${name} is not the name of a service: explore has a ${name} of its own`)
  const dependsOn = written.depends_on ?? []
  for (const [index, other] of dependsOn.entries())
    if (!names.includes(other) || other === name)
      throw refuse(
        other === name
          ? 'a service cannot depend on itself'
          : `${shown(other)} is no service${whichAre(other, names)}`,
        ['depends_on', index],
      )
  const part = partOf(
    name,
    { command: written.command, environment: written.environment ?? {} },
    { steps, names },
  )
  const ready = written.ready === undefined ? undefined : readyOf(written.ready)
  if (ready?.kind === 'tcp' && !portsIn([...part.command, ...Object.values(part.environment)]).includes(name))
    throw refuse(`ready: tcp asks for {port.${name}}, which neither its command nor its environment has`, [
      'ready',
    ])
  if (ready?.kind === 'url') {
    const isAddress = URL.canParse(ready.url.replace(/\{[^}]*\}/g, '1'))
    const such = `is no address such as http://127.0.0.1:{port.${name}}/health`
    const wrong =
      wrongPlaceholder(ready.url, names) ?? (isAddress ? undefined : `${shown(ready.url)} ${such}`)
    if (wrong !== undefined) throw refuse(wrong, ['ready'])
  }
  return { ...part, of: name, dependsOn, isBeside: written.beside ?? false, ...(ready && { ready }) }
}

function readyOf(written: string): Ready {
  if (written === 'tcp') return { kind: 'tcp' }
  return /^https?:\/\//.test(written) ? { kind: 'url', url: written } : { kind: 'line', text: written }
}

interface Place {
  steps: readonly string[]
  names: readonly string[]
}

function partOf(name: string, written: WrittenPart, { steps, names }: Place): Part {
  const { command: given, environment: variables = {} } =
    typeof written === 'object' && !Array.isArray(written) ? written : { command: written }
  const isWhole = typeof written === 'object' && !Array.isArray(written)
  const at = (key: string) => (isWhole ? [...steps, key] : steps)
  if (given === undefined) throw new ScenarioError('needs a command', { steps })
  const command = Array.isArray(given) ? given : split(given, at('command'))
  const environment = variablesOf(variables, at('environment'))
  for (const [key, texts] of [
    ['command', command],
    ['environment', Object.values(environment)],
  ] as const) {
    const wrong = texts.map(text => wrongPlaceholder(text, names)).find(one => one !== undefined)
    if (wrong !== undefined) throw new ScenarioError(wrong, { steps: at(key) })
  }
  return { name, command, environment }
}

function split(command: string, steps: readonly string[]): string[] {
  try {
    return wordsOf(command)
  } catch (error) {
    throw error instanceof UsageError ? new ScenarioError(error.message, { steps }) : error
  }
}

/** A variable without a value is that of whoever explores, as in Compose. */
function variablesOf(written: WrittenEnvironment, steps: readonly string[]): Record<string, string> {
  const entries = Array.isArray(written)
    ? written.map(text => {
        const [, name, value] = /^([^=]+)(?:=(.*))?$/s.exec(text) ?? []
        if (name === undefined)
          throw new ScenarioError(`${shown(text)} is not of the form NAME=VALUE`, { steps })
        return [name, value] as const
      })
    : Object.entries(written)
  return Object.fromEntries(
    entries.flatMap(([name, value]) => {
      const text = value ?? process.env[name]
      return text === undefined ? [] : [[name, String(text)]]
    }),
  )
}

/** Each service after those that it depends on, and the parts beside before all others. Throws ScenarioError for a circle. */
function inOrder(services: readonly Service[]): Service[] {
  const found: Service[] = []
  const visit = (service: Service, above: readonly Service[]) => {
    if (found.includes(service)) return
    const steps = ['services', service.of]
    if (above.includes(service))
      throw new ScenarioError(
        `depends on itself: ${[...above.slice(above.indexOf(service)), service].map(({ name }) => name).join(', ')}`,
        { steps: [...steps, 'depends_on'] },
      )
    for (const name of service.dependsOn)
      for (const other of services.filter(one => one.of === name)) {
        if (service.isBeside && !other.isBeside)
          throw new ScenarioError(`a part beside starts before all others, and ${name} is none`, {
            steps: [...steps, 'depends_on'],
          })
        visit(other, [...above, service])
      }
    found.push(service)
  }
  for (const service of services.filter(({ isBeside }) => isBeside)) visit(service, [])
  for (const service of services) visit(service, [])
  return found
}
