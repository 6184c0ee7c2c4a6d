import type { Random } from '../../src/emulator/worlds/random.ts'

export type Word = 'queued' | 'running' | 'succeeded' | 'failed' | 'cancelled' | 'expired'

/** A task in its simplest form. */
interface ModelTask {
  startsAt: number
  endsAt: number
  ending: Word
  status: Word
  isDeleted: boolean
}

/** A change that a listener must receive. */
export interface Told {
  id: string
  at: number
  from: string
  to: string
}

/** A simple model of one world: a moment, tasks, saved copies, and the changes that listeners must have received. */
export class ModelWorld {
  now: number
  readonly openedAt: number
  isAuto = false
  tasks = new Map<string, ModelTask>()
  readonly saved = new Map<string, { now: number; isAuto: boolean; tasks: Map<string, ModelTask> }>()
  readonly seen = new Map<string, Word>()
  told: Told[] = []

  constructor(openedAt: number) {
    this.openedAt = openedAt
    this.now = openedAt
  }

  create(id: string, plan: { queuedMs: number; runningMs: number; fails: boolean }): void {
    const startsAt = this.now + plan.queuedMs
    const endsAt = startsAt + plan.runningMs
    const ending = plan.fails ? 'failed' : 'succeeded'
    const task: ModelTask = { startsAt, endsAt, ending, status: 'queued', isDeleted: false }
    this.tasks.set(id, task)
    this.live(id, task, this.now)
  }

  moveTo(to: number): void {
    this.now = Math.max(this.now, to)
    for (const [id, task] of this.tasks) this.live(id, task, this.now)
  }

  /** A poll in auto mode moves to the next change when it would see nothing new. Returns the status, or undefined for a 404. */
  poll(id: string): Word | undefined {
    const task = this.tasks.get(id)
    if (!task || task.isDeleted) return undefined
    if (!this.isAuto) return task.status
    const next = this.nextChange(task)
    if (this.seen.get(id) === task.status && next !== undefined) this.moveTo(next)
    this.seen.set(id, task.status)
    return task.status
  }

  delete(id: string): number {
    const task = this.tasks.get(id)
    if (!task || task.isDeleted) return 404
    if (task.status === 'running' || task.status === 'cancelled') return 409
    if (task.status === 'queued') this.change(id, task, { at: this.now, to: 'cancelled' })
    else {
      this.told.push({ id, at: this.now, from: task.status, to: 'deleted' })
      task.isDeleted = true
    }
    return 200
  }

  force(id: string, to: Word): number {
    const task = this.tasks.get(id)
    if (!task) return 404
    const isOpen = !task.isDeleted && (task.status === 'queued' || task.status === 'running')
    const isTooLate = task.status === 'running' && to === 'cancelled'
    if (!isOpen || isTooLate || task.status === to || to === 'queued') return 409
    this.change(id, task, { at: this.now, to })
    return 200
  }

  expireLink(id: string): number {
    const task = this.tasks.get(id)
    if (!task) return 404
    return task.status === 'succeeded' ? 200 : 409
  }

  save(name: string): void {
    this.saved.set(name, { now: this.now, isAuto: this.isAuto, tasks: copied(this.tasks) })
  }

  restore(name: string): number {
    const saved = this.saved.get(name)
    if (!saved) return 404
    this.now = saved.now
    this.isAuto = saved.isAuto
    this.tasks = copied(saved.tasks)
    this.seen.clear()
    return 200
  }

  reset(): void {
    this.now = this.openedAt
    this.isAuto = false
    this.tasks = new Map()
    this.seen.clear()
  }

  anyTask(random: Random): string {
    const ids = [...this.tasks.keys()]
    return ids[random.integer(0, Math.max(0, ids.length - 1))] ?? 'none'
  }

  private nextChange({ status, startsAt, endsAt }: ModelTask): number | undefined {
    if (status === 'queued') return startsAt
    return status === 'running' ? endsAt : undefined
  }

  private live(id: string, task: ModelTask, now: number): void {
    if (task.status === 'queued' && task.startsAt <= now && task.startsAt < task.endsAt)
      this.change(id, task, { at: task.startsAt, to: 'running' })
    const isOpen = task.status === 'queued' || task.status === 'running'
    if (isOpen && task.endsAt <= now) this.change(id, task, { at: task.endsAt, to: task.ending })
  }

  private change(id: string, task: ModelTask, { at, to }: { at: number; to: Word }): void {
    this.told.push({ id, at, from: task.status, to })
    task.status = to
  }
}

function copied(tasks: ReadonlyMap<string, ModelTask>): Map<string, ModelTask> {
  return new Map([...tasks].map(([id, task]) => [id, { ...task }]))
}
