import { redactLink } from './link.ts'
import { namedValues } from './named-values.ts'
import { type PlainText, plainTextOf, searchable, spanOf, textOfBytes } from './plain-text.ts'
import type { Pseudonyms } from './pseudonyms.ts'
import { isCommonWord, isFieldName, isPlainName, isPublicWord } from './public-words.ts'
import { type Find, type Redaction, type Secret, secretAt } from './secret.ts'
import { accountInChinese, accountInText } from './secret-names.ts'

/** A text without keys, signatures of links, assets, addresses and accounts, and without every secret that appeared elsewhere in the recording. */
export function redactText(text: string, how: Redaction): string {
  return withoutSecrets(text, plain => [
    ...found(plain, how.names.find(searchable(plain.bytes))),
    ...finders.flatMap(find => find(plain, how)),
  ])
}

/** The same for a text that people read, such as an error message: also short secrets and parts of prompts are hidden. */
export function redactMessage(text: string, how: Redaction): string {
  return withoutSecrets(text, plain => [
    ...found(plain, how.names.findInMessage(searchable(plain.bytes))),
    ...finders.flatMap(find => find(plain, how)),
    ...quotedPrompts(plain, how),
  ])
}

function withoutSecrets(text: string, find: (plain: PlainText) => Secret[]): string {
  if (text === '') return text
  const plain = plainTextOf(text)
  if (!plain) return `[${text.length} characters behind too many escapes]`
  const secrets = joined(find(plain).filter(({ start, end }) => end > start))
  if (secrets.length === 0) return text
  let out = ''
  let done = 0
  for (const { start, end, replacement } of secrets) {
    out += text.slice(done, start) + replacement(text.slice(start, end))
    done = end
  }
  return out + text.slice(done)
}

/** Parts that overlap are replaced together. The part that begins first, or else is longer, decides how. */
function joined(secrets: readonly Secret[]): Secret[] {
  const sorted = [...secrets].sort((a, b) => a.start - b.start || b.end - a.end)
  const parts: Secret[] = []
  for (const secret of sorted) {
    const last = parts.at(-1)
    if (last && secret.start < last.end) last.end = Math.max(last.end, secret.end)
    else parts.push({ ...secret })
  }
  return parts
}

function found(plain: PlainText, spans: readonly { start: number; end: number; name: string }[]): Secret[] {
  return spans.map(({ start, end, name }) => ({ ...spanOf(plain, start, end), replacement: () => name }))
}

/** A pattern whose matches are secrets. With a group, only the group is one. */
function pattern(kind: string, expression: RegExp): Find {
  const indexed = new RegExp(expression.source, `${expression.flags}d`)
  return (plain, { names }) =>
    [...plain.bytes.matchAll(indexed)].flatMap(match => {
      const range = match.indices?.slice(1).find(Boolean) ?? match.indices?.[0]
      return range ? [secretAt(plain, range, value => names.hide(kind, value))] : []
    })
}

const domains =
  'com|net|org|io|cn|ai|dev|app|cloud|edu|gov|info|biz|eu|us|uk|de|fr|jp|kr|hk|sg|tw|ru|internal|local|lan|corp|intra|svc|localdomain|home|arpa|test|example|invalid|localhost'

