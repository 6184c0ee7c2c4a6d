import type { Schema } from '../../http/endpoint.ts'
import { misfit, prepareChecks } from '../../http/validate.ts'
import type { RecordCheck } from '../../worlds/database.ts'
import type { WorldValues } from '../../worlds/world.ts'
import { recordSchemas } from './state-schema.ts'

/**
 * Checks whether a stored record has the shape that this program writes. Data directories of the first version have no
 * checksums; a damaged record must be found before it is used.
 */
export async function recordCheck(): Promise<RecordCheck> {
  await prepareChecks()
  const schemas: { [C in keyof WorldValues]: Schema } = recordSchemas
  return ({ collection, value }) => misfit(schemas[collection], value)
}
