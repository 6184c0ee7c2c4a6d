/** The names of all media faults. */
export const mediaFaultKinds = [
  'truncated',
  'empty',
  'corrupt',
  'wrong_type',
  'missing_url',
  'link_expired',
  'link_exhausted',
  'slow',
  'stall',
] as const

export type MediaFaultKind = (typeof mediaFaultKinds)[number]

/** The fault of a task's files, decided at admission. */
export interface MediaFault {
  kind: MediaFaultKind
  /** Bytes per second for `slow`; the fraction 0..1 after which a `stall` stops. */
  value?: number
}
