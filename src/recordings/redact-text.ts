import type { Pseudonyms } from './pseudonyms.ts'
import { redactLink } from './redact-link.ts'
import { accountInText } from './secret-names.ts'

/** A letter before it means a longer word, as in `task-1`; `%3D` before it is an encoded character. */
const startOfWord = '(?<=%[0-9A-Fa-f]{2}|^|[^A-Za-z])'
const keys = new RegExp(`${startOfWord}sk-[A-Za-z0-9][A-Za-z0-9._*~+=-]*`, 'gi')
const assets = new RegExp(`${startOfWord}(asset:(?://|%2F%2F))?(asset-[A-Za-z0-9_-]+)`, 'gi')
const assetLinks = /asset:\/\/([^\s"'<>\\,;)]+)/gi
const links = /\bhttps?:\/\/[^\s"'<>\\`]+/gi
/** A link in a parameter of another link. */
const encodedLinks = /\bhttps?%3A%2F%2F[^\s"'<>\\`&]+/gi
const bearers = /\b(bearer|basic|digest|negotiate)(\s+|%20|\+)(?!realm\b)([A-Za-z0-9._~+/=:-]{4,})/gi
const parameters =
  /\b((?:x-[a-z]+-)?(?:signature|security-token|credential|accesskeyid|access[_-]key(?:[_-]id)?|awsaccesskeyid|ossaccesskeyid|key-pair-id|policy|sig|token|secret|password|api[_-]?key)\s*["']?\s*[=:]\s*["']?)([^\s"'&<>,;]{4,})/gi
const tokens = /\beyJ[\w-]{5,}\.[\w-]+(?:\.[\w-]*)?/g
const accessKeys = /\b(?:AKIA|ASIA|LTAI|AKLT|AKTP|AIza|ghp_|xox[bp]-)[A-Za-z0-9_-]{8,}/g
const resourceNames = /\b(?:arn|trn|acs|crn|qcs):[A-Za-z0-9:/_.*-]+/g
const mailAddresses = /\b[\w.+-]+@[\w-]+\.[\w.-]+\b/g
const privateKeys = /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g

/** A text without keys, signatures of links, assets and accounts, and without every secret that appeared elsewhere in the recording. */
export function redactText(text: string, names: Pseudonyms): string {
  if (text.length < 4) return text
  let clean = withoutHidden(text, names)
  clean = clean
    .replace(privateKeys, value => names.hide('secret', value))
    .replace(keys, value => names.hide('key', value))
    .replace(encodedLinks, value => encodeURIComponent(redactLink(safelyDecoded(value), names)))
    .replace(links, value => redactLink(value, names))
    .replace(bearers, (_, scheme: string, gap: string, value: string) =>
      isPseudonym(value) ? `${scheme}${gap}${value}` : `${scheme}${gap}${names.hide('key', value)}`,
    )
    .replace(parameters, (whole, head: string, value: string) =>
      isPseudonym(value) ? whole : `${head}${names.hide('secret', value)}`,
    )
    .replace(tokens, value => names.hide('secret', value))
    .replace(accessKeys, value => names.hide('secret', value))
    .replace(resourceNames, value => names.hide('account', value))
    .replace(mailAddresses, value => names.hide('account', value))
    .replace(assets, (_, scheme: string | undefined, id: string) => redactedAsset(id, scheme ?? '', names))
    .replace(assetLinks, (_, id: string) => redactedAsset(id, 'asset://', names))
    .replace(accountInText, (_, head: string, value: string) =>
      isPseudonym(value) ? `${head}${value}` : `${head}${names.hide('account', value)}`,
    )
  return clean
}

/** True for a text in the form of a pseudonym, so that no text is redacted twice. */
export function isPseudonym(text: string): boolean {
  return /^(?:(?:key|secret|account|cookie|link|word|signature)-\d+|asset-redacted-\d+|redacted)$/.test(text)
}

function redactedAsset(id: string, scheme: string, names: Pseudonyms): string {
  return scheme + (isPseudonym(id) ? id : names.hide('asset-redacted', id))
}

function withoutHidden(text: string, names: Pseudonyms): string {
  let clean = text
  for (const [value, name] of names.hidden()) if (clean.includes(value)) clean = clean.replaceAll(value, name)
  return clean
}

function safelyDecoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
