import { mediaFactsSchema } from './media-facts.ts'
import { accountName, flag, id, ms, record, type Value } from './record-values.ts'

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
