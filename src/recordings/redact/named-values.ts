import { type PlainText, plainTextOf, textOfBytes } from './plain-text.ts'
import { redactPrompt } from './prompt.ts'
import { isCommonWord, isFieldName, isPlainName } from './public-words.ts'
import { type Redaction, type Secret, secretAt } from './secret.ts'
import { countName, isAccountName, promptName, promptObjectName, secretName } from './secret-names.ts'

/** `"token": "…"` inside JSON inside a text, `token=…`, `otp: 12`, `:token => '…'`, `--token …`, `<token>…</token>`. */
export function namedValues(plain: PlainText, how: Redaction): Secret[] {
  const quoted = [...plain.text.matchAll(/(?<!\\)(\\*)"([^"\\]{1,64})\1"\s*:\s*(?:(\1")|-?\d[\d.]*)/g)]
  const inJson = quoted.flatMap((match): Secret[] => {
    const [whole, level = '', name = '', isString] = match
    const end = match.index + whole.length
    const start = isString === undefined ? match.index + whole.search(/-?\d[\d.]*$/) : end
    const kind = kindOf(name, isString === undefined)
    if (kind === undefined || (kind === 'prompt' && how.prompts === 'kept')) return []
    const span = { start, end: isString === undefined ? end : closingQuote(plain.text, start, level.length) }
    return [{ ...span, replacement: part => hidden(kind, plainOf(part), how) }]
  })
  const pairs =
    /(?<![\w.-])(?:--?)?([a-z][\w.-]{0,60})["'`]?\s*(?:(=>|:=|->|==?)|:|\xef\xbc\x9a)\s*(?:b(?=["'])|[[<({`])?(?:"([^"]*)"|'([^']*)'|["'`]?([^\s"'`&<>,;}\])]+))/dgi
  const inText = [...plain.bytes.matchAll(pairs)].flatMap((match): Secret[] => {
    const [, name = '', equals] = match
    const range = match.indices?.slice(3).find(Boolean)
    const value = range ? textOfBytes(plain.bytes.slice(...range)) : ''
    const kind = kindOf(name.split('.').at(-1) ?? '', /^-?\d+$/.test(value))
    if (!range || kind === undefined) return []
    // `Invalid token: expired` and `content: "a.png"` are sentences.
    if (equals === undefined && isCommonWord(value.replace(/[.!?]+$/, ''))) return []
    if (
      kind === 'prompt' &&
      (how.prompts === 'kept' || match[5] !== undefined || !promptObjectName.test(name))
    )
      return []
    return [secretAt(plain, range, text => hidden(kind, text, how))]
  })
  const worded = wordedValues.flatMap(pattern =>
    [...plain.bytes.matchAll(pattern)].flatMap((match): Secret[] => {
      const [, name = '', value = ''] = match
      const range = match.indices?.[2]
      const kind = kindOf(name, /^-?\d+$/.test(value))
      const isWord = isCommonWord(value.replace(/[.!?]+$/, '')) || isPlainName(value) || isFieldName(value)
      if (!range || isWord || kind === undefined || kind === 'prompt') return []
      return [secretAt(plain, range, text => hidden(kind, text, how))]
    }),
  )
  return [...inJson, ...inText, ...worded]
}

/** Name and value with a blank, a scheme, a tag or words between them. */
const wordedValues: readonly RegExp[] = [
  /(?<![\w-])--([a-z][\w-]{0,60})[ \t]+["']?([^\s"'`]+)/dgi,
  /(?<![\w-])((?:proxy-)?authorization)["'`]?\s*[:=]\s*["'`]?[\w-]{1,40}\s+([^\s"'`,;]+)/dgi,
  /<([a-z][\w:.-]{0,60})(?:\s[^<>]{0,200})?>\s*([^<>\s][^<>]{0,2000})<\//dgi,
  /(?<![\w-])(password|passphrase|secret|token|credential|api[ _-]?key|key)s?\s+(?:(?:is|was|provided|given)\s*:?\s*)?["'`(]([^\s"'`()]{4,200})["'`)]/dgi,
  /(?<![\w-])(password|passphrase|secret|token|credential|api[ _-]?key)\s+(?:is|was|provided|given)\s*:?\s+([^\s"'`(),;]{4,200})/dgi,
]

type Kind = 'secret' | 'account' | 'prompt'

function kindOf(name: string, isNumber: boolean): Kind | undefined {
  if (secretName.test(name) && !(isNumber && countName.test(name))) return 'secret'
  if (isAccountName(name)) return 'account'
  return !isNumber && promptName.test(name) ? 'prompt' : undefined
}

function hidden(kind: Kind, value: string, { names }: Redaction): string {
  if (value === '') return ''
  return kind === 'prompt' ? redactPrompt(value, names) : names.hide(kind, value)
}

function plainOf(part: string): string {
  const plain = plainTextOf(part)
  return plain ? textOfBytes(plain.bytes) : part
}

/** The quote that ends a string of JSON in which quotes stand behind `level` backslashes; each level of strings has more of them. */
function closingQuote(text: string, start: number, level: number): number {
  for (let quote = text.indexOf('"', start); quote !== -1; quote = text.indexOf('"', quote + 1)) {
    let first = quote
    while (first > start && text[first - 1] === '\\') first--
    const behind = quote - first - level
    if (behind >= 0 && behind % (2 * (level + 1)) === 0) return quote - level
  }
  return text.length
}
