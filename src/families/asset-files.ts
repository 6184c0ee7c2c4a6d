import { InputError } from '../media/input-error.ts'
import type { AssetFile } from '../media/inputs/input-context.ts'
import type { Call } from '../pipeline/endpoint.ts'

/**
 * The file behind an `asset://` reference of the caller's account. Undefined for an unknown asset and for another account's
 * asset.
 */
export function assetIn(
  { world, account, services }: Pick<Call, 'world' | 'account' | 'services'>,
  id: string,
): AssetFile | undefined {
  const asset = world.state.assets.get(id)
  if (!asset || asset.account !== account.id) return undefined
  return {
    kind: asset.kind,
    name: asset.url ?? asset.id,
    certifiedPerson: asset.certifiedPerson,
    facts: asset.facts,
    async read() {
      const bytes = await services.library.kept(asset.facts.digest)
      if (!bytes) throw new InputError('unreachable', `the bytes of the asset ${id} are gone`)
      return bytes
    },
  }
}
