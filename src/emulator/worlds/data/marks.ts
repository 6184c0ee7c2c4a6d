import type { LogChange } from './log-format.ts'
import type { Collection, Data } from './world-data.ts'

/** A change that is not yet on disk. `wasGone`: the record was deleted in between, so that setting it again gives it a new place. */
type Mark =
  | {
      kind: 'record'
      world: string
      collection: Collection
      id: string
      wasGone: boolean
      isPresent: boolean
    }
  | { kind: 'dropped'; world: string }

/** Marks taken for one group, in the order in which they must reach the log. */
export type TakenMarks = ReadonlyMap<string, Mark>

/** The records that changed since the last group, each once, in an order that restores the order of every Map. */
export class Marks {
  #marks = new Map<string, Mark>()

  get isEmpty(): boolean {
    return this.#marks.size === 0
  }

  changed(data: Data, world: string, collection: Collection, id: string): void {
    const isPresent = data.worlds.get(world)?.[collection].has(id) ?? false
    this.#add({ kind: 'record', world, collection, id, wasGone: !isPresent, isPresent })
  }

  dropped(world: string): void {
    this.#add({ kind: 'dropped', world })
  }

  take(): TakenMarks {
    const taken = this.#marks
    this.#marks = new Map()
    return taken
  }

  /** Puts the marks of a failed write before the newer marks. */
  putBack(taken: TakenMarks): void {
    const since = this.#marks
    this.#marks = new Map(taken)
    for (const mark of since.values()) this.#add(mark)
  }

  #add(mark: Mark): void {
    const key = keyOf(mark)
    const earlier = this.#marks.get(key)
    if (mark.kind === 'dropped') this.#forget(mark.world)
    else if (earlier?.kind === 'record') {
      if (!mark.wasGone && earlier.isPresent) return // A plain update keeps the place of the first change.
      this.#marks.delete(key)
      this.#marks.set(key, { ...mark, wasGone: true })
      return
    }
    this.#marks.set(key, mark)
  }

  #forget(world: string): void {
    for (const [key, mark] of this.#marks) if (mark.world === world) this.#marks.delete(key)
  }
}

// With the length, two worlds with odd names cannot have the same key.
function keyOf(mark: Mark): string {
  const world = `${mark.world.length}:${mark.world}`
  return mark.kind === 'dropped' ? world : `${world}:${mark.collection}:${mark.id}`
}

/** The lines of a group of marks. Values are read only now, so that a record that changed twice is written once. */
export function* entriesOf(marks: TakenMarks, data: Data): Generator<LogChange> {
  for (const mark of marks.values()) {
    const { world } = mark
    if (mark.kind === 'dropped') {
      yield { world, dropped: true }
      continue
    }
    const { collection, id } = mark
    const value = data.worlds.get(world)?.[collection].get(id)
    if (mark.wasGone || value === undefined) yield { world, collection, id, deleted: true }
    if (value !== undefined) yield { world, collection, id, value }
  }
}
