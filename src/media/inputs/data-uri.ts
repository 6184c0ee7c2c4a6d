import { InputError, shortReference } from './errors.ts'

/**
 * The bytes of `data:<kind>/<format>;base64,…`. Only the form of the label is checked; whether it is true is the caller's question;
 * line breaks inside are allowed. The size is checked before decoding. Throws InputError `malformed_reference` or `too_large`.
 */
export function readDataUri(uri: string, maxBytes: number): Buffer {
  const head = /^data:(image|video|audio|application|text)\/[a-z0-9][a-z0-9.+-]*;base64,/.exec(
    uri.slice(0, 200),
  )
  if (head) return readBase64(uri.slice(head[0].length), maxBytes)
  throw malformed(uri, 'not of the form data:<kind>/<format in lower case>;base64,<data>')
}

/** The bytes of plain base64, with or without padding. Throws InputError `malformed_reference` or `too_large`. */
export function readBase64(text: string, maxBytes: number): Buffer {
  // Four characters are three bytes; some more are allowed for line breaks, which are removed next.
  if (text.length > maxBytes * 1.5 + 1024) throw tooLarge(Math.floor(text.length * 0.75), maxBytes)
  const packed = /\s/.test(text) ? text.replace(/\s+/g, '') : text
  const padding = packed.endsWith('==') ? 2 : packed.endsWith('=') ? 1 : 0
  const expected = Math.floor(((packed.length - padding) * 3) / 4)
  if (expected > maxBytes) throw tooLarge(expected, maxBytes)
  // The decoder takes the URL-safe alphabet too; upstreams take the standard one only (A-labels).
  if (/[-_]/.test(packed))
    throw malformed(packed, 'URL-safe base64 (- and _), must be standard base64 (+ and /)')
  const bytes = Buffer.from(packed, 'base64')
  // The decoder skips invalid characters, so that they appear as missing bytes.
  if (bytes.length === expected && expected > 0) return bytes
  throw malformed(packed, 'not valid base64')
}

function malformed(text: string, what: string): InputError {
  return new InputError('malformed_reference', `"${shortReference(text)}" is ${what}`)
}

function tooLarge(size: number, maxBytes: number): InputError {
  return new InputError('too_large', `the inline file has ${size} bytes; at most ${maxBytes} are allowed`)
}
