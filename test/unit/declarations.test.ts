import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type TypeScript from '@typescript/typescript6'
import { describe, expect, it } from 'vitest'
import { families } from '../../src/emulator/families/index.ts'
import { optionRows } from '../../src/emulator/options/table.ts'
import { shippedNames } from '../../src/emulator/scenarios/known-scenarios.ts'
import { familyIds, operations } from '../../src/emulator/scenarios/operations.ts'
import { freshTypes, root } from '../support/fresh-build.ts'

// With `import`, Node would first look for the names that this file of ten megabytes exports.
const ts: typeof TypeScript = createRequire(import.meta.url)('@typescript/typescript6')

/** The declarations that the package ships, and what a user writes against them. */
const entries = ['index', 'vitest', 'playwright', 'testcontainers'].map(name =>
  join(root, 'dist', `${name}.d.ts`),
)

const options: TypeScript.CompilerOptions = {
  strict: true,
  exactOptionalPropertyTypes: true,
  noEmit: true,
  skipLibCheck: true,
  types: [],
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  target: ts.ScriptTarget.ES2022,
}

/** What a user's test may contain. */
const allowed: readonly string[] = [
  `const one: ScenarioDocument = { name: 'x', rules: [{ when: { operation: 'a.*', call: '1..2', body: { '/a/b': { matches: '^x' } } }, then: { refuse: { fault: 'rate_limited', retry_after: '5s' } } }] }`,
  `world.inject('a.get', 2, { refuse: { fault: 'unavailable' } })`,
  `world.tasks.create({ family: 'a', kind: 'a', plan: { queued: { from: '1s', to: 2000 }, outcome: 'failed', error: { code: 'X' } } })`,
  `world.requests.verify({ match: { operation: 'a.create', status: 200, prompt: { contains: 'cat' } }, count: { exactly: 1 } })`,
  `world.requests.list({ task: 'cgt-1', trace: '4bf92f3577b34da6a3ce929d0e0e4736', limit: 5 })`,
  `const tags: PromptTag[] = ['[[never]]', '[[run:2m]]', '[[refuse:moderated]]', '[[media:truncated]]', '[[link:expired]]']`,
  `world.clock.advanceUntil({ task: 'cgt-1', status: 'succeeded' })`,
  `world.tasks.create({ kind: 'k.avatar' })`,
  `world.tasks.create({ family: 'special', kind: 'special.enhance' })`,
  `(async (by: string, name: string) => { await world.clock.advance(by); await world.scenarios.use(name, 'chaos') })`,
  `world.inject('*.create', 1, { connection: 'hang' })`,
]

/** A misspelled word, and a statement that contains it. */
// biome-ignore format: a table, one row a line
const misspelled: readonly (readonly [word: string, statement: string])[] = [
  ['refse', `const one: ScenarioDocument = { name: 'x', rules: [{ then: { refse: { fault: 'internal' } } }] }`],
  ['rate_limit', `const one: ScenarioDocument = { name: 'x', rules: [{ then: { refuse: { fault: 'rate_limit' } } }] }`],
  ['refuse', `const one: ScenarioDocument = { name: 'x', rules: [{ then: { refuse: {} } }] }`],
  ['500', `const one: ScenarioDocument = { name: 'x', rules: [{ then: { refuse: { proxy_page: 500 } } }] }`],
  ['truncate', `const one: ScenarioDocument = { name: 'x', rules: [{ then: { media: 'truncate' } }] }`],
  ['gone', `const one: ScenarioDocument = { name: 'x', rules: [{ then: { media: { link: 'gone' } } }] }`],
  ['after_body', `const one: ScenarioDocument = { name: 'x', rules: [{ then: { connection: { reset: 'after_body' } } }] }`],
  ['reset', `const one: ScenarioDocument = { name: 'x', rules: [{ then: { connection: 'reset' } }] }`],
  ['z', `const one: ScenarioDocument = { name: 'x', rules: [{ when: { family: 'z' }, then: { media: 'empty' } }] }`],
  ['operatoin', `const one: ScenarioDocument = { name: 'x', rules: [{ when: { operatoin: 'a.get' }, then: { media: 'empty' } }] }`],
  ['contians', `const one: ScenarioDocument = { name: 'x', rules: [{ when: { prompt: { contians: 'a' } }, then: { media: 'empty' } }] }`],
  ['rulez', `const one: ScenarioDocument = { name: 'x', rulez: [] }`],
  ['refse', `world.inject('a.get', 2, { refse: { fault: 'unavailable' } })`],
  ['runing', `world.tasks.create({ family: 'a', kind: 'a', plan: { runing: '1s' } })`],
  ['done', `world.tasks.create({ family: 'a', kind: 'a', plan: { outcome: 'done' } })`],
  ['k.avatr', `world.tasks.create({ kind: 'k.avatr' })`],
  ['"a"', `world.tasks.create({ family: 'a', kind: 'k.avatar' })`],
  ['opration', `world.requests.verify({ match: { opration: 'a.create' } })`],
  ['probability', `world.requests.verify({ match: { probability: 0.5 } })`],
  ['exatly', `world.requests.verify({ match: {}, count: { exatly: 1 } })`],
  ['tsk', `world.requests.list({ tsk: 'x' })`],
  ['nevr', `const tag: PromptTag = '[[nevr]]'`],
  ['sede', `world.scenarios.use({ name: 'x', sede: 1, rules: [] })`],
]

