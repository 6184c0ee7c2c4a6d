import { describe, expect, it } from 'vitest'
import { tasksPath, textBody } from '../support/family-a.ts'
import { openGateway } from '../support/gateway.ts'

const gateway = await openGateway()

interface Parameter {
  name: string
  in: string
  example?: string
}

interface Documented {
  operationId?: string
  parameters: Parameter[]
  requestBody?: {
    required: boolean
    content: {
      'application/json': { example?: unknown; examples?: Record<string, { value: unknown }> }
    }
  }
}

interface Operation extends Documented {
  method: string
  path: string
}

async function operationsOf(document: string): Promise<Operation[]> {
  const { body } = await gateway.control('GET', document)
  return Object.entries(body.paths as Record<string, Record<string, Documented>>).flatMap(([path, methods]) =>
    Object.entries(methods).map(([name, operation]) => ({ ...operation, method: name.toUpperCase(), path })),
  )
}

/** The path with the examples of its parameters. */
function filled({ path, parameters }: Operation, own: Record<string, string> = {}): string {
  return path.replace(/\{(\w+)\}/g, (_, name) => {
    const value = own[name] ?? parameters.find(parameter => parameter.name === name)?.example
    expect(value, `an example of {${name}} in ${path}`).toBeTypeOf('string')
    return value ?? ''
  })
}

const publicOnes = (await operationsOf('/openapi.json')).filter(({ requestBody }) => requestBody)
const controlOnes = (await operationsOf('/openapi.control.json')).filter(
  ({ requestBody, path }) => requestBody && !path.includes('/undo/'),
)

describe('the examples of the OpenAPI documents are accepted unchanged', () => {
  it.each(publicOnes.map(operation => [operation.operationId ?? '', operation] as const))(
    '%s',
    async (_, operation) => {
      const examples = Object.entries(operation.requestBody?.content['application/json'].examples ?? {})
      expect(examples.length).toBeGreaterThan(0)
      for (const [name, { value }] of examples) {
        expect(JSON.stringify(value)).not.toContain('{{')
        const reply = await gateway.call(operation.method, filled(operation), value)
        expect(reply.status, `${name}: ${reply.text}`).toBe(200)
      }
    },
  )

  it.each(controlOnes.map(operation => [`${operation.method} ${operation.path}`, operation] as const))(
    '%s',
    async (_, operation) => {
      await gateway.control('POST', '/reset')
      await gateway.control('POST', '/snapshots', { name: 'ready' })
      const made = await gateway.post(tasksPath, textBody())
      const status = operation.path.endsWith('expire-link') ? 'succeeded' : 'running'
      await gateway.advance({ until: { task: made.body.id, status } })
      const own = operation.path.includes('/tasks/') ? { id: made.body.id } : {}
      const path = filled(operation, own)
      const { example } = operation.requestBody?.content['application/json'] ?? {}
      const reply = await gateway.control(operation.method, path, example)
      expect(reply.status, reply.text).toBeLessThan(300)
    },
  )
})
