import type { Redaction } from './secret.ts'
import { redactMessage, redactText } from './text.ts'

/** Elements whose text says what went wrong. All others of an object store's reply may hold keys, hosts and signatures. */
const kept = /^(?:code|message|status|title|h1|h2|p|center)$/i

/** True for XML and HTML. */
export function isMarkup(text: string): boolean {
  return /^\s*(?:<\?xml|<!doctype|<[a-z])/i.test(text)
}

/** XML or HTML without attributes, comments and scripts, and with the text of few elements only. */
export function redactMarkup(text: string, how: Redaction): string {
  const plain = text.replace(
    /<!--[\s\S]*?(?:-->|$)|<[!?][^>]*>|<(script|style)\b[\s\S]*?(?:<\/\1\s*>|$)/gi,
    '',
  )
  let element = ''
  return plain
    .split(/(<\/?[a-z][\w:.-]{0,40}[^<>]*>)/i)
    .map(part => {
      const tag = /^<(\/?)([a-z][\w:.-]{0,40})[^<>]*>$/i.exec(part)
      if (!tag) return redactPart(part, element, how)
      const [, slash, name = ''] = tag
      element = slash ? '' : name
      return `<${slash}${redactText(name, how)}>`
    })
    .join('')
}

function redactPart(part: string, element: string, how: Redaction): string {
  if (part.trim() === '') return part
  const clean = redactMessage(part, how)
  return kept.test(element) ? clean : 'redacted'
}
