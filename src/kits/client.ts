// The client of the control API, and the text of a trace.

export { type ControlClient, clockOf, controlClient, processCaller } from './client/client.ts'
export { readTrace, tracePage, writeTrace } from './client/trace-file.ts'
export { type WorldClient, worldClient } from './client/world.ts'
