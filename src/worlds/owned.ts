import type { Task } from '../tasks/task.ts'

/** One page of an owner's tasks, and how many there are in all. */
export interface TaskPage {
  /** Newest first. */
  tasks: Task[]
  total: number
}

/** Which tasks a page is of. */
export interface PageQuery {
  /** Only tasks created at or after this virtual moment, ms. */
  since: number
  /** How many matching tasks lie before the page. */
  skip: number
  /** How many a page has at most. */
  count: number
  /** What else they must be; everything fits when absent, and then nothing is looked at but the page. */
  fits?: ((task: Task) => boolean) | undefined
}

/** Whether somebody removed the task's record. Asked of every task when many are listed, and most have no facts. */
export function isRemoved({ facts }: Pick<Task, 'facts'>): boolean {
  return facts.length > 0 && facts.some(fact => fact.kind === 'deleted')
}

/**
 * An owner's tasks in order of creation: derived from the state, so that a page of a million costs no more than one of a hundred.
 * It holds the tasks themselves; whoever puts a new value of a task into the state replaces it here.
 */
export class OwnedTasks {
  #live: Task[] = []
  #removed: Task[] = []
  #byExternalId: Map<string, string> | undefined
  #mayLose = false

  /** Enters a task: mostly the newest, but a state that somebody wrote may hold them in any order. */
  add(task: Task): void {
    if (task.plan.goneAt !== undefined) this.#mayLose = true
    if (isRemoved(task)) this.#removed.push(task)
    else if (task.createdAt >= (this.#live.at(-1)?.createdAt ?? 0)) this.#live.push(task)
    else this.#live.splice(this.#firstSince(task.createdAt + 1), 0, task)
    if (task.externalId === undefined) return
    this.#byExternalId ??= new Map()
    this.#byExternalId.set(task.externalId, task.id)
  }

  /** Puts the new value of a task in the place of the old one, or with the removed ones. */
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

  /** Tasks whose records were not removed, oldest first. */
  get live(): readonly Task[] {
    return this.#live
  }

  /** True when the plan of a task loses its record, so that what is live depends on the moment. */
  get mayLose(): boolean {
    return this.#mayLose
  }

  /** Tasks whose records were removed, in no order. */
  get removed(): readonly Task[] {
    return this.#removed
  }

  /** The id of the newest task that its owner gave this name. */
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
