import { type MediaFacts, mediaFactsSchema } from './media-facts.ts'
import { accountName, flag, id, ms, record } from './record-values.ts'

const assetKinds = ['image', 'video', 'audio'] as const

/** One entry of an account's asset library. */
export interface Asset {
  id: string
  account: string
  kind: (typeof assetKinds)[number]
  createdAt: number
  /** The facts about its file. The library stores the bytes under the digest, unless it is a stand-in. */
  facts: MediaFacts
  url?: string
  certifiedPerson: boolean
}

/** The schema of an asset in data files and state documents. */
export const assetSchema = record<Asset>(
  {
    id,
    account: accountName,
    kind: { enum: assetKinds },
    createdAt: ms,
    certifiedPerson: flag,
    facts: mediaFactsSchema,
  },
  { url: { type: 'string', maxLength: 1_000_000 } },
)
