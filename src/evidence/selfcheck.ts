// The check of a running server against the specification.

export { checks, NotShown } from './selfcheck/checks.ts'
export { type GatewaySettings, gatewayAt, type Send } from './selfcheck/gateway.ts'
export { line, summary, walk } from './selfcheck/walk.ts'
