import { createHash } from 'node:crypto'

const longestText = 1024

/** A request body as it is kept: inline media replaced by what they were, so that neither journal nor tasks hold megabytes. */
export function digested(value: unknown): unknown {
  if (typeof value === 'string') return value.length > longestText ? digestText(value) : value
  if (Array.isArray(value)) return value.map(digested)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, digested(entry)]))
}

function digestText(text: string): string {
  const media = /^data:[^,]{0,100},/.exec(text)?.[0] ?? (isBase64(text) ? '' : undefined)
  if (media === undefined) return text
  const digest = createHash('sha256').update(text).digest('hex').slice(0, 16)
  return `${media}…(${text.length} characters, sha256 ${digest})`
}

function isBase64(text: string): boolean {
  return /^[A-Za-z0-9+/]{1024}/.test(text) && !/[^A-Za-z0-9+/=\s]/.test(text)
}
