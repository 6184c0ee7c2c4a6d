/**
 * `node --import generation-gateway-emulator/virtual-time app.js` connects the timers and the clock of a Node program to a world:
 * a sleep moves the world's clock by its length and returns at once. GATEWAY_EMULATOR_URL is the emulator, and GATEWAY_EMULATOR_WORLD or
 * GATEWAY_EMULATOR_KEY name the world, else it is `default`; one that is not open is opened. With GATEWAY_EMULATOR_TIME=virtual, as `explore` sets it, the clock of the world becomes
 * manual at the first request of the program.
 */
import FakeTimers from '@sinonjs/fake-timers'
import { readKey } from '../../emulator/words.ts'
import { stillRunning } from '../run/still-running.ts'
import { followBusyTime } from './busy-time.ts'
import { limitFetch } from './fetch-limits.ts'
import { followTimers } from './held-timers.ts'
import { followRequests } from './in-flight.ts'
import { tieNodeTimers } from './node-timers.ts'
import { limitSockets } from './socket-limits.ts'
import { worldClock } from './world-clock.ts'

/**
 * While a request is open, no time is skipped, until the request has been silent for this long: then the program's own time-out
 * may fire. A variable sets it for requests.
 */
const silenceMs = 500

/** The same while all open requests are the emulator's, which tells whether it holds as many replies back for good. */
const heldSilenceMs = 100

/** A request that the emulator does not have, or does not finish, for so long went to another server, wall ms. */
const transitMs = 5000

/** The steps in which the rest of a reply's latency passes, virtual ms. */
const latencyStepMs = 100

/** The longest interval that Node has. */
const longestMs = 2 ** 31 - 1

/** How often a program that skips nothing looks at the time, wall ms. */
const lookMs = 25

/** A request waits until the world knows of so much time that the program has spent since its last wait, virtual ms. */
const noticedMs = 100

const {
  GATEWAY_EMULATOR_URL: url,
  GATEWAY_EMULATOR_WORLD: named,
  GATEWAY_EMULATOR_KEY: key,
  GATEWAY_EMULATOR_TIME: time,
  GATEWAY_EMULATOR_TIED: tied,
  GATEWAY_EMULATOR_SILENCE_S: silenceS,
} = process.env
/** Whether a program that is tied too has started this one. */
const isHelper = tied !== undefined
if (url) {
  process.env.GATEWAY_EMULATOR_TIED = String(process.pid)
  await tie(url, named || (key && readKey(key)?.world) || 'default').catch((error: Error) => {
    say(`${error.message}; the program was not started`)
    process.exit(1)
  })
} else if (!isHelper) {
  say('GATEWAY_EMULATOR_URL is not set, so this program keeps real time; it is such as http://127.0.0.1:8585')
}

function say(line: string): void {
  process.stderr.write(`virtual-time: ${line}\n`)
}

