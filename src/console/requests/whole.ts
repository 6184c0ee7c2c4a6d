/**
 * Whether a body in the journal can be sent again as it stands there: media are kept as their digest alone, what is very long is
 * cut, and what was no JSON stands there as a text.
 */
export function isWhole(body: unknown): boolean {
  return typeof body !== 'string' && !/…\(\d+ characters, sha256 [0-9a-f]{16}\)/.test(JSON.stringify(body))
}
