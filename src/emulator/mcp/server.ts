import type { IncomingMessage } from 'node:http'
import type { TLSSocket } from 'node:tls'
import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'
import {
  CallToolRequestSchema,
  ErrorCode,
  GetPromptRequestSchema,
  ListPromptsRequestSchema,
  ListResourcesRequestSchema,
  ListToolsRequestSchema,
  McpError,
  ReadResourceRequestSchema,
} from '@modelcontextprotocol/sdk/types.js'
import { type ControlCaller, controlCaller, EmulatorError } from '../../kits/views.ts'
import { FaultError } from '../faults/fault.ts'
import { guidePages, guideText } from '../guide/contents.ts'
import { askThere } from '../http/direct.ts'
import { checkShape } from '../http/validate.ts'
import { packageVersion } from '../package/files.ts'
import { nearSuggestion } from '../wording/shown.ts'
import { deepestJson, isDeeper } from '../worlds/json-depth.ts'
import { type Tool, tools } from './tools.ts'

const instructions =
  'An emulator of the Generation Gateway (video and image generation). Point the code under test at a world’s base_url with its ' +
  'api_key, inject failures, advance the virtual clock, then read stories, verify requests and check findings.'

/** A server of the Model Context Protocol whose tools call the control API, with `more` tools where it runs on the user's machine. It has no transport yet. */
export function mcpServer(control: ControlCaller, more: readonly Tool[] = []): Server {
  const all = [...tools, ...more]
  const server = new Server(
    { name: 'generation-gateway-emulator', version: packageVersion() },
    { capabilities: { tools: {}, resources: {}, prompts: {} }, instructions },
  )
  offerGuide(server)
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: all.map(described) }))
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, { signal }) => {
    try {
      const input = params.arguments ?? {}
      const value = await checkedCall(toolNamed(all, params.name), { control, input, signal })
      return { ...toolResult(value), structuredContent: value as Record<string, unknown> }
    } catch (error) {
      // A refusal is an answer that the agent can act on.
      if (error instanceof FaultError) return { ...toolResult(error.sentence), isError: true }
      if (error instanceof EmulatorError) return { ...toolResult(error.message), isError: true }
      throw error
    }
  })
  return server
}

/** The pages of the guide as resources, and the prompt that asks for a test. */
function offerGuide(server: Server): void {
  server.setRequestHandler(ListResourcesRequestSchema, () => ({ resources: guideResources() }))
  server.setRequestHandler(ReadResourceRequestSchema, ({ params: { uri } }) => {
    const found = guideResource(uri)
    const known = guideResources().map(resource => resource.uri)
    if (!found) throw wrong(`There is no resource ${uri}; ${nearSuggestion(uri, known) ?? `try ${known[0]}`}`)
    return { contents: [found] }
  })
  server.setRequestHandler(ListPromptsRequestSchema, () => ({ prompts: [testPrompt] }))
  server.setRequestHandler(GetPromptRequestSchema, ({ params: { name, arguments: given = {} } }) => {
    if (name !== testPrompt.name)
      throw wrong(`There is no prompt ${name}; the only one is ${testPrompt.name}`)
    const { client, runner } = given
    if (!client) throw wrong(`The prompt ${name} needs client: the file or function under test`)
    const text = testPromptText({ client, runner })
    return { messages: [{ role: 'user' as const, content: { type: 'text' as const, text } }] }
  })
}

function wrong(message: string): McpError {
  return new McpError(ErrorCode.InvalidParams, message)
}

function described({ name, title, description, inputSchema, outputSchema, effect }: Tool) {
  const annotations = {
    title,
    readOnlyHint: effect === 'reads',
    destructiveHint: effect === 'destroys' || effect === 'runs',
    openWorldHint: effect === 'runs',
  }
  return { name, title, description, inputSchema, outputSchema, annotations }
}

/** Throws FaultError for a wrong argument, EmulatorError when the control API refuses. */
async function checkedCall(
  tool: Tool,
  given: { control: ControlCaller; input: Record<string, unknown>; signal: AbortSignal },
): Promise<unknown> {
  const input = Object.fromEntries(Object.entries(given.input).filter(([, value]) => value !== null))
  if (isDeeper(input, deepestJson))
    throw new FaultError('invalid_parameter', {
      message: `The arguments are nested deeper than ${deepestJson} levels`,
    })
  checkShape(tool.inputSchema, input)
  return tool.call(given.control, input, given.signal)
}

