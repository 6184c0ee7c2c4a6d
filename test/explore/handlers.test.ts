import ts from '@typescript/typescript6'
import { expect, it } from 'vitest'
import { handlersIn } from '../../src/explore/run/handlers.ts'
import { sourceFiles } from '../support/source-files.ts'

/** What the compiler's parser finds: lines of catches and finallys, and of branches of conditions about a status. */
function parsed(text: string): string[] {
  const file = ts.createSourceFile('a.ts', text, ts.ScriptTarget.Latest, true)
  const found: string[] = []
  const add = (kind: string, node: ts.Node, at = node.getStart(file)) =>
    found.push(`${file.getLineAndCharacterOfPosition(at).line + 1} ${kind}`)
  const isStatus = (node: ts.Node) => /(?:status|state)|\b(?:ok|code|errno)\b/i.test(wordsOf(node).join(' '))
  const wordsOf = (node: ts.Node): string[] =>
    ts.isIdentifier(node) ? [node.text] : node.getChildren(file).flatMap(wordsOf)
  const visit = (node: ts.Node) => {
    if (ts.isCatchClause(node)) add('catch', node)
    if (ts.isTryStatement(node) && node.finallyBlock)
      add('finally', node, text.lastIndexOf('finally', node.finallyBlock.getStart(file)))
    if (ts.isIfStatement(node) && isStatus(node.expression)) {
      add('branch', node)
      if (node.elseStatement && !ts.isIfStatement(node.elseStatement))
        add('branch', node, text.lastIndexOf('else', node.elseStatement.getStart(file)))
    }
    if (ts.isSwitchStatement(node) && isStatus(node.expression))
      for (const one of node.caseBlock.clauses) if (one.statements.length > 0) add('branch', one)
    ts.forEachChild(node, visit)
  }
  visit(file)
  return found.sort()
}

it('finds the handlers that a parser of the language finds, in all sources of this project', () => {
  const isCallback = (line: string) => /\.(?:catch|on|once|addEventListener)\s*\(/.test(line)
  const files = sourceFiles.filter(({ path }) => path.endsWith('.ts'))
  const pairs = files.map(({ path, text }) => {
    const own = handlersIn(text).filter(
      ({ kind, text: line }) =>
        kind !== 'catch' || /\bcatch\b(?!\s*\()|[^.]catch \(/.test(line) || !isCallback(line),
    )
    return { path, found: own.map(({ line, kind }) => `${line} ${kind}`).sort(), parsed: parsed(text) }
  })
  expect(pairs.flatMap(one => one.parsed).length).toBeGreaterThan(300)
  const wrong = pairs.filter(one => one.found.join() !== one.parsed.join())
  expect(
    wrong.map(({ path, found, parsed: expected }) => ({
      path,
      only: found.filter(one => !expected.includes(one)),
      missing: expected.filter(one => !found.includes(one)),
    })),
  ).toEqual([])
})