const offers = [`Parameters<WorldClient['inject']>[0]`, `Parameters<WorldClient['scenarios']['get']>[0]`].map(
  type => `declare const offered: ${type}`,
)

/** One program holds the declarations and all statements: types of the language are read once. Each statement is a file of a user. */
const statements = new Map(
  [...allowed, ...offers, ...misspelled.map(([, statement]) => statement)].map((statement, i) => [
    statement,
    join(root, 'dist', `snippet-${i}.ts`),
  ]),
)

await freshTypes()
const program = ts.createProgram([...entries, ...statements.values()], options, hostWithStatements())
const checker = program.getTypeChecker()

/** The files of this machine, and those of the statements. */
function hostWithStatements(): TypeScript.CompilerHost {
  const texts = new Map([...statements].map(([statement, path]) => [path, textWith(statement)]))
  const host = ts.createCompilerHost(options)
  const { getSourceFile, fileExists } = host
  host.fileExists = path => texts.has(path) || fileExists(path)
  host.getSourceFile = (path, ...rest) => {
    const text = texts.get(path)
    return text === undefined
      ? getSourceFile(path, ...rest)
      : ts.createSourceFile(path, text, ts.ScriptTarget.ES2022, true)
  }
  return host
}

function textWith(statement: string): string {
  return `import type { PromptTag, ScenarioDocument, WorldClient } from './index.js'\ndeclare const world: WorldClient\n${statement}\n`
}

const isOwnHost = ({ fileName }: TypeScript.SourceFile) =>
  dirname(fileName) === join(root, 'dist') && /\.d\.c?ts$/.test(fileName)

function sourceOf(path: string): TypeScript.SourceFile {
  const file = program.getSourceFile(path)
  if (!file) throw new Error(`${path} was not built`)
  return file
}

function exportsOf(path: string): TypeScript.Symbol[] {
  const module = checker.getSymbolAtLocation(sourceOf(path))
  if (!module) throw new Error(`${path} is not a module`)
  return checker
    .getExportsOfModule(module)
    .map(symbol => (symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol))
    .filter(symbol => symbol.declarations?.every(each => isOwnHost(each.getSourceFile())))
}

const isDocumented = (symbol: TypeScript.Symbol) => symbol.getDocumentationComment(checker).length > 0

