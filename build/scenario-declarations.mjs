import ts from '@typescript/typescript6'

/**
 * The types of scenario documents as declarations, each field with what the JSON Schema says of it. In the sources these types follow
 * from the schemas of single words; here they are written out, so that the package needs no schema to type a document.
 * `file` is the emitted declaration of `src/emulator/scenarios/scenario.ts`, `schema` the JSON Schema of a document.
 */
export function scenarioDeclarations(file, schema) {
  const program = ts.createProgram([file], {
    strict: true,
    exactOptionalPropertyTypes: true,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    allowImportingTsExtensions: true,
    noEmit: true,
  })
  const checker = program.getTypeChecker()
  const exported = checker.getExportsOfModule(checker.getSymbolAtLocation(program.getSourceFile(file)))
  const rule = schema.properties.rules.items
  const tables = [
    [
      'ScenarioDocument',
      schema,
      'A scenario: a named list of rules, from a file or a request to the control API.',
    ],
    ['ScenarioRule', rule, 'A rule: conditions on a request, and effects. Values are as in a scenario file.'],
    ['ScenarioWhen', rule.properties.when],
    ['ScenarioThen', rule.properties.then],
    ['ScenarioPlan', rule.properties.then.properties.task],
  ].map(([name, of, about = of.description]) => ({
    name,
    of,
    about,
    type: typeNamed(checker, exported, name),
  }))
  const names = new Map(tables.map(({ name, type }) => [type, name]))
  const tag = typeNamed(checker, exported, 'PromptTag')
  const ofTag =
    'A tag inside a prompt, such as `[[never]]` or `[[run:2m]]`. It is taken out of the prompt and acts on this one request.'
  const interfaces = tables.map(
    ({ name, of, about, type }) =>
      `/** ${about} */\nexport interface ${name} ${fieldsOf(checker, type, { of, names })}\n`,
  )
  const tags = tag.types.map(one => checker.typeToString(one)).join(' | ')
  return [...interfaces, `/** ${ofTag} */\nexport type PromptTag = ${tags}\n`].join('\n')
}

function typeNamed(checker, exported, name) {
  const found = exported.find(symbol => symbol.name === name)
  if (!found) throw new Error(`${name} is not exported`)
  const symbol = found.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(found) : found
  return checker.getDeclaredTypeOfSymbol(symbol)
}

function fieldsOf(checker, type, { of, names }) {
  const fields = checker.getPropertiesOfType(type).map(property => {
    const isOptional = (property.flags & ts.SymbolFlags.Optional) !== 0
    const schema = schemaAt(of, property.name)
    const about = schema?.description
    const text = textOf(checker, checker.getTypeOfSymbol(property), { of: schema, names })
    return `${about ? `/** ${about} */\n` : ''}${keyText(property.name)}${isOptional ? '?' : ''}: ${text}`
  })
  return `{\n${fields.join('\n')}\n}`
}

function textOf(checker, type, context) {
  const name = context.names.get(type)
  if (name) return name
  if (type.isUnion()) return unionText(checker, type, context)
  if (checker.isArrayType(type)) {
    const [entry] = checker.getTypeArguments(type)
    const of = context.of?.items
    const text = textOf(checker, entry, { ...context, of })
    return `readonly ${text.includes(' | ') ? `(${text})` : text}[]`
  }
  if (!(type.flags & ts.TypeFlags.Object)) return checker.typeToString(type)
  const [index] = checker.getIndexInfosOfType(type)
  if (index && checker.getPropertiesOfType(type).length === 0)
    return `Record<string, ${textOf(checker, index.type, { ...context, of: context.of?.additionalProperties })}>`
  return fieldsOf(checker, type, context)
}

/** The parts of a union; booleans are two literals inside, and `undefined` of an optional field says nothing more. */
function unionText(checker, type, context) {
  const parts = type.types.filter(({ flags }) => !(flags & ts.TypeFlags.Undefined))
  const texts = parts.map(part => textOf(checker, part, context))
  const isBoolean = texts.includes('true') && texts.includes('false')
  const rest = isBoolean ? [...texts.filter(text => text !== 'true' && text !== 'false'), 'boolean'] : texts
  return [...new Set(rest)].join(' | ')
}

/** The schema of a property, in whichever alternative it is. */
function schemaAt(schema, key) {
  const own = schema?.properties?.[key]
  if (own) return own
  const alternatives = [...(schema?.oneOf ?? []), ...(schema?.anyOf ?? [])]
  return alternatives.map(one => schemaAt(one, key)).find(found => found !== undefined)
}

function keyText(name) {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name)
}
