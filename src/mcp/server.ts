import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import { type ControlCaller, EmulatorError } from '../client/call.ts'
import { controlErrorOf } from '../control/refusal.ts'
import { FaultError } from '../faults/fault-error.ts'
import { checkShape, prepareChecks } from '../http/validate.ts'
import { packageVersion } from '../package/files.ts'
import { nearSuggestion } from '../wording/did-you-mean.ts'
import { deepestJson, isDeeper } from '../worlds/json-depth.ts'
import { type Tool, tools } from './tools.ts'

const instructions =
  'An emulator of the Generation Gateway (video and image generation). Point the code under test at a world’s base_url with its ' +
  'api_key, inject failures, advance the virtual clock, then read stories, verify requests and check findings.'

/** A server of the Model Context Protocol whose tools call the control API. It has no transport yet. */
export function mcpServer(control: ControlCaller): Server {
  const server = new Server(
    { name: 'generation-gateway-emulator', version: packageVersion() },
    { capabilities: { tools: {} }, instructions },
  )
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: tools.map(described) }))
  server.setRequestHandler(CallToolRequestSchema, async ({ params }) => {
    try {
      return toolResult(await callTool(control, params.name, params.arguments ?? {}))
    } catch (error) {
      // A refusal is an answer that the agent can act on.
      const refusal = error instanceof EmulatorError ? error : controlErrorOf(error)
      if (refusal) return { ...toolResult(refusal.message), isError: true }
      throw error
    }
  })
  return server
}

function described({ name, title, description, inputSchema, readOnly }: Tool) {
  return {
    name,
    title,
    description,
    inputSchema,
    annotations: { title, readOnlyHint: readOnly, openWorldHint: false },
  }
}

/** Throws FaultError for an unknown tool or a wrong argument, EmulatorError when the control API refuses. */
async function callTool(
  control: ControlCaller,
  name: string,
  input: Record<string, unknown>,
): Promise<unknown> {
  const tool = tools.find(candidate => candidate.name === name)
  if (!tool) throw unknownTool(name)
  const given = Object.fromEntries(Object.entries(input).filter(([, value]) => value !== null))
  if (isDeeper(given, deepestJson))
    throw new FaultError('invalid_parameter', {
      message: `The arguments are nested deeper than ${deepestJson} levels`,
    })
  await prepareChecks()
  checkShape(tool.inputSchema, given)
  return tool.call(control, given)
}

function unknownTool(name: string): FaultError {
  const names = tools.map(tool => tool.name)
  const hint = nearSuggestion(name, names) ?? `tools are ${names.join(', ')}`
  const message = `There is no tool ${JSON.stringify(name)}; ${hint}`
  return new FaultError('invalid_parameter', { message })
}

function toolResult(value: unknown) {
  const text = typeof value === 'string' ? value : JSON.stringify(value, null, 1)
  return { content: [{ type: 'text' as const, text }] }
}
