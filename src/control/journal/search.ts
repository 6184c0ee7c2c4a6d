import type { RequestFilter } from '../../client/types.ts'
import type { Entry } from '../../worlds/journal.ts'

/** Whether a journal entry is of a kind. */
export const kinds: Readonly<Record<NonNullable<RequestFilter['kind']>, (entry: Entry) => boolean>> = {
  refused: ({ status }) => status >= 400,
  broken: ({ broken }) => broken !== undefined,
  rule: ({ rule }) => rule !== undefined,
  unread: ({ unread }) => unread !== undefined,
}

/** Tests whether an entry contains every word of a search: in its ids, path, headers, bodies and causes. */
export function searchOf(search: string): (entry: Entry) => boolean {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  return entry => {
    const text = textOf(entry)
    return words.every(word => text.includes(word))
  }
}

function textOf(entry: Entry): string {
  const { method, url, operation, account, status, requestId, rule, fault, param, broken, media } = entry
  const facts = [method, url, operation, account, status, requestId, rule, fault, param, broken, media]
  const sent = [...entry.requestHeaders, entry.requestBody, entry.connection?.text]
  const answered = [JSON.stringify(entry.responseHeaders), entry.responseBody, ...(entry.taskIds ?? [])]
  const text = [...facts, ...sent, ...answered].filter(part => part !== undefined).join(' ')
  return plain(text).toLowerCase()
}

/** Some clients escape every letter outside ASCII. */
function plain(text: string): string {
  if (!text.includes('\\u')) return text
  return text.replace(/\\u([0-9a-f]{4})/gi, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  )
}