const finders: readonly Find[] = [
  links,
  pattern('secret', /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g),
  // A letter before it means a longer word, as in `task-1`.
  pattern('key', /(?<![a-z])sk[-_][a-z0-9][a-z0-9._*~+=-]*/gi),
  pattern('key', /\b(?:bearer|basic|digest|negotiate)[\s+]+(?!realm\b)([a-z0-9._~+/=:-]{4,})/gi),
  pattern('cookie', /\b(?:set-)?cookie\s*:\s*([^\r\n"]+)/gi),
  pattern('secret', /\beyJ[\w-]{12,}(?:\.[\w-]*){0,2}/g),
  // The beginnings of keys of other services.
  pattern(
    'secret',
    /\b(?:A[KS]IA|AKID|LTAI|AKLT|AKTP|AIza|gh[oprsu]_|github_pat_|glpat-|xox[a-z]-|xapp-|[prs]k_(?:live|test)_|whsec_|hf_|r8_|gsk_|xai-|npm_|dckr_pat_|ya29\.|SG\.)[A-Za-z0-9._-]{8,}/g,
  ),
  pattern('secret', /(?<![\w-])(?:-u|--user)[ \t]+["']?([^\s"']+:[^\s"']+)/g),
  // A part of a secret, as services show it: `ab12****89`.
  pattern('secret', /(?<![\w-])[\w-]*?(?:\*{3,}|x{6,})[\w-]*/g),
  pattern('account', /\b(?:arn|trn|acs|crn|qcs):[A-Za-z0-9:/_.*-]+/g),
  pattern('address', /(?<![\w.+%-])[\w.+%-]+@[\w-]+(?:\.[\w-]+)+/g),
  pattern('address', /(?<![\w.])(?:\d{1,3}\.){3}\d{1,3}(?::\d{1,5})?(?!\.?\d)/g),
  pattern(
    'address',
    /(?<![\w:.])(?:(?:[0-9a-f]{1,4}:){7}[0-9a-f]{1,4}|(?=[0-9a-f:]*::)(?:[0-9a-f]{0,4}:){2,7}[0-9a-f]{1,4})(?![\w:])/gi,
  ),
  pattern('address', /\b(?:[0-9a-f]{2}[:-]){5}[0-9a-f]{2}\b/gi),
  pattern(
    'address',
    new RegExp(`(?<![\\w.-])(?:[a-z0-9_-]+\\.)+(?:${domains})(?::\\d{1,5})?(?![\\w-]|\\.\\w)`, 'gi'),
  ),
  pattern('address', /(?<![\w.-])[a-z][\w-]*(?:\.[\w-]+)*:\d{4,5}(?!\w)/gi),
  pattern('address', /\+\d[\d -]{7,}\d/g),
  assets,
  namedValues,
  accounts,
  encodedSecrets,
  // Last, so that a random text which says a secret in base64 is named for that.
  randomTexts,
]

/** Texts of letters and digits that a random generator made. Words and names have longer runs of one kind; ids of the API have no capitals. */
function randomTexts(plain: PlainText, { names }: Redaction): Secret[] {
  return [...plain.bytes.matchAll(/[A-Za-z0-9][\w-]{14,}/g)].flatMap(({ 0: text, index }) =>
    isRandom(text)
      ? [secretAt(plain, [index, index + text.length], value => names.hide('secret', value))]
      : [],
  )
}

function isRandom(text: string): boolean {
  if (!/\d/.test(text) || !/[a-z]/.test(text) || !/[A-Z]/.test(text)) return false
  const runs = text.match(/[A-Z]?[a-z]+|[A-Z]+|\d+/g) ?? []
  return runs.join('').length < 2.3 * runs.length
}

/** Links, to their end. An encoded blank or quote does not end a link, and `&` ends one that is itself encoded. */
function links(plain: PlainText, { names }: Redaction): Secret[] {
  const { text, bytes, from } = plain
  const isPercent = (at: number) => from !== undefined && text[from[at] ?? 0] === '%'
  return [...bytes.matchAll(/[a-z][a-z0-9+.-]{1,20}:\/\//gi)].flatMap(match => {
    if (/^asset:/i.test(match[0])) return []
    // A word may stand directly before the link.
    const start = match.index + Math.max(0, match[0].search(/https?:\/\/$/i))
    const isEncoded = isPercent(match.index + match[0].length - 1)
    let end = match.index + match[0].length
    while (end < bytes.length) {
      const sign = bytes[end] ?? ''
      if (!isPercent(end) && (/[\s"'<>`]/.test(sign) || (isEncoded && sign === '&'))) break
      end++
    }
    const redacted = (value: string) =>
      isEncoded ? encodeURIComponent(redactLink(value, names)) : redactLink(value, names)
    return [secretAt(plain, [start, end], redacted)]
  })
}

function assets(plain: PlainText, { names }: Redaction): Secret[] {
  const known = [...plain.bytes.matchAll(/(?<![a-z])(asset:\/\/)?(asset-[\w-]+)|asset:\/\/([^\s"'<>,;)]+)/gi)]
  return known.map(match => {
    const [whole, , id, other = ''] = match
    const value = id ?? other
    const end = match.index + whole.length
    return secretAt(plain, [end - value.length, end], name => names.hide('asset-redacted', name))
  })
}

function accounts(plain: PlainText, { names }: Redaction): Secret[] {
  const inText = [...plain.bytes.matchAll(new RegExp(accountInText.source, 'gid'))].flatMap(
    (match): Secret[] => {
      const range = match.indices?.slice(1).find(Boolean)
      const value = range ? plain.bytes.slice(...range).replace(/\.+$/, '') : ''
      if (!range || value === '' || (match[4] !== undefined && isCommonWord(value))) return []
      return [secretAt(plain, [range[0], range[0] + value.length], text => names.hide('account', text))]
    },
  )
  const inChinese = [...plain.text.matchAll(new RegExp(accountInChinese.source, 'gid'))].flatMap(
    (match): Secret[] => {
      const [start, end] = match.indices?.[1] ?? [0, 0]
      return [{ start, end, replacement: part => names.hide('account', part) }]
    },
  )
  return [...inText, ...inChinese]
}

/** Parts of prompts that a message quotes. */
function quotedPrompts(plain: PlainText, { names, prompts }: Redaction): Secret[] {
  if (prompts === 'kept') return []
  return [...plain.text.matchAll(/["'“‘「『`]([^"'”’」』`]{2,})["'”’」』`]/dg)].flatMap((match): Secret[] => {
    const [start, end] = match.indices?.[1] ?? [0, 0]
    const quoted = match[1] ?? ''
    if (isPublicWord(quoted) || isFieldName(quoted) || isPlainName(quoted)) return []
    const value = plainTextOf(quoted)
    if (!value || !names.isInPrompt(searchable(value.bytes))) return []
    return [{ start, end, replacement: part => names.name('quote', part) }]
  })
}

/** A longer run of base64 or hex is a file. Characters. */
const longestRun = 256
/** A compressed text may hold anything: gzip in base64 and in hex. */
const isPacked = /^(?:H4sI[\w+/-]|1f8b08)/i

/** Base64 and hex in which a secret is written. */
function encodedSecrets(plain: PlainText, how: Redaction): Secret[] {
  return [...plain.bytes.matchAll(/[\w+/-]{8,}(?:\r?\n[\w+/-]{4,})*={0,2}/g)].flatMap(match => {
    const [run] = match
    const range = [match.index, match.index + run.length] as const
    const isFile = run.length >= longestRun || isPacked.test(run)
    if (!isFile && !decodings(run).some(bytes => tells(bytes, how.names))) return []
    return [secretAt(plain, range, value => how.names.name(isFile ? 'file' : 'encoded', value))]
  })
}

/** What a run may say: in base64 from each of four places, and in hex from each of two. */
function decodings(run: string): string[] {
  const signs = run.replace(/[\r\n]/g, '')
  const base64 = [0, 1, 2, 3].map(place => Buffer.from(signs.slice(place), 'base64').toString('latin1'))
  const hex = (signs.match(/[0-9a-f]{12,}/gi) ?? []).flatMap(digits =>
    [0, 1].map(place => Buffer.from(digits.slice(place), 'hex').toString('latin1')),
  )
  return [...base64, ...hex]
}

const deepest = 3

function tells(bytes: string, names: Pseudonyms, depth = 1): boolean {
  if (names.nameOf(searchable(bytes)) !== undefined || /(?<![a-z])sk-[a-z0-9-]{6,}/i.test(bytes)) return true
  // UTF-16 has a zero beside each letter.
  const plain = plainTextOf(textOfBytes(bytes.replaceAll('\0', '')))
  if (!plain || names.find(searchable(plain.bytes)).length > 0) return true
  const runs = depth < deepest ? (plain.bytes.match(/[\w+/-]{8,}={0,2}/g) ?? []) : []
  return runs.some(run => decodings(run).some(inner => tells(inner, names, depth + 1)))
}
