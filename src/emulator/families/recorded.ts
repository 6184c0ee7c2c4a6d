/** What a comparison of recorded requests with the emulator must know of a family. A part that is absent says that the family has none. */
export interface Recorded {
  /** By operation: values that the service chooses when a request leaves them open. */
  choices?: Readonly<Record<string, readonly Choice[]>>
  /** Kinds of tasks whose shape and length do not follow from their request. */
  undecided?: readonly string[]
  /** Lists of other things than tasks that the account made. */
  otherLists?: readonly string[]
  /** The kind of a task, by a record of it, where the operation does not say it. */
  kindOf?(record: unknown): string | undefined
  /** The status with which DELETE refuses a task that has not ended, and the states in which it does. */
  refusesDelete?: { status: number; live: readonly ('queued' | 'running')[] }
  /** The neutral id of the model that an unknown name most likely means. */
  modelLike?(name: string): string
  /** The assumption by which an empty string counts as not sent. */
  emptyIsUnset?: string
  /** Where a record has the seconds after which an unfinished task expires, and the rows that say so. */
  expiry?: { field: string; rows: readonly string[] }
  /** True when the setting `links` decides how long its links live. */
  hasRelayedLinks?: true
}

/** A value that the service chooses. */
export interface Choice {
  /** Where the request asks for it. */
  asked: string
  /** The values that leave it to the service, besides null; undefined when it may be left out. */
  open: readonly unknown[]
  /** The modes in which the service chooses; in others an input decides. */
  modes: readonly string[]
  /** Where the reply to a query shows it. */
  told: string
}
