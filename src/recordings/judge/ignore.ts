import { globPattern } from '../../scenarios/operations.ts'
import { assumptions } from '../../spec/assumptions/index.ts'
import { statements } from '../../spec/statements/index.ts'
import type { Ignore } from './comparison.ts'

/**
 * Reads which differences to ignore, one on each line: the id of a row, or an operation and a path (`a.get usage.*`). `*` matches
 * any text, and lines that begin with # are comments. Throws for a line that matches no row.
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
    if (!known.some(id => start.test(id))) throw new Error(`${JSON.stringify(first)} is not the id of a row`)
    return row => row !== undefined && start.test(row)
  }
  const place = globPattern(path)
  return (_row, difference) => start.test(difference.operation) && place.test(difference.path)
}
