/** The few things that the emulator tells its operator. Requests are in the journal, not here. */
export interface Log {
  info(detail: object, message: string): void
  error(detail: object, message: string): void
}

/** A log that says nothing, for use in code and in tests. */
export const silentLog: Log = { info() {}, error() {} }
