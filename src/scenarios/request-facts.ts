import type { IncomingHttpHeaders } from 'node:http'

/** The facts of a request that rules use. */
export interface RequestFacts {
  /** The operation id. */
  operation: string
  family: string
  /** As the caller wrote it. */
  model?: string | undefined
  account: string
  /** The whole API key. */
  key: string
  mode?: string | undefined
  /** All prompts of the request, without tags. */
  prompt?: string | undefined
  headers: IncomingHttpHeaders
  body: unknown
  /** Existing tasks that the request names. */
  taskIds?: readonly string[] | undefined
  /** Virtual now, epoch ms. */
  now: number
}
