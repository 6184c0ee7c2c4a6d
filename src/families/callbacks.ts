import { invalid, shown } from '../http/errors.ts'

/**
 * Spec, "Events" 1 and "Errors" rule 2: a request that carries `callback_url` is a 400. Null never gets here, and an empty
 * string is how vendors' examples leave it out (A-callback). `fields` are the places where a client may put it.
 */
export function checkNoCallback(fields: Readonly<Record<string, unknown>>): void {
  for (const [param, value] of Object.entries(fields)) {
    if (value !== undefined && value !== '')
      throw invalid(
        param,
        `callbacks are not supported, so ${shown(value)} must be left out; poll the query endpoint instead`,
      )
  }
}
