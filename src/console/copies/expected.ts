import type { Path } from '../parts/path.ts'

/** A value of a reply, and the keys and indexes that lead to it. */
export interface Leaf {
  path: Path
  value: string | number | boolean
}

/** Fields that follow from the request and the plan alone. Ids, moments, links, amounts, messages and random values are left out. */
const stable = /^(?:status|task_status|task_type|modality|code|type|resolution|output_format)$/

/** What a test can expect of a reply in another world: a few fields, in their order. */
export function expectedIn(body: unknown): Leaf[] {
  return leavesOf(body, []).filter(({ path }) => stable.test(String(path.at(-1))))
}

function leavesOf(value: unknown, path: Path): Leaf[] {
  if (Array.isArray(value)) return value.flatMap((item, index) => leavesOf(item, [...path, index]))
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).flatMap(([key, item]) => leavesOf(item, [...path, key]))
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? [{ path, value }]
    : []
}
