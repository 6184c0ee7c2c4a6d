/** The variables of tasks in a copied test, by id. */
export type Named = ReadonlyMap<string, string>

/** `id` for a single task, else `id1`, `id2`. */
export function namesOf(tasks: readonly { id: string }[]): Named {
  return new Map(tasks.map(({ id }, i) => [id, tasks.length === 1 ? 'id' : `id${i + 1}`]))
}

export function nameIn(names: Named, id: string): string {
  return names.get(id) ?? 'id'
}
