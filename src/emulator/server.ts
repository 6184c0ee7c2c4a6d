// The server, its control API and its tools for agents.

export { controlEndpoints } from './control/endpoints.ts'
export { controlDocument, publicDocument } from './control/openapi.ts'
export { mcpServer } from './mcp/server.ts'
export type { Tool } from './mcp/tools.ts'
export { assembleEmulator, type Listening, listen } from './server/emulator.ts'
export { ownStandardOutput } from './server/request-log.ts'
