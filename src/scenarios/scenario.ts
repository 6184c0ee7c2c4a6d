import type { Fault } from '../http/errors.ts'
import type { MediaFault, TaskError } from '../tasks/task.ts'
import type { ProxyStatus } from './proxy-page.ts'
import type { resetPlaces } from './schema.ts'

/** A scenario file's content, once checked against its schema. */
export interface ScenarioDocument {
  name: string
  description?: string
  rules: readonly ScenarioRule[]
}

/** When a request matches, then something happens (interface, "Scenario files"). Values are as the file spells them. */
export interface ScenarioRule {
  when?: Record<string, unknown>
  then: Record<string, unknown>
}

/** A refusal instead of an answer: a fault in the family's dialect, a raw reply, or the page of a proxy in between. */
export interface Refusal {
  fault?: Fault
  status?: number
  /** The status of a proxy's HTML page. */
  proxyPage?: ProxyStatus
  body?: unknown
  headers?: Record<string, string>
  message?: string
  param?: string
  retryAfterMs?: number
}

/** What a rule or tag changes about the task being made. */
export interface TaskEffect {
  queuedMs?: number
  runningMs?: number
  /** The record is lost this long after the start; virtual ms. */
  goneMs?: number
  outcome?: 'succeeded' | 'failed' | 'cancelled' | 'expired' | 'never'
  error?: Partial<TaskError>
  label?: string
}

/** What happens to the connection that carries the reply. Latency is wall time. */
export interface ConnectionFault {
  latencyMs?: number
  reset?: (typeof resetPlaces)[number]
  hang?: boolean
  throttleBytesPerSecond?: number
  garble?: boolean
}

/** All that scenarios and prompt tags do to one request. The first rule of each kind that matches wins. */
export interface Effects {
  refuse?: Refusal
  task?: TaskEffect
  media?: MediaFault
  connection?: ConnectionFault
  advanceMs?: number
  /** `scenario/rule` names that acted, for `X-Emulator-Rule`. */
  rule?: string
}

/** Nothing happens. */
export const noEffects: Effects = Object.freeze({})
