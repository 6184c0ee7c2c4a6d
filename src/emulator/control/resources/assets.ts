import type { AssetView, NewAsset } from '../../../kits/views.ts'
import { InputError } from '../../../media/index.ts'
import { checkPresent } from '../../pipeline/endpoint.ts'
import { iso, stampedId } from '../../worlds/clock.ts'
import type { MediaFacts } from '../../worlds/media-facts.ts'
import { accountName } from '../../worlds/record-values.ts'
import { type Asset, drawStream, nowIn, put, remove, type World } from '../../worlds/world.ts'
import { type ControlCall, closed, done, endpoints, listed } from '../control-endpoint.ts'
import { badRequest, notFound } from '../control-error.ts'
import { offerUndo, undoQuery } from './undo.ts'

const largestAsset = 200 * 1024 * 1024

/** The asset library of an account, and real-person certification. */
export const assetEndpoints = endpoints({
  'GET /assets': {
    summary: 'Assets, oldest first',
    query: { account: { type: 'string' } },
    handle({ world, query }) {
      return listed(ownedBy(world, query.account).map(assetView))
    },
  },
  'POST /assets': {
    opens: true,
    example: { body: { kind: 'image', url: '{{samples}}/portrait.jpg', certified_person: true } },
    summary: 'Put a file into the asset library',
    query: { account: { type: 'string' } },
    body: closed(
      {
        kind: { type: 'string', enum: ['image', 'video', 'audio'] },
        account: accountName,
        url: { type: 'string', minLength: 1 },
        data: { type: 'string', minLength: 1 },
        certified_person: { type: 'boolean' },
      },
      ['kind'],
    ),
    async handle(call) {
      return done(assetView(await register(call)), 201)
    },
  },
  'DELETE /assets/:id': {
    orAt: '/assets',
    summary: 'Remove an asset; without an id, all assets or all assets of an account',
    query: { account: { type: 'string' }, ...undoQuery },
    handle(call) {
      const { world, params, query } = call
      const gone = params.id === undefined ? ownedBy(world, query.account) : [assetNamed(world, params.id)]
      const undo = offerUndo(call, () => () => {
        for (const asset of gone) put(world, 'assets', asset.id, asset)
      })
      for (const { id } of gone) remove(world, 'assets', id)
      return done(undo)
    },
  },
})

function assetNamed(world: World, id: string): Asset {
  const asset = world.state.assets.get(id)
  if (!asset) throw notFound(`The asset ${id}`)
  return asset
}

/** The assets of one account or of all accounts. */
function ownedBy(world: World, account: unknown): Asset[] {
  return [...world.state.assets.values()].filter(asset => account === undefined || asset.account === account)
}

async function register(call: ControlCall): Promise<Asset> {
  const { world, query } = call
  const { generation } = world
  const body = call.body as NewAsset
  const facts = await factsOf(call, body)
  checkPresent(world, generation)
  const now = nowIn(world)
  const asset: Asset = {
    id: stampedId('asset', drawStream(world, 'asset'), now),
    account: body.account ?? (query as { account?: string }).account ?? 'default',
    kind: body.kind,
    createdAt: now,
    facts,
    certifiedPerson: body.certified_person ?? false,
    ...(body.url && { url: body.url }),
  }
  put(world, 'assets', asset.id, asset)
  return asset
}

/** The facts about the file. The whole file is stored. For a link that must not be fetched, a stand-in is used, as in a request. */
async function factsOf(call: ControlCall, { kind, url, data }: NewAsset): Promise<MediaFacts> {
  if ((url === undefined) === (data === undefined)) throw badRequest('Exactly one of url and data is needed')
  try {
    return await call.services.inputs.resolve(url ?? data ?? '', kind, {
      maxBytes: largestAsset,
      rawBase64: data !== undefined,
      keepWhole: true,
      asset: () => undefined,
      own: address => call.services.selfLink(call, address),
      world: call.world.id,
    })
  } catch (error) {
    if (error instanceof InputError)
      throw badRequest(error.message, { path: data === undefined ? 'url' : 'data' })
    throw error
  }
}

/** An asset in a reply of the control API. */
function assetView(asset: Asset): AssetView {
  return {
    id: asset.id,
    reference: `asset://${asset.id}`,
    account: asset.account,
    kind: asset.kind,
    format: asset.facts.format,
    bytes: asset.facts.bytes,
    facts: asset.facts,
    certified_person: asset.certifiedPerson,
    created_at: iso(asset.createdAt),
    ...(asset.url && { url: asset.url }),
  }
}
