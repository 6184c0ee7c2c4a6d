import type { IncomingHttpHeaders } from 'node:http'

/** What a client's conditions are compared with. */
interface Version {
  etag: string
  lastModified: string | undefined
}

/** The status when the conditions of a GET or HEAD fail: 412 or 304; undefined when the file may be sent (RFC 9110, 13.2.2). */
export function endOfPreconditions(headers: IncomingHttpHeaders, version: Version): 304 | 412 | undefined {
  const { 'if-match': match, 'if-none-match': noneMatch } = headers
  if (match !== undefined) {
    if (!lists(match, version.etag)) return 412
  } else if (isSince(headers['if-unmodified-since'], version) === false) return 412
  if (noneMatch !== undefined) return lists(noneMatch.replaceAll('W/', ''), version.etag) ? 304 : undefined
  return isSince(headers['if-modified-since'], version) ? 304 : undefined
}

function lists(tags: string, etag: string): boolean {
  return tags.split(',').some(tag => tag.trim() === '*' || tag.trim() === etag)
}

/** Whether a date is not before the file's; undefined when the date is missing or cannot be read. */
function isSince(date: string | undefined, { lastModified }: Version): boolean | undefined {
  const [asked, own] = [Date.parse(date ?? ''), Date.parse(lastModified ?? '')]
  return Number.isNaN(asked) || Number.isNaN(own) ? undefined : asked >= own
}
