import { accountName, id, idsOrNull, ms, record } from './record-values.ts'

const accountStatuses = ['active', 'disabled', 'deleted'] as const

/** How the special variant of family C refuses an account that may not use it: with 403 or 404. */
export const specialRefusals = ['forbidden', 'not_found'] as const

/** An account's state. A limit that the template does not set is unlimited. */
export interface Account {
  id: string
  template: string
  status: (typeof accountStatuses)[number]
  /** Model families' neutral ids it may use; null = all. */
  models: readonly string[] | null
  /** Resolutions its group may use; null = all. */
  resolutions: readonly string[] | null
  requestsPerMinute: number | null
  /** Credits at the start; null = no limit. */
  balance: number | null
  /** Absent: it may use the special variant of family C. */
  special?: (typeof specialRefusals)[number]
  /** Start slots of its latest tasks, virtual ms, at most `requestsPerMinute` of them. */
  slots: readonly number[]
  /** Future slots that cancelled tasks gave back, virtual ms, earliest first. */
  freedSlots?: readonly number[]
}

const slots = { type: 'array', maxItems: 100_000, items: ms } as const

/** The schema of an account in data files and state documents. */
export const accountSchema = record<Account>(
  {
    id: accountName,
    template: id,
    status: { enum: accountStatuses },
    models: idsOrNull,
    resolutions: idsOrNull,
    requestsPerMinute: { type: ['integer', 'null'], minimum: 1, maximum: 100_000 },
    balance: { type: ['number', 'null'], minimum: -1e12, maximum: 1e12 },
    slots,
  },
  { special: { enum: specialRefusals }, freedSlots: slots },
)
