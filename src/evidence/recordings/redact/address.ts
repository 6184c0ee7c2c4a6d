import { isFieldName, isModelName, isPathStep, requestSchemas, schemasOfField } from './contract.ts'
import { type JsonPlace, type Redaction, redactValue } from './json.ts'
import { redactName } from './plain-name.ts'

/** The gateway in a recording. Its real host may have the name of an account. */
const gatewayOrigin = 'https://gateway.redacted'

/** The address of a request: steps and parameters of the API are kept, ids have their names, all else is left out. */
export function redactAddress(text: string, operation: string, how: Redaction): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url) return gatewayOrigin
  const path = url.pathname.split('/').map(step => redactStep(step, how))
  const query = [...url.searchParams].map(pair =>
    redactParameter(pair, operation, how).map(encodeURIComponent).join('='),
  )
  return `${gatewayOrigin}${path.join('/')}${query.length > 0 ? `?${query.join('&')}` : ''}`
}

function redactStep(step: string, { names }: Redaction): string {
  const plain = decoded(step)
  if (step === '' || isPathStep(step) || isModelName(plain)) return step
  return encodeURIComponent(names.id(plain)).replaceAll('%3A', ':')
}

/** A part of an address without its escapes; one that has wrong escapes as it is. */
export function decoded(step: string): string {
  try {
    return decodeURIComponent(step)
  } catch {
    return step
  }
}

/** Items that commas separate have the same names as in a body. */
function redactParameter(
  [name, value]: [string, string],
  operation: string,
  how: Redaction,
): [string, string] {
  const schemas = schemasOfField(requestSchemas(operation, 'query'), name)
  const place: JsonPlace = { schemas, key: name, path: name }
  const shown =
    schemas.length > 0 || isFieldName(name) || how.kept.has(name) ? name : redactName(name, how.names)
  const items = schemas.length > 0 ? value.split(',') : [value]
  return [shown, items.map(item => redactValue(item, how, place)).join(',')]
}
