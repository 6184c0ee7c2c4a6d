import type { TaskHead, TaskPlan } from './task-views.ts'

/** A task in a trace. */
export interface TraceTask extends TaskHead {
  /** The first 160 characters of its prompt. */
  prompt: string
  /** `X-Request-Id` of the request that made it. */
  request_id: string
  /** The body of that request without prompt tags, as the journal shows it. */
  request: unknown
  /** Its states in the family's words; `deleted` when a caller removed its record, `gone` when the plan loses it. */
  states: {
    /** The state. */
    status: string
    /** When it takes it. */
    at: string
    /** True when it lies in the future. */
    planned?: true
    /** True when a person or test set it through the control API. */
    forced?: true
  }[]
  /** Its links. A link ends at `expires_at`. */
  links: {
    /** `video`, `last_frame`, … */
    output: string
    /** When it works first. */
    opens_at: string
    /** When it ends. */
    expires_at: string
    /** How often it was opened. */
    downloads: number
    /** How often it may be opened. */
    max_downloads?: number
    /** True while the task has not succeeded yet. */
    planned?: true
    /** True when it was ended through the control API. */
    ended_by_hand?: true
  }[]
  /** Its charges, in credits. */
  money: {
    /** When it was charged. */
    at: string
    /** As in the ledger. */
    kind: 'reserved' | 'settled' | 'refunded'
    /** Credits. */
    amount: number
    /** Credits that were given back because the true price is lower. */
    released?: number
  }[]
  /** When its state changes next by itself, and to what; absent when it does not. */
  next?: {
    /** When. */
    at: string
    /** The state. */
    status: string
  }
  /** What was planned when it was made. */
  plan: TaskPlan
  /** Set when it failed. */
  error?: {
    /** Such as `InternalServiceError`. */
    code: string
    /** A sentence. */
    message: string
  }
  /** What is wrong with its files, in the words of the scenario language. */
  media_rule?: unknown
  /** `scenario/rule` that shaped it. */
  rule?: string
  /** A name given by a scenario rule. */
  label?: string
  /** True when the control API made it. */
  made_by_hand?: true
}
