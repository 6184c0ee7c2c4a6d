/**
 * Whether a body of the journal is complete, so that it can be sent again. The journal keeps media as digests, cuts long bodies,
 * and keeps a body that is not JSON as a text.
 */
export function isWhole(body: unknown): boolean {
  return typeof body !== 'string' && !/…\(\d+ characters, sha256 [0-9a-f]{16}\)/.test(JSON.stringify(body))
}
