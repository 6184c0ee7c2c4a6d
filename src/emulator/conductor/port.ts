import type { UnseenLibrary } from '../worlds/under-way.ts'
import type { Hello } from './member.ts'

/** The run as the conductor sees it: its world, and the processes that are not tied. */
export interface RunPort {
  now(): number
  /** The run has come to this moment. The world's clock moves, too, unless it is not taken yet. */
  move(to: number, isTaken: boolean): void
  /** Makes the world's clock manual, at this moment at least. */
  take(at: number): void
  /** The next moment at which the emulator itself does something. */
  moment(): number | undefined
  /** So many more ms of wall time have passed in the run, for these programs or for the same as before. */
  passed(ms: number, programs?: readonly string[]): void
  /** A library whose waits nobody sees: a process does without it, or is not tied any more. */
  unseen(library: Omit<UnseenLibrary, 'service'> & { service: string | undefined }): void
  /** Does what is due. */
  fire(now: number): void
  /** A process follows the clock: what a scenario holds back waits by it. */
  follow(): void
  /** Nobody follows it any more: what waits for it goes on. */
  release(): void
  /**
   * Requests without a complete reply; those of them of whose reply nothing was sent, those that have not come whole themselves, and those
   * whose reply comes only with time, or never.
   */
  requests(): { open: number; unanswered: number; incomplete: number; held: number }
  /** How far the replies have come. */
  progress(): Progress
  /** Whether the emulator works on a reply, or has ended one since then. One that waits for its client to read is not work. */
  isWorking(before: Progress): boolean
  /** Calls back when what lies in the queues of the emulator has been read. */
  turn(then: () => void): void
  /** The port at which the emulator listens. */
  port(): number
  free: FreePort
  wall: Wall
}

/** Wall time. */
export interface Wall {
  nowMs(): number
  /** Calls back once. Returns what takes that back. */
  after(ms: number, act: () => void): () => void
}

/** By request, a number that grows with its bytes. */
export type Progress = ReadonlyMap<object, number>

/** The processes of a run that are not tied, and the tied ones that are blocked, by their numbers: they cannot say what they do. */
export interface FreePort {
  watch(hello: Hello): void
  leave(hello: Hello): void
  /** A process that was tied keeps its own time from now on, until it leaves. */
  untie(hello: Hello): void
  /** Whether such a one lives. */
  hasUntied(): boolean
  /** A service of a system: it is of the run, whether it will be tied or not. One that is `beside` waits only for others. */
  start(service: { host: Hello; pid: number; isBeside: boolean }): void
  /** A process is born soon. */
  expect(parent: Hello): void
  /** No child of a process lives any more. */
  childless(parent: Hello): void
  /** What they have done up to now. */
  look(blocked: readonly number[]): string
  /** What a tied process has done; undefined when it runs, or cannot be seen. */
  workOf(pid: number): string | undefined
  /** Whether a tied process sleeps: one that was killed does not, from the kill on. False where that cannot be seen, and with several threads. */
  sleeps(pid: number): boolean
  /** How long to wait until they may rest, by what a look found, wall ms; 0 when they did nothing at it, and none is being born. */
  busyMs(work: string): number
  /** How long to wait before the next look, wall ms; 0 when they have done nothing since the look `before`. `quietMs`: since when nobody else has. */
  graceMs(look: { before: string; blocked: readonly number[]; quietMs: number }): number
  /** Whether one sleeps by itself, or a blocked one is stopped. */
  isTiming(blocked: readonly number[]): boolean
  /** The names of the programs that sleep by themselves or are stopped; where there are none, of those that `count` counts. */
  holders(blocked: readonly number[], which: Which | undefined): string[]
  /** How many there are, without those above the tied ones. */
  count(which: Which): number
}

/** Processes that are not tied, with or without the parts beside. */
export type Which = 'all' | 'without those beside'
