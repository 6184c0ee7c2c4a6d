import { readFixture } from '../package/files.ts'
import type { Call } from '../pipeline/endpoint.ts'

const shipped = readFixture<Record<string, number>>('prices.json')

/**
 * A price in credits, from the config file or `fixtures/prices.json`. Throws a plain error for an unknown key: that is a mistake
 * in a family's code.
 */
export function priceOf({ services }: Pick<Call, 'services'>, key: string): number {
  const price = services.options.prices[key] ?? shipped[key]
  if (price === undefined) throw new Error(`No price is named ${key}`)
  return price
}
