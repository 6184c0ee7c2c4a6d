import { mediaFactsSchema } from './media-facts.ts'
import { accountName, flag, id, idsOrNull, ms, nameForm, record, type Value } from './record-values.ts'

/** The schema of an asset in data files and state documents. */
export const assetSchema = record(
  {
    id,
    account: accountName,
    kind: { enum: ['image', 'video', 'audio'] },
    createdAt: ms,
    certifiedPerson: flag,
    /** The facts about its file. The library stores the bytes under the digest, unless it is a stand-in. */
    facts: mediaFactsSchema,
  },
  { url: { type: 'string', maxLength: 1_000_000 } },
)

/** One entry of an account's asset library. */
export type Asset = Value<typeof assetSchema>

/** How the special variant of family C refuses an account that may not use it: with 403 or 404. */
export const specialRefusals = ['forbidden', 'not_found'] as const

const slots = { type: 'array', maxItems: 100_000, items: ms } as const

/** How many keys of an account are listed. Further ones work, too. */
export const mostKeys = 1000

/** A key of an account beside its first one, which has the label `''`. */
const accountKey = record({
  label: { type: 'string', pattern: `^(${nameForm})?$` },
  isDisabled: flag,
})

/** The schema of an account in data files and state documents. */
export const accountSchema = record(
  {
    id: accountName,
    template: id,
    status: { enum: ['active', 'disabled', 'deleted'] },
    /** Model families' neutral ids it may use; null = all. */
    models: idsOrNull,
    /** Resolutions its group may use; null = all. */
    resolutions: idsOrNull,
    requestsPerMinute: { type: ['integer', 'null'], minimum: 1, maximum: 100_000 },
    /** Credits at the start; null = no limit. */
    balance: { type: ['number', 'null'], minimum: -1e12, maximum: 1e12 },
    /** Start slots of its latest tasks, virtual ms, at most `requestsPerMinute` of them. */
    slots,
  },
  {
    /** Absent: it may use the special variant of family C. */
    special: { enum: specialRefusals },
    /** Future slots that cancelled tasks gave back, virtual ms, earliest first. */
    freedSlots: slots,
    /** The keys that were used or changed, in that order; absent: only the first one, which works. */
    keys: { type: 'array', maxItems: mostKeys, items: accountKey },
  },
)

/** An account's state. A limit that the template does not set is unlimited. */
export type Account = Value<typeof accountSchema>
