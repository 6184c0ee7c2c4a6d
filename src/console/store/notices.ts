import { effect, signal } from '@preact/signals'
import { EmulatorError } from '../../kits/views.ts'
import { isAbsence } from './api.ts'

/** A short message at the edge of the page, read out by screen readers. */
export interface Notice {
  id: number
  kind: 'done' | 'fault'
  text: string
  /** What the reader can do about it. */
  action?: { label: string; act: () => void }
}

/** The optional parts of a notice. */
export interface NoticeOptions {
  action?: NonNullable<Notice['action']>
  /** How long it stays, in wall milliseconds. */
  lifeMs?: number
  /** Reads signals: whether what it says is so. It goes when that ends. */
  isTrue?: () => boolean
}

const noAnswer = 'The emulator does not answer. Is it still running?'

export const notices = signal<readonly Notice[]>([])
let nextId = 1
const lifeMs = { done: 3500, fault: 9000 }
const mostShown = 4
/** The running end of each notice; a notice that is pointed at or focused has none. */
const ends = new Map<number, { timer: ReturnType<typeof setTimeout>; lifeMs: number }>()
const watches = new Map<number, () => void>()

export function notify(kind: Notice['kind'], text: string, options: NoticeOptions = {}): void {
  const { action, lifeMs: life = lifeMs[kind], isTrue } = options
  const notice = { id: nextId++, kind, text, ...(action && { action }) }
  // The same message again replaces the first.
  const others = notices.value.filter(other => other.text !== text)
  notices.value = [...others.slice(1 - mostShown), notice]
  endLater(notice.id, life)
  if (isTrue) watch(notice.id, isTrue)
}

/** The page may hear of what a notice says a moment after it. */
function watch(id: number, isTrue: () => boolean): void {
  let was = false
  const end = effect(() => {
    if (isTrue()) was = true
    else if (was) dismiss(id)
  })
  watches.set(id, end)
}

export function dismiss(id: number): void {
  hold(id)
  ends.delete(id)
  watches.get(id)?.()
  watches.delete(id)
  notices.value = notices.peek().filter(notice => notice.id !== id)
}

/** Removes the question whether the emulator runs, once it has answered. */
export function dismissNoAnswer(): void {
  for (const { id, text } of notices.peek()) if (text === noAnswer) dismiss(id)
}

/** Removes what is offered, such as undos: they were of a world that is another now. */
export function dismissOffers(): void {
  for (const { id, action } of notices.peek()) if (action) dismiss(id)
}

/** Does what the newest notice with a button offers, such as an undo. */
export function actOnNewest(): void {
  const newest = notices.peek().findLast(({ action }) => action)
  if (!newest) return
  dismiss(newest.id)
  newest.action?.act()
}

/** Keeps a notice while it has the pointer or the focus. */
export function hold(id: number): void {
  clearTimeout(ends.get(id)?.timer)
}

/** Lets a notice that was held end after its usual time. */
export function release(id: number): void {
  const end = ends.get(id)
  if (end) endLater(id, end.lifeMs)
}

function endLater(id: number, life: number): void {
  hold(id)
  ends.set(id, { timer: setTimeout(() => dismiss(id), life), lifeMs: life })
}

/** Runs an action and shows its error as a notice; undefined then. */
export async function report<T>(act: () => Promise<T>): Promise<T | undefined> {
  try {
    return await act()
  } catch (error) {
    // The banner says that the world is not open.
    if (!isAbsence(error)) notify('fault', complaint(error))
    return undefined
  }
}

/** The same; false when it was refused. */
export async function attempt(act: () => Promise<unknown>): Promise<boolean> {
  const done = await report(async () => {
    await act()
    return true
  })
  return done ?? false
}

/** What went wrong, in a sentence. */
export function complaint(error: unknown): string {
  if (error instanceof EmulatorError && error.code === 'unreachable') return noAnswer
  return error instanceof Error ? error.message : String(error)
}
