import { invalid } from '../faults/fault-error.ts'
import { shown } from '../wording/shown.ts'

/**
 * Spec, "Events" 1 and "Errors" rule 2: a request with `callback_url` is a 400. An empty string is allowed, since vendors'
 * examples send it for "no callback" (A-callback); the pipeline has removed nulls. `fields` are the places where a client may put
 * a callback.
 */
export function checkNoCallback(fields: Readonly<Record<string, unknown>>): void {
  for (const param in fields) {
    const value = fields[param]
    if (value !== undefined && value !== '')
      throw invalid(
        param,
        `callbacks are not supported, so ${shown(value)} must be left out; poll the query endpoint instead`,
      )
  }
}
