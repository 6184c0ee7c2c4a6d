/**
 * `node --import generation-gateway-emulator/virtual-time app.js` connects the timers and the clock of a Node program to a world:
 * a sleep moves the world's clock by its length and returns at once. GATEWAY_EMULATOR_URL and GATEWAY_EMULATOR_WORLD name the
 * world; without them this module does nothing.
 */
import FakeTimers from '@sinonjs/fake-timers'
import { stillRunning } from '../explore/still-running.ts'
import { followTimers } from './held-timers.ts'
import { followRequests } from './in-flight.ts'
import { worldClock } from './world-clock.ts'

/**
 * While a request is open, no time is skipped, until the request has been silent for this long: then the program's own time-out
 * may fire.
 */
const silenceMs = 500

const { GATEWAY_EMULATOR_URL: url, GATEWAY_EMULATOR_WORLD: world } = process.env
if (url && world) await tie(url, world)

async function tie(url: string, world: string): Promise<void> {
  const real = { setTimeout, now: performance.now.bind(performance) }
  const theirs = worldClock(url, world)
  const startedAt = await theirs.now()
  const clock = FakeTimers.install({
    now: startedAt,
    toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date', 'performance'],
    shouldClearNativeTimers: true,
  })
  tieAbortSignals()
  const isHeld = followTimers(clock)
  leaveToFetch(real)
  let isBehind = false
  const flight = followRequests(real.now, () => {
    isBehind = true
  })
  const wait = (ms: number) =>
    new Promise<void>(resolve => {
      const timer = real.setTimeout(resolve, ms)
      if (!isHeld()) timer.unref()
    })

  /** Moves the program's clock to the world's time, which polls may have moved. */
  const catchUp = async () => {
    isBehind = false
    const now = await theirs.now()
    if (now > clock.now) clock.setSystemTime(now)
  }

  const isSilent = () => real.now() - flight.silentSince() >= silenceMs

  /** Whether an open request may still be answered. A file that the emulator renders is late because the machine is busy. */
  const isAnswerExpected = async () => {
    if (flight.count() === 0) return false
    if (!isSilent()) return true
    if (await theirs.isRendering()) {
      await wait(20)
      return true
    }
    // What a busy machine held back has arrived with this reply of the emulator, and is read in the same turn.
    await wait(1)
    return flight.count() === 0 || !isSilent()
  }

  const step = async () => {
    // Work that a sleep or a reply started runs before time moves on.
    await wait(1)
    if (await isAnswerExpected()) return
    if (isBehind) await catchUp()
    const gap = nextGap(clock)
    if (gap === undefined) return
    if (gap > 0) await theirs.advance(gap)
    await clock.nextAsync()
    if (clock.now - startedAt > stillRunning.ms) endStillRunning()
  }

  const drive = () => {
    // A waiting timer keeps the program alive, as it does without this module.
    const hasTimers = isHeld()
    const next = real.setTimeout(
      () => {
        step().then(drive, error => {
          process.stderr.write(`virtual-time: ${error instanceof Error ? error.message : error}\n`)
          clock.uninstall()
        })
      },
      hasTimers ? 0 : 2,
    )
    if (!hasTimers) next.unref()
  }
  drive()
  keepAlive(isHeld, real)
}

type Clock = ReturnType<typeof FakeTimers.install>

/**
 * Milliseconds until the next timer; undefined when there is none. The library keeps its timers in a map that its types do not
 * declare.
 */
function nextGap(clock: Clock): number | undefined {
  const { timers } = clock as unknown as { timers?: Map<number, { callAt: number }> }
  const due = [...(timers?.values() ?? [])].map(({ callAt }) => callAt)
  return due.length === 0 ? undefined : Math.max(0, Math.min(...due) - clock.now)
}

/** Keeps the program alive while a timer waits: the library's timers do not do so. */
function keepAlive(isHeld: () => boolean, real: { setTimeout: typeof setTimeout }): void {
  process.on('beforeExit', () => {
    if (isHeld()) real.setTimeout(() => {}, 5)
  })
}

/** The engine of `fetch` watches its connections with its own timers, which must stay on wall time. */
function leaveToFetch(real: { setTimeout: typeof setTimeout }): void {
  const tied = globalThis.setTimeout
  const isOfFetch = () => /node:internal\/deps\/undici/.test(new Error().stack?.split('\n')[3] ?? '')
  const choosing = (...args: Parameters<typeof setTimeout>) =>
    isOfFetch() ? real.setTimeout(...args) : tied(...args)
  globalThis.setTimeout = Object.assign(choosing, tied)
}

/** Node implements `AbortSignal.timeout` with timers that cannot be replaced. This version uses the program's timers. */
function tieAbortSignals(): void {
  AbortSignal.timeout = ms => {
    const controller = new AbortController()
    const timer = setTimeout(
      () => controller.abort(new DOMException('The operation was aborted due to timeout', 'TimeoutError')),
      ms,
    )
    timer.unref?.()
    return controller.signal
  }
}

function endStillRunning(): void {
  process.stderr.write(`${stillRunning.line}\n`)
  process.exit(stillRunning.code)
}