describe('the types of the package', () => {
  it.each(entries)('every exported name of %s has a docstring', entry => {
    const found = exportsOf(entry)
    expect(found.length).toBeGreaterThan(0)
    expect(found.filter(symbol => !isDocumented(symbol)).map(({ name }) => name)).toEqual([])
  })

  it.each(entries)('every field and function of an exported type of %s has a docstring', entry => {
    const fields = exportsOf(entry).flatMap(symbol =>
      [...(symbol.members?.values() ?? [])]
        .filter(member => member.flags & (ts.SymbolFlags.Property | ts.SymbolFlags.Method))
        .map(member => ({ name: `${symbol.name}.${member.name}`, isDocumented: isDocumented(member) })),
    )
    const isOwn = ({ name }: { name: string }) => !/Error\.name$/.test(name)
    expect(fields.filter(field => !field.isDocumented && isOwn(field)).map(({ name }) => name)).toEqual([])
  })

  it('the declarations contain only types that users can name', () => {
    const files = program.getSourceFiles().filter(isOwnHost)
    const exported = new Set(entries.flatMap(exportsOf))
    const hidden = files.flatMap(file =>
      file.statements
        .filter(
          each =>
            ts.isInterfaceDeclaration(each) ||
            ts.isTypeAliasDeclaration(each) ||
            ts.isClassDeclaration(each) ||
            ts.isFunctionDeclaration(each),
        )
        .filter(({ name }) => name && !exported.has(checker.getSymbolAtLocation(name) as TypeScript.Symbol))
        .map(({ name }) => name?.text),
    )
    expect(files.length).toBeGreaterThanOrEqual(entries.length)
    expect(hidden).toEqual([])
  })

  it.each([
    ['OperationId', operations],
    ['FamilyId', familyIds],
    ['ShippedScenario', shippedNames],
    ['TaskKind', families.flatMap(({ makers }) => Object.keys(makers))],
    [
      'StatusWord',
      families.flatMap(({ makers, words }) =>
        Object.keys(makers).flatMap(kind => Object.values(words({ kind }))),
      ),
    ],
  ])('%s has all words of the program, and no other', (name, words) => {
    expect(wordsOf(typeNamed(name))).toEqual([...new Set<string>(words)].sort())
  })

  it('startEmulator has every option of the command line', () => {
    const known = checker.getPropertiesOfType(typeNamed('StartOptions'))
    const keys = optionRows.map(({ key }) => (key === 'data' ? 'dataDir' : key))
    expect(known.map(({ name }) => name)).toEqual(expect.arrayContaining(keys))
  })

  it.each([
    ['the operation of inject', `Parameters<WorldClient['inject']>[0]`, operations],
    ['the name of a scenario', `Parameters<WorldClient['scenarios']['get']>[0]`, shippedNames],
  ])('%s offers each known word, and takes others', (_, type, words) => {
    expect(wordsOf(typeOfStatement(`declare const offered: ${type}`))).toEqual([...words].sort())
  })

  it('needs no other package to type a scenario', () => {
    const text = readFileSync(join(root, 'dist/index.d.cts'), 'utf8')
    const imported = [...text.matchAll(/from '([^'.][^']*)'/g)].map(([, name]) => name)
    expect(imported).toEqual(['node:http'])
  })
})

function typeNamed(name: string): TypeScript.Type {
  const symbol = exportsOf(entries[0] as string).find(one => one.name === name)
  if (!symbol) throw new Error(`${name} is not exported`)
  return checker.getDeclaredTypeOfSymbol(symbol)
}

/** The type of the constant that a statement declares. */
function typeOfStatement(statement: string): TypeScript.Type {
  const last = sourceOf(statements.get(statement) ?? statement).statements.at(-1)
  if (!last || !ts.isVariableStatement(last)) throw new Error(`${statement} declares nothing`)
  return checker.getTypeAtLocation(last.declarationList.declarations[0] as TypeScript.Node)
}

/** The literal texts in a union, sorted. */
function wordsOf(type: TypeScript.Type): string[] {
  const parts = type.isUnion() ? type.types : [type]
  return parts.flatMap(part => (part.isStringLiteral() ? [part.value] : [])).sort()
}

/** The messages of the compiler about a statement in a user's test with a `world`. */
function complaints(statement: string): string[] {
  return program
    .getSemanticDiagnostics(sourceOf(statements.get(statement) ?? statement))
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))
}

describe('the types of scenarios and options follow from the schemas', () => {
  it.each(allowed)('%s', statement => {
    expect(complaints(statement)).toEqual([])
  })

  it.each(misspelled)('refuses %s in %s', (word, statement) => {
    const found = complaints(statement)
    expect(found).not.toEqual([])
    if (word !== 'refuse') expect(found.join('\n')).toContain(word)
  })
})
