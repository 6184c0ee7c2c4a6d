import { type MediaFacts, mediaFactsSchema } from './media-facts.ts'
import { accountName, id, ms, type RecordSchema } from './record-values.ts'

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
export const assetSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['id', 'account', 'kind', 'createdAt', 'facts', 'certifiedPerson'],
  properties: {
    id,
    account: accountName,
    kind: { enum: assetKinds },
    createdAt: ms,
    url: { type: 'string', maxLength: 1_000_000 },
    certifiedPerson: { type: 'boolean' },
    facts: mediaFactsSchema,
  },
} as const satisfies RecordSchema<Asset>
