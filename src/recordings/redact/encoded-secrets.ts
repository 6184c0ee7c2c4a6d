import { type PlainText, plainTextOf, searchable, textOfBytes } from './plain-text.ts'
import type { Pseudonyms } from './pseudonyms.ts'
import { type Redaction, type Secret, secretAt } from './secret.ts'

/** A longer run of base64 or hex is a file. Characters. */
const longestRun = 256
/** A compressed text may hold anything: gzip in base64 and in hex. */
const isPacked = /^(?:H4sI[\w+/-]|1f8b08)/i

/** Base64 and hex in which a secret is written. */
export function encodedSecrets(plain: PlainText, how: Redaction): Secret[] {
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
