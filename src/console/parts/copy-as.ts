import { mediaNoteForm } from '../../emulator/page.ts'

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
  return { curl: asCurl, fetch: asFetch, python: asPython }[form](request)
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

function asFetch(request: Sendable): string {
  const sent =
    request.body === undefined ? JSON.stringify(request.text) : `JSON.stringify(${jsonOf(request.body, 2)})`
  return [
    `const reply = await fetch(${JSON.stringify(request.url)}, {`,
    `  method: ${JSON.stringify(request.method)},`,
    `  headers: ${jsonOf(headersOf(request), 2)},`,
    ...(sent === undefined ? [] : [`  body: ${sent},`]),
    '})',
    'console.log(reply.status, await reply.json())',
  ].join('\n')
}

function asPython(request: Sendable): string {
  const sent =
    request.body === undefined
      ? request.text !== undefined && `data=${JSON.stringify(request.text)}.encode()`
      : `json=${pythonOf(request.body)}`
  return [
    'import requests',
    '',
    `reply = requests.request(${JSON.stringify(request.method)}, ${JSON.stringify(request.url)},`,
    `    headers=${pythonOf(headersOf(request))},`,
    ...(sent ? [`    ${sent},`] : []),
    ')',
    'print(reply.status_code, reply.json())',
  ].join('\n')
}

function headersOf({ key, body, text }: Sendable): Record<string, string> {
  return {
    ...(key !== undefined && { Authorization: `Bearer ${key}` }),
    ...((body ?? text) !== undefined && { 'Content-Type': 'application/json' }),
  }
}

/** Python spells three words of JSON differently; inside strings they are not changed. */
function pythonOf(value: unknown): string {
  const words: Record<string, string> = { true: 'True', false: 'False', null: 'None' }
  return jsonOf(value, 4).replace(/"(?:[^"\\]|\\.)*"|\b(true|false|null)\b/g, (whole, word?: string) =>
    word === undefined ? whole : (words[word] ?? whole),
  )
}

/** JSON as a part of a program that is indented by so much. */
function jsonOf(value: unknown, indent: number): string {
  return JSON.stringify(value, null, indent).replaceAll('\n', `\n${' '.repeat(indent)}`)
}

/**
 * Whether a body of the journal is complete, so that it can be sent again. The journal keeps media as digests, cuts long bodies,
 * and keeps a body that is not JSON as a text.
 */
export function isWhole(body: unknown): boolean {
  return typeof body !== 'string' && !mediaNoteForm.test(JSON.stringify(body))
}
