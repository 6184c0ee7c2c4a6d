import { plainType } from '../describe-media.ts'
import type { Pair } from '../har.ts'
import { isKnownEnding, redactLink } from './link.ts'
import { isPlainName } from './public-words.ts'
import type { Redaction } from './secret.ts'
import { headerForms, isAccountName, plainHeaders, secretName } from './secret-names.ts'
import { redactMessage, redactText } from './text.ts'

/** A header without secrets. Of an unknown header only the name is kept, and that only when it consists of known words. */
export function redactHeader([name, value]: Pair, how: Redaction): Pair {
  const lower = name.toLowerCase()
  const { names } = how
  switch (lower) {
    case 'authorization':
    case 'proxy-authorization':
      return [name, redactAuthorization(value, how)]
    case 'cookie':
    case 'set-cookie':
      learnCookies(lower === 'cookie' ? value.split(';') : [value.split(';', 1)[0] ?? ''], how)
      return [name, 'redacted']
    case 'content-type':
      return [name, redactType(value, how)]
    case 'content-disposition':
      return [name, redactDisposition(value, how)]
    case 'location':
    case 'content-location':
      return [name, redactLink(value, names)]
  }
  if (headerForms[lower]?.test(value)) return [name, value]
  if (plainHeaders.has(lower) || lower.startsWith('x-emulator-'))
    return [shownName(name, how), redactKept(value, how)]
  if (secretName.test(lower) || isAccountName(lower.replace(/^x-/, '').replaceAll('-', '_')))
    names.hide('secret', value)
  // Read for the secrets in it, which a reply may repeat.
  else redactMessage(value, how)
  return [shownName(name, how), 'redacted']
}

function shownName(name: string, { names }: Redaction): string {
  return plainHeaders.has(name.toLowerCase()) || isPlainName(name)
    ? name
    : names.name('x-header', name.toLowerCase())
}

function redactKept(value: string, how: Redaction): string {
  const known = how.names.nameOf(value.toLowerCase())
  return known ?? redactText(value, how)
}

const scheme = /^(?:bearer|basic|digest|negotiate|token|apikey)\s+/i

/** Scheme and blanks are kept, because they decide whether the key is accepted (specification, "Authentication" 3). */
function redactAuthorization(value: string, { names }: Redaction): string {
  const start = scheme.exec(value)?.[0] ?? ''
  const rest = value.slice(start.length)
  const redacted = start + rest.replace(/[^\s,]+/g, key => names.hide('key', key))
  if (/[\s,]/.test(rest.trim())) names.hide('secret', rest.trim())
  if (/^basic/i.test(start)) {
    const said = Buffer.from(rest.trim(), 'base64').toString('utf8')
    const [user = '', ...password] = said.split(':')
    for (const part of [said, user, password.join(':')]) names.hide('secret', part)
  }
  return redacted
}

/** Names, paths and dates of cookies are not secret. */
function learnCookies(pairs: readonly string[], { names }: Redaction): void {
  for (const pair of pairs) {
    const value = pair.includes('=') ? pair.slice(pair.indexOf('=') + 1) : pair
    names.hide('cookie', value.trim())
    names.hide('cookie', value.trim().replace(/^"(.*)"$/, '$1'))
  }
}

/** The type, and the charset when it is one; a boundary may be anything. */
function redactType(value: string, how: Redaction): string {
  const charset =
    /;\s*charset="?(utf-?8|utf-16|us-ascii|iso-8859-\d+|windows-125\d|gbk|gb2312|gb18030|big5)"?/i.exec(value)
  return redactText(plainType(value), how) + (charset ? `; charset=${charset[1]}` : '')
}

function redactDisposition(value: string, { names }: Redaction): string {
  const kind = /^\s*(attachment|inline|form-data)/i.exec(value)?.[1]
  const files = [...value.matchAll(/filename(\*?)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;]*))/gi)]
  let ending = ''
  for (const [, isExtended, quoted, plain = ''] of files) {
    const file = (quoted ?? plain.trim()).replace(isExtended ? /^[\w-]*'[\w-]*'/ : '', '')
    names.hide('file', file)
    const found = /\.([A-Za-z0-9]{2,5})$/.exec(file)?.[1]?.toLowerCase()
    if (found !== undefined && isKnownEnding(found)) ending = `.${found}`
  }
  return [kind ?? 'redacted', ...(files.length > 0 ? [`filename="redacted${ending}"`] : [])].join('; ')
}
