/** The time of the machine, also while a test in this process replaces `Date` and `performance` by fake ones: no wait would end by those. */
export const realTime = {
  /** Epoch milliseconds. Time servers and users may set it back. */
  wallNow: Date.now.bind(Date),
  /** Milliseconds since the start of the process. */
  elapsedMs: performance.now.bind(performance),
}
