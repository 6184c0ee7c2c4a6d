import { shown } from '../../emulator/words.ts'
import { EmulatorError } from './call.ts'
import type { FakeTimers, WorldClock } from './world-client.ts'

/** How another clock, such as that of a browser's page, follows a world's. */
interface Following<T> {
  /** Stops it at the world's time, epoch ms. Returns how it is moved forward, ms. */
  stopAt(target: T, now: number): Promise<(ms: number) => unknown>
}

/**
 * A world's clock with `attach`, which makes the world's clock `manual`. After each change, and before the change resolves, attached
 * clocks are moved by the same time.
 */
export function followedClock<T>(
  clock: Omit<WorldClock, 'attach'>,
  { stopAt }: Following<T>,
): Omit<WorldClock, 'attach'> & { attach(target: T): Promise<void> } {
  const attached: { move(ms: number): unknown; now: number }[] = []
  const after = async <R extends { now_ms: number }>(change: Promise<R>): Promise<R> => {
    const answer = await change
    for (const one of attached) {
      const gap = answer.now_ms - one.now
      one.now = Math.max(one.now, answer.now_ms)
      if (gap > 0) await one.move(gap)
    }
    return answer
  }
  return {
    get: () => clock.get(),
    set: change => after(clock.set(change)),
    advance: by => after(clock.advance(by)),
    advanceTo: to => after(clock.advanceTo(to)),
    advanceUntil: until => after(clock.advanceUntil(until)),
    async attach(target) {
      const { now_ms: now } = await clock.set({ mode: 'manual' })
      attached.push({ move: await stopAt(target, now), now })
    },
  }
}

/** The clock of a world, with `attach` for the fake timers of a test. */
export function timedClock(clock: Omit<WorldClock, 'attach'>): WorldClock {
  const followed = followedClock<FakeTimers>(clock, {
    async stopAt(timers, now) {
      const made = timers.useFakeTimers({ now, ...choice }) as { tickAsync?(ms: number): unknown } | undefined
      return ms => made?.tickAsync?.(ms) ?? timers.advanceTimersByTimeAsync?.(ms)
    },
  })
  return {
    ...followed,
    async attach(timers) {
      checkTimers(timers)
      await followed.attach(timers)
    },
  }
}

/** Timers of Node's own network code must stay: its requests need wall time. Vitest and Sinon ask what to replace, Jest what not. */
const choice = {
  toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'],
  doNotFake: [
    'nextTick',
    'queueMicrotask',
    'setImmediate',
    'clearImmediate',
    'performance',
    'hrtime',
    'requestAnimationFrame',
    'cancelAnimationFrame',
    'requestIdleCallback',
    'cancelIdleCallback',
  ],
  // Timers that Node's fetch began before are cleared as before.
  shouldClearNativeTimers: true,
} satisfies Omit<Parameters<FakeTimers['useFakeTimers']>[0], 'now'>

/** Plain JavaScript may pass anything, and Jest before 29.5 cannot wait for what its timers do. */
function checkTimers(timers: unknown): void {
  const { useFakeTimers, advanceTimersByTimeAsync, createSandbox } = Object(timers) as Record<string, unknown>
  if (typeof useFakeTimers === 'function' && (advanceTimersByTimeAsync ?? createSandbox) !== undefined) return
  throw new EmulatorError(0, {
    code: 'bad_request',
    message: `world.clock.attach takes vi of Vitest, jest of Jest from 29.5 on, or sinon, not ${shown(typeof timers)}`,
  })
}
