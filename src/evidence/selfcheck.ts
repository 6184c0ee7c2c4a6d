// The check of a running server against the specification.

export { checks, line, NotShown, summary, walk } from './selfcheck/checks.ts'
export { type GatewaySettings, gatewayAt, type Send } from './selfcheck/gateway.ts'
