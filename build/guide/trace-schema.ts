import { createRequire } from 'node:module'
import { join } from 'node:path'
import type TypeScript from '@typescript/typescript6'
import { root } from '../../test/support/fresh-build.ts'

type Json = Record<string, unknown>

/** Types that have a schema of their own elsewhere, or none. */
const elsewhere: Readonly<Record<string, Json>> = {
  SpelledThen: { type: 'object', description: 'As `then` in scenario.schema.json.' },
}

/** The JSON Schema of a trace, from the types and comments of `src/kits/client/trace-views.ts`. */
export function traceSchema(): Json {
  // With `import`, Node would first look for the names that this file of ten megabytes exports.
  const ts: typeof TypeScript = createRequire(import.meta.url)('@typescript/typescript6')
  const file = join(root, 'src/kits/client/trace-views.ts')
  const program = ts.createProgram([file], {
    strict: true,
    exactOptionalPropertyTypes: true,
    noEmit: true,
    skipLibCheck: true,
    types: [],
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    target: ts.ScriptTarget.ES2023,
    allowImportingTsExtensions: true,
  })
  const checker = program.getTypeChecker()
  const source = program.getSourceFile(file)
  const exported = source && checker.getSymbolAtLocation(source)
  const trace = exported && checker.getExportsOfModule(exported).find(({ name }) => name === 'Trace')
  if (!source || !trace) throw new Error('There is no type Trace')
  const defs: Record<string, Json> = {}

  const comment = (symbol: TypeScript.Symbol) =>
    ts.displayPartsToString(symbol.getDocumentationComment(checker)).replaceAll(/\s+/g, ' ')

  const objectOf = (type: TypeScript.Type): Json => {
    const properties = checker.getPropertiesOfType(type)
    const isOptional = (property: TypeScript.Symbol) => (property.flags & ts.SymbolFlags.Optional) !== 0
    return {
      type: 'object',
      required: properties.filter(property => !isOptional(property)).map(({ name }) => name),
      properties: Object.fromEntries(
        properties.map(property => {
          const described = comment(property)
          const schema = schemaOf(checker.getTypeOfSymbolAtLocation(property, source))
          return [property.name, described === '' ? schema : { description: described, ...schema }]
        }),
      ),
    }
  }

  const named = (type: TypeScript.Type): Json => {
    const name = (type.aliasSymbol ?? type.getSymbol())?.name ?? ''
    const known = elsewhere[name]
    if (known) return known
    if (!/^[A-Z]\w+$/.test(name) || name === 'Record') return objectOf(type)
    if (!defs[name]) {
      defs[name] = {}
      defs[name] = objectOf(type)
    }
    return { $ref: `#/$defs/${name}` }
  }

  const unionOf = (types: readonly TypeScript.Type[]): Json => {
    const kept = types.filter(({ flags }) => (flags & ts.TypeFlags.Undefined) === 0)
    // Known words, or any other text.
    const isAnyText = (type: TypeScript.Type) =>
      type.isIntersection() && type.types.some(({ flags }) => (flags & ts.TypeFlags.String) !== 0)
    if (kept.some(isAnyText)) return { type: 'string' }
    if (kept.every(type => type.isStringLiteral())) return { enum: kept.map(type => type.value) }
    if (kept.every(({ flags }) => (flags & ts.TypeFlags.BooleanLike) !== 0))
      return kept.length === 1 ? schemaOf(kept[0] as TypeScript.Type) : { type: 'boolean' }
    return kept.length === 1 ? schemaOf(kept[0] as TypeScript.Type) : { anyOf: kept.map(schemaOf) }
  }

  function schemaOf(type: TypeScript.Type): Json {
    const { flags } = type
    if (type.isUnion()) return unionOf(type.types)
    if (type.isStringLiteral() || type.isNumberLiteral()) return { const: type.value }
    if (flags & ts.TypeFlags.BooleanLiteral) return { const: checker.typeToString(type) === 'true' }
    if (flags & ts.TypeFlags.String) return { type: 'string' }
    if (flags & ts.TypeFlags.Number) return { type: 'number' }
    if (flags & ts.TypeFlags.Boolean) return { type: 'boolean' }
    if (flags & ts.TypeFlags.Null) return { type: 'null' }
    if (flags & (ts.TypeFlags.Unknown | ts.TypeFlags.Any)) return {}
    if (checker.isArrayType(type)) {
      const [item] = checker.getTypeArguments(type as TypeScript.TypeReference)
      return { type: 'array', items: item ? schemaOf(item) : {} }
    }
    const values = checker.getIndexTypeOfType(type, ts.IndexKind.String)
    if (values) return { type: 'object', additionalProperties: schemaOf(values) }
    return named(type)
  }

  const whole = objectOf(checker.getDeclaredTypeOfSymbol(trace))
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Trace',
    description: comment(trace),
    ...whole,
    $defs: defs,
  }
}

/** The schema as it is published. */
export function traceSchemaText(): string {
  return `${JSON.stringify(traceSchema(), null, 2)}\n`
}
