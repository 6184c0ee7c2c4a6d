/** Spec, "Authentication" 5: asset identifiers are treated like keys. The emulator's own have the form asset-YYYYMMDDHHMMSS-xxxxx. */
const assetReferences = /\basset:\/\/[A-Za-z0-9_-]+/g
const assetIds = /\basset-\d{14}-[a-z0-9]+/g

/** A text as the journal, stories and tasks show it: signatures of links and identifiers of assets are masked. */
export function maskSecrets(text: string): string {
  if (!text.includes('Signature=') && !text.includes('asset')) return text
  return text
    .replace(/(Signature=)[A-Za-z0-9]+/g, '$1…')
    .replace(assetReferences, 'asset://…')
    .replace(assetIds, 'asset-…')
}

/** Masks every text inside a JSON value. */
export function maskedJson<T>(value: T): T {
  if (typeof value === 'string') return maskSecrets(value) as T
  if (Array.isArray(value)) return value.map(maskedJson) as T
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, maskedJson(entry)])) as T
}
