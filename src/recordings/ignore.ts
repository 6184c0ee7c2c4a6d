import { assumptions } from '../assumptions/index.ts'
import { statements } from '../contract/statements/index.ts'
import { globPattern } from '../scenarios/operations.ts'
import type { Ignore } from './verdict.ts'

/**
 * Reads what need not be told, one a line: the id of a row, or an operation and a path (`a.get usage.*`). `*` stands for anything;
 * lines that begin with # are remarks. Throws for a line that means no row.
 */
export function readIgnore(text: string): Ignore {
  const lines = text
    .split(/\r?\n/)
    .map(line => line.replace(/(^|\s)#.*$/, '').trim())
    .filter(line => line !== '')
  const ignored = lines.map(ignoreOf)
  return (row, difference) => ignored.some(isIgnored => isIgnored(row, difference))
}

const known = [...statements, ...assumptions].map(({ id }) => id)

function ignoreOf(line: string): Ignore {
  const [first = '', path] = line.split(/\s+/)
  const start = globPattern(first)
  if (path === undefined) {
    if (!known.some(id => start.test(id))) throw new Error(`${first} is the id of no row`)
    return row => row !== undefined && start.test(row)
  }
  const place = globPattern(path)
  return (_row, difference) => start.test(difference.operation) && place.test(difference.path)
}
