/** What a failure affects; `restart`: the program itself, which is killed while the rule holds its request. */
export type FailureKind = 'refusal' | 'connection' | 'outcome' | 'media' | 'timing' | 'restart'

/** One failure of one operation, as a scenario rule causes it. */
export interface Failure {
  /** The name of the failure, the same for every operation. */
  id: string
  /** The operation that fails. */
  operation: string
  /** The failure in one sentence. */
  title: string
  /** What it affects. */
  kind: FailureKind
  /** True when the same call, sent again later, may succeed. */
  transient: boolean
  /** The line of the specification that says so, the id of an assumption, `network` for failures of every network, or `every program` for a restart. */
  source: string
  /** The effects of the rule, in the scenario language. */
  then: Record<string, unknown>
}

/** What clients get from a failure. */
export interface FailureReply {
  /** The HTTP status, where the failure is a reply. */
  status?: number
  /** The error code, in the words of the operation's family. */
  code?: string
}