/** Throws FaultError for an unknown tool. */
function toolNamed(all: readonly Tool[], name: string): Tool {
  const tool = all.find(candidate => candidate.name === name)
  if (tool) return tool
  const names = all.map(one => one.name)
  const hint = nearSuggestion(name, names) ?? `tools are ${names.join(', ')}`
  const message = `There is no tool ${JSON.stringify(name)}; ${hint}`
  throw new FaultError('invalid_parameter', { message })
}

function toolResult(value: unknown) {
  const text = typeof value === 'string' ? value : JSON.stringify(value, null, 1)
  return { content: [{ type: 'text' as const, text }] }
}

const prefix = 'gateway-emulator://guide/'

/** A page of the guide as a resource of the protocol. */
interface GuideResource {
  uri: string
  name: string
  title: string
  mimeType: 'text/markdown'
}

/** Every page of the guide. */
function guideResources(): GuideResource[] {
  return guidePages().map(({ name, title }) => ({
    uri: prefix + name,
    name,
    title,
    mimeType: 'text/markdown',
  }))
}

/** The Markdown of a page by its address; undefined for an address of no page. */
function guideResource(uri: string): { uri: string; mimeType: string; text: string } | undefined {
  const page = guidePages().find(({ name }) => prefix + name === uri)
  return page && { uri, mimeType: 'text/markdown', text: guideText(page.path) }
}

/** The prompt that asks an agent for a test of a client. */
const testPrompt = {
  name: 'write_a_test',
  title: 'Write a test for this client',
  description:
    'Writes tests of a client of the Generation Gateway: one where all goes well, and one for each failure that matters.',
  arguments: [
    { name: 'client', description: 'The file or function under test.', required: true },
    {
      name: 'runner',
      description: 'The test runner, such as vitest, Jest or pytest; found out when absent.',
    },
  ],
} as const

/** The text of the prompt for a client. */
function testPromptText({ client, runner }: { client: string; runner?: string | undefined }): string {
  const with_ = runner === undefined ? 'the test runner that the project uses' : runner
  return `Write tests of ${client}, a client of the Generation Gateway, with ${with_}.

1. Read the resources gateway-emulator://guide/integration-tests and gateway-emulator://guide/script-a-failure.
2. Read the client: which operations does it call, and where does it take base address and key from? If they are fixed, make them settings.
3. Try it first: create_world, run the client with the base_url and api_key of the answer, then get_trace and get_findings.
4. Write a test in which all goes well. It asserts what the client returns, and by must_have (JavaScript: mustHave) how many creates came.
5. list_failures for each operation that the client calls. For each failure that the client should survive, or should report, write a test
   that injects it, and asserts what the caller gets and that nothing was paid twice (ledger).
6. Run the tests. A test that fails because the client is wrong is a finding: report it, and do not weaken the test.
7. drop_world for each world that you made.`
}

/** Answers one message of the protocol. Each request has its own server, since there are no sessions. */
export async function answerMessage(
  request: IncomingMessage,
  message: unknown,
): Promise<{ status: number; text: string }> {
  const server = mcpServer(selfCaller(request))
  // Without a generator of ids, the transport has no sessions.
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
  // The SDK's own types disagree under exactOptionalPropertyTypes.
  await server.connect(transport as Parameters<typeof server.connect>[0])
  try {
    const reply = await transport.handleRequest(webRequest(request), { parsedBody: message })
    return { status: reply.status, text: await reply.text() }
  } finally {
    await server.close()
  }
}

function webRequest({ url = '/', headers }: IncomingMessage): Request {
  const pairs = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, String(value)]],
  )
  const request = new Request(`http://self${url}`, { method: 'POST', headers: pairs, body: '{}' })
  // A caller that accepts anything accepts both of the protocol's types, but the SDK looks for their names.
  const { accept = '*/*' } = headers
  if (accept.includes('*/*')) request.headers.set('Accept', 'application/json, text/event-stream')
  return request
}

/**
 * Calls the control API of the server that received a request, at the address and port of that request. A self-made certificate of
 * the server is trusted, since the connection does not leave the machine.
 */
function selfCaller({ socket, headers: { host } }: IncomingMessage): ControlCaller {
  const scheme = (socket as TLSSocket).encrypted === true ? 'https' : 'http'
  return controlCaller(`${scheme}://self/__emulator`, {
    by: (url, init) =>
      askThere(socket, url, { ...init, headers: { ...init.headers, ...(host !== undefined && { host }) } }),
  })
}
