/** A place where two documents have different values. */
export interface Difference {
  path: string
  left: unknown
  right: unknown
}

/** The value of a place that a document does not have. */
export const absent = Symbol('absent')

/** The differences between two JSON values, in the order of the left one; empty for equal values. */
export function differences(left: unknown, right: unknown, path = ''): Difference[] {
  if (Object.is(left, right)) return []
  if (!isTree(left) || !isTree(right) || Array.isArray(left) !== Array.isArray(right))
    return [{ path: path === '' ? 'body' : path, left, right }]
  const keys = new Set([...Object.keys(left), ...Object.keys(right)])
  return [...keys].flatMap(key =>
    differences(valueAt(left, key), valueAt(right, key), join(path, key, Array.isArray(left))),
  )
}

type Tree = Readonly<Record<string, unknown>>

function isTree(value: unknown): value is Tree {
  return typeof value === 'object' && value !== null
}

function valueAt(tree: Tree, key: string): unknown {
  return Object.hasOwn(tree, key) ? tree[key] : absent
}

function join(path: string, key: string, isList: boolean): string {
  if (isList) return `${path}[${key}]`
  return path === '' ? key : `${path}.${key}`
}
