/** A request as it is sent. */
export interface Sendable {
  method: string
  /** Absolute. */
  url: string
  /** The API key; none for the control API. */
  key?: string
  body?: unknown
  /** A body that is no JSON, as it is sent; used when there is no `body`. */
  text?: string
}

export type CopyForm = 'curl' | 'fetch' | 'python'

export const copyForms: Readonly<Record<CopyForm, string>> = {
  curl: 'curl',
  fetch: 'fetch',
  python: 'Python',
}

/** A request as text to paste into a shell or a program. */
export function copyAs(form: CopyForm, request: Sendable): string {
  switch (form) {
    case 'curl':
      return asCurl(request)
    case 'fetch':
      return asFetch(request)
    case 'python':
      return asPython(request)
  }
}

function asCurl({ method, url, key, body, text }: Sendable): string {
  const parts = [
    `curl${method === 'GET' ? '' : ` -X ${method}`} ${quoted(url)}`,
    ...(key === undefined ? [] : [`-H ${quoted(`Authorization: Bearer ${key}`)}`]),
  ]
  const sent = body === undefined ? text : JSON.stringify(body, null, 2)
  if (sent !== undefined) parts.push(`-H 'Content-Type: application/json'`, `-d ${quoted(sent)}`)
  return parts.join(' \\\n  ')
}

/** Quotes a text for a shell: inside single quotes, only a single quote needs an escape. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}

function asFetch({ method, url, key, body, text }: Sendable): string {
  const headers = {
    ...(key !== undefined && { Authorization: `Bearer ${key}` }),
    ...((body ?? text) !== undefined && { 'Content-Type': 'application/json' }),
  }
  const lines = [
    `const reply = await fetch(${JSON.stringify(url)}, {`,
    `  method: ${JSON.stringify(method)},`,
    `  headers: ${indented(JSON.stringify(headers, null, 2), 2)},`,
    ...(body === undefined ? [] : [`  body: JSON.stringify(${indented(JSON.stringify(body, null, 2), 2)}),`]),
    ...(body === undefined && text !== undefined ? [`  body: ${JSON.stringify(text)},`] : []),
    '})',
    'console.log(reply.status, await reply.json())',
  ]
  return lines.join('\n')
}

function asPython({ method, url, key, body, text }: Sendable): string {
  const headers = [
    ...(key === undefined ? [] : [`"Authorization": ${JSON.stringify(`Bearer ${key}`)}`]),
    ...(body === undefined && text !== undefined ? ['"Content-Type": "application/json"'] : []),
  ]
  const lines = [
    'import requests',
    '',
    `reply = requests.request(${JSON.stringify(method)}, ${JSON.stringify(url)},`,
    ...(headers.length === 0 ? [] : [`    headers={${headers.join(', ')}},`]),
    ...(body === undefined ? [] : [`    json=${indented(pythonOf(body), 4)},`]),
    ...(body === undefined && text !== undefined ? [`    data=${JSON.stringify(text)}.encode(),`] : []),
    ')',
    'print(reply.status_code, reply.json())',
  ]
  return lines.join('\n')
}

/** Python spells three words of JSON differently; inside strings they are not changed. */
function pythonOf(value: unknown): string {
  const words: Record<string, string> = { true: 'True', false: 'False', null: 'None' }
  return JSON.stringify(value, null, 4).replace(
    /"(?:[^"\\]|\\.)*"|\b(true|false|null)\b/g,
    (whole, word?: string) => (word === undefined ? whole : (words[word] ?? whole)),
  )
}

function indented(text: string, by: number): string {
  return text.replaceAll('\n', `\n${' '.repeat(by)}`)
}

/**
 * Whether a body of the journal is complete, so that it can be sent again. The journal keeps media as digests, cuts long bodies,
 * and keeps a body that is not JSON as a text.
 */
export function isWhole(body: unknown): boolean {
  return typeof body !== 'string' && !/…\(\d+ characters, sha256 [0-9a-f]{16}\)/.test(JSON.stringify(body))
}
