import type { Task } from './task.ts'

/** One page of an owner's tasks, and the number of all matching tasks. */
export interface TaskPage {
  /** Newest first. */
  tasks: Task[]
  total: number
}

/** Selects the tasks of a page. */
export interface PageQuery {
  /** Only tasks created at or after this virtual moment, ms. */
  since: number
  /** The number of matching tasks before the page. */
  skip: number
  /** The maximum number of tasks on a page. */
  count: number
  /** A further condition. Without it every task matches, and only the tasks of the page are read. */
  fits?: ((task: Task) => boolean) | undefined
}

/** Whether a caller removed the task's record. Called for every task of a long list; most tasks have no facts. */
export function isRemoved({ facts }: Pick<Task, 'facts'>): boolean {
  return facts.length > 0 && facts.some(fact => fact.kind === 'deleted')
}

/**
 * An owner's tasks in order of creation. It is derived from the state, so that a page of a million tasks costs no more than a page
 * of a hundred. It holds the task objects: code that puts a new value of a task into the state must replace it here too.
 */
export class OwnedTasks {
  #live: Task[] = []
  #removed: Task[] = []
  #byExternalId: Map<string, string> | undefined
  #mayLose = false

  /** Adds a task. It is usually the newest, but a state document may hold tasks in any order. */
  add(task: Task): void {
    if (task.plan.goneAt !== undefined) this.#mayLose = true
    if (isRemoved(task)) this.#removed.push(task)
    else if (task.createdAt >= (this.#live.at(-1)?.createdAt ?? 0)) this.#live.push(task)
    else this.#live.splice(this.#firstSince(task.createdAt + 1), 0, task)
    if (task.externalId === undefined) return
    this.#byExternalId ??= new Map()
    this.#byExternalId.set(task.externalId, task.id)
  }

  /** Replaces a task by its new value, or moves it to the removed ones. */
  replace(before: Task, after: Task): void {
    const list = isRemoved(before) ? this.#removed : this.#live
    const place = list.lastIndexOf(before)
    if (place < 0) throw new Error(`The task ${before.id} is not in its owner's list`)
    if (list === this.#removed || !isRemoved(after)) list[place] = after
    else {
      list.splice(place, 1)
      this.#removed.push(after)
    }
  }

  /** Takes a task out, as if it had not been made. */
  remove(task: Task): void {
    for (const list of [this.#live, this.#removed]) {
      const place = list.lastIndexOf(task)
      if (place >= 0) list.splice(place, 1)
    }
    if (task.externalId !== undefined && this.#byExternalId?.get(task.externalId) === task.id)
      this.#byExternalId.delete(task.externalId)
  }

  /** Tasks with records that were not removed, oldest first. */
  get live(): readonly Task[] {
    return this.#live
  }

  /** True when the plan of some task loses its record: then the live tasks depend on the moment. */
  get mayLose(): boolean {
    return this.#mayLose
  }

  /** Tasks with removed records, in no particular order. */
  get removed(): readonly Task[] {
    return this.#removed
  }

  /** The id of the newest task with this name. */
  idOf(externalId: string): string | undefined {
    return this.#byExternalId?.get(externalId)
  }

  /** A page of the tasks that were not removed. */
  page({ since, skip, count, fits }: PageQuery): TaskPage {
    const first = this.#firstSince(since)
    const tasks: Task[] = []
    if (!fits) {
      for (let i = this.#live.length - 1 - skip; i >= first && tasks.length < count; i--) {
        const task = this.#live[i]
        if (task) tasks.push(task)
      }
      return { tasks, total: this.#live.length - first }
    }
    let total = 0
    for (let i = this.#live.length - 1; i >= first; i--) {
      const task = this.#live[i]
      if (!task || !fits(task)) continue
      if (total >= skip && tasks.length < count) tasks.push(task)
      total++
    }
    return { tasks, total }
  }

  /** The index of the first task created at or after a moment. */
  #firstSince(moment: number): number {
    let [from, to] = [0, this.#live.length]
    while (from < to) {
      const middle = (from + to) >>> 1
      if ((this.#live[middle]?.createdAt ?? moment) < moment) from = middle + 1
      else to = middle
    }
    return from
  }
}
