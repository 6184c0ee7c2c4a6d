import type { IncomingHttpHeaders } from 'node:http'

/** Where a request holds the fields that scenarios and tags use. Paths are JSON pointers; `*` means every index. */
export interface Reads {
  prompts: readonly string[]
  model: (body: unknown, params: Readonly<Record<string, string>>) => unknown
  /** The neutral ids of the models that a request may name. */
  models: readonly string[]
  /** The mode, or all that fit. */
  mode?: (body: unknown) => string | readonly string[] | undefined
}

/** Where a request names tasks that exist. Of several parameters of a query the first that is given counts. */
export interface TaskPlaces {
  query?: readonly string[]
  /** That of these whose names are the caller's own ids. */
  external?: string
  /** A JSON pointer. */
  body?: string
}

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
  mode?: string | readonly string[] | undefined
  /** All prompts of the request, without tags. */
  prompt?: string | undefined
  headers: IncomingHttpHeaders
  body: unknown
  /** Existing tasks that the request names, also by an external id. */
  taskIds?: readonly string[] | undefined
  /** Virtual now, epoch ms. */
  now: number
}
