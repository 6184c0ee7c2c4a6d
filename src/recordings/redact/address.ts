import { redactLink } from './link.ts'
import { plainTextOf, searchable, textOfBytes } from './plain-text.ts'
import { inShape } from './pseudonyms.ts'
import { isPathStep, isPlainName, isPublicWord, isQueryName } from './public-words.ts'
import type { Redaction } from './secret.ts'
import { isAccountName, secretName } from './secret-names.ts'
import { redactMessage, redactText } from './text.ts'

/** The address of a request of the API: paths and parameters of the API are kept, without secrets in them; other parameters are numbered. */
export function redactAddress(text: string, how: Redaction): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url) return redactText(text, how)
  const query = [...url.searchParams].map(pair =>
    redactParameter(pair, how).map(encodeURIComponent).join('='),
  )
  const path = url.pathname.split('/').map((part, at, all) => redactStep(part, all[at - 1] ?? '', how))
  return `${url.protocol}//${redactHost(url.host, how)}${path.join('/')}${query.length > 0 ? `?${query.join('&')}` : ''}`
}

/** The gateway's own host is kept, unless a secret is in it. */
function redactHost(host: string, { names }: Redaction): string {
  return names.find(searchable(host)).length > 0 || /(?:^|\.)sk-/.test(host) ? 'gateway.redacted' : host
}

function redactStep(part: string, before: string, how: Redaction): string {
  if (part === '' || isPathStep(part)) return part
  const plain = plainTextOf(part)
  const known = plain && how.names.nameOf(searchable(plain.bytes))
  // In the shape that the same value has in a body.
  if (plain && known !== undefined) return inShape(known, textOfBytes(plain.bytes))
  const kind = isAccountName(before) ? 'account' : secretName.test(before) && 'secret'
  if (kind) return how.names.hide(kind, plain ? textOfBytes(plain.bytes) : part)
  const clean = redactText(part, how)
  return clean === part ? part : clean.split('/').map(encodeURIComponent).join('%2F')
}

/** Items that commas separate. A hidden value has the same name as in the body of the request that sent it. */
function redactItems(value: string, how: Redaction): string {
  const items = value.split(',').map(item => {
    const known = how.names.nameOf(searchable(plainTextOf(item)?.bytes ?? ''))
    return known !== undefined && !/^\d{1,5}$/.test(item) && !isPublicWord(item) ? inShape(known, item) : item
  })
  return redactText(items.join(','), how)
}

function redactParameter([name, value]: [string, string], how: Redaction): [string, string] {
  const isSecret = secretName.test(name) || isAccountName(name)
  const isKnown = isQueryName(name)
  const shown = isKnown || isPlainName(name) ? name : how.names.name('parameter', name)
  if (isSecret) return [shown, value === '' ? '' : how.names.hide('secret', value)]
  if (isKnown)
    return [shown, /^https?:\/\//i.test(value) ? redactLink(value, how.names) : redactItems(value, how)]
  // Read for the secrets in it, which a reply may repeat.
  redactMessage(value, how)
  return [shown, value === '' ? '' : how.names.name('value', value)]
}