async function tie(url: string, world: string): Promise<void> {
  const real = { setTimeout, now: performance.now.bind(performance) }
  /** Keeps the program alive while one of its timers waits: the library's timers do not do so. */
  const alive = setInterval(() => {}, longestMs).unref()
  const theirs = worldClock(url, world)
  const { origin } = new URL(url)
  const startedAt = await theirs.open()
  const clock = FakeTimers.install({
    now: startedAt,
    toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date', 'hrtime'],
    shouldClearNativeTimers: true,
  })
  const busy = followBusyTime(clock, real.now)
  const isHeld = followTimers(clock, () => alive.ref())
  leaveToFetch(real)
  tieNodeTimers()
  let isBehind = false
  /** Ends a rest early. */
  let wake = () => {}
  const flight = followRequests(real.now, {
    onBegin() {
      if (busy.passedMs() >= noticedMs) theirs.advanceAtOnce(busy.takePassed())
    },
    onEnd() {
      isBehind = true
      wake()
    },
  })
  limitFetch(flight.bytesRead)
  limitSockets()
  const wait = (ms: number) => new Promise<void>(resolve => real.setTimeout(resolve, ms).unref())

  /** Waits for the end of a request, but not for long: looking at once again would take the processor from the others. */
  const rest = () =>
    new Promise<void>(resolve => {
      wake = resolve
      void wait(lookMs).then(resolve)
    })

  /** Moves the program's clock to the world's time, which polls may have moved. */
  const catchUp = async () => {
    isBehind = false
    const now = await theirs.now()
    if (now > clock.now) clock.setSystemTime(now)
  }

  const silentMs = () => real.now() - flight.silentSince()
  const mostSilenceMs = () => {
    if (silenceS !== undefined) return 1000 * Number(silenceS)
    return flight.areTo(origin) ? heldSilenceMs : silenceMs
  }
  const isSilent = () => silentMs() >= mostSilenceMs()

  const lateBy = async () => {
    const late = await theirs.lateBy(flight.count())
    return late === 'work' && silentMs() >= transitMs ? undefined : late
  }

  /** Lets time pass as fast as wall time. A program that only starts others, such as npm, leaves the clock of the world alone. */
  const passWall = async () => {
    const began = real.now()
    await wait(lookMs)
    const passed = Math.round(real.now() - began)
    const now = await (flight.begun() > 0 ? theirs.advance(passed) : theirs.now())
    // While a request is open, no move of another process makes its time-out fire.
    await clock.tickAsync(flight.count() > 0 ? passed : Math.max(passed, now - clock.now))
  }

  /**
   * A reply is held back for some wall time, which counts from its beginning. What is left of it passes in short steps. Its way takes a
   * millisecond, so that a reply as late as a limit of the program comes too late.
   */
  const passLatency = async () => {
    if (creditedAt !== flight.silentSince()) {
      creditedAt = flight.silentSince()
      const silentMs = Math.round(real.now() - creditedAt)
      await clock.tickAsync(silentMs)
      await theirs.advance(1)
      await theirs.advanceWithLatency(silentMs - 1)
    }
    // Up to the moment before the next timer: a reply that is due before it comes first.
    const untilNext = (nextTimer(clock)?.callAt ?? Number.POSITIVE_INFINITY) - clock.now
    const ms = Math.min(latencyStepMs, Math.max(1, untilNext - 1))
    // The program's clock first: a reply that the world's clock releases comes after this time, and so does what the program does then.
    await clock.tickAsync(ms)
    await theirs.advanceWithLatency(ms)
    await wait(1)
  }
  let creditedAt = 0
  /** Whether the emulator still worked on a reply, or held it back, at the last look. */
  let wasLate = false

  /** Whether an open request may still be answered. A file that the emulator renders is late because the machine is busy. */
  const isAnswerExpected = async () => {
    if (flight.count() === 0) return false
    if (!isSilent()) {
      await rest()
      return true
    }
    const late = await lateBy()
    if (late === 'work') {
      await wait(lookMs)
      return true
    }
    if (late === 'latency') await passLatency()
    if (late === 'rendering') await wait(lookMs)
    const isOnItsWay = wasLate && late === undefined
    wasLate = late !== undefined
    if (isOnItsWay) flight.touch()
    if (wasLate || isOnItsWay) return true
    // A busy emulator may have read this question before the open request; it answers the next one after both.
    if ((await lateBy()) !== undefined) return true
    // What a busy machine held back has arrived with this reply of the emulator, and is read in the same turn.
    await wait(1)
    return flight.count() === 0 || !isSilent()
  }

  /** Only an answer could wake the program, and none comes: seven days pass at once. */
  const neverAnswered = async () => {
    await theirs.advance(stillRunning.ms)
    await wait(silenceMs)
    if (flight.count() > 0 && isSilent()) endStillRunning()
  }

  let isTaken = time !== 'virtual'
  /** A timer that does not keep the program alive, such as that of a free connection, wakes nobody. */
  const wakesNobody = () => !isHeld() && isTaken && flight.count() === 0
  const step = async () => {
    if (wakesNobody()) return
    // A child process takes its own time, and so does one that only helps the program that started it.
    if (hasAny(['ProcessWrap']) || (isHelper && flight.begun() === 0)) {
      await passWall()
      return
    }
    // Work that a sleep or a reply started runs before time moves on.
    await wait(1)
    if (!isTaken && flight.begun() > 0) {
      isTaken = true
      await theirs.take()
    }
    if (await isAnswerExpected()) return
    const known = flight.begun()
    if (busy.passedMs() >= 1) await theirs.advance(busy.takePassed())
    if (isBehind) await catchUp()
    // A request that began in the meantime is waited for, too; and when the last one has ended, the next one may be about to begin.
    if (flight.begun() !== known || wakesNobody()) return
    const next = nextTimer(clock)
    if (next === undefined) {
      if (flight.count() > 0 && !hasAny(otherWakers)) await neverAnswered()
      return
    }
    const gap = Math.max(0, next.callAt - clock.now)
    // First the program's clock: what the program begins while the world's clock moves, such as a time-out, counts from the new time.
    clock.now += gap
    if (gap > 0) await theirs.advance(gap)
    // The program may have stopped this timer in the meantime.
    const due = nextTimer(clock)
    if (due !== undefined && due.callAt <= clock.now) await clock.nextAsync()
    if (clock.now - startedAt > stillRunning.ms) endStillRunning()
  }

  const drive = () => {
    const hasTimers = isHeld()
    if (!hasTimers) alive.unref()
    const next = () => {
      step().then(drive, error => {
        say(error instanceof Error ? error.message : String(error))
        alive.unref()
        clock.uninstall()
      })
    }
    real.setTimeout(next, hasTimers ? 0 : 2).unref()
  }
  drive()
}

type Clock = ReturnType<typeof FakeTimers.install>

/** The timer that comes next; undefined when there is none. The library keeps its timers in a map that its types do not declare. */
function nextTimer(clock: Clock): { callAt: number } | undefined {
  const { timers } = clock as unknown as { timers?: Map<number, { callAt: number }> }
  return [...(timers?.values() ?? [])].reduce<{ callAt: number } | undefined>(
    (next, timer) => (next === undefined || timer.callAt < next.callAt ? timer : next),
    undefined,
  )
}

/** The engine of `fetch` watches its connections with its own timers, which must stay on wall time. */
function leaveToFetch(real: { setTimeout: typeof setTimeout }): void {
  const tied = globalThis.setTimeout
  const isOfFetch = () => /node:internal\/deps\/undici/.test(new Error().stack?.split('\n')[3] ?? '')
  const choosing = (...args: Parameters<typeof setTimeout>) =>
    isOfFetch() ? real.setTimeout(...args) : tied(...args)
  globalThis.setTimeout = Object.assign(choosing, tied)
}

/** What may wake a program beside its timers and the answers to its requests, in the words of Node. */
const otherWakers = [
  'ProcessWrap',
  'TCPServerWrap',
  'PipeServerWrap',
  'MessagePort',
  'Worker',
  'FSReqPromise',
  'FSReqCallback',
  'FSEventWrap',
  'TTYWrap',
]

function hasAny(resources: readonly string[]): boolean {
  return process.getActiveResourcesInfo().some(one => resources.includes(one))
}

function endStillRunning(): void {
  process.stderr.write(`${stillRunning.line}\n`)
  process.exit(stillRunning.code)
}
