import type { IncomingHttpHeaders } from 'node:http'

/** What rules look at in a request. */
export interface RequestFacts {
  /** The operation id. */
  operation: string
  family: string
  /** As the caller spelled it. */
  model?: string | undefined
  account: string
  /** The API key, whole. */
  key: string
  mode?: string | undefined
  /** All its prompts, tags taken out. */
  prompt?: string | undefined
  headers: IncomingHttpHeaders
  body: unknown
  /** Tasks that exist already and that it asks for. */
  taskIds?: readonly string[] | undefined
  /** Virtual now, epoch ms. */
  now: number
}
