/**
 * `node --import generation-gateway-emulator/virtual-time app.js` connects the timers and the clock of a Node program to a world:
 * a sleep moves the world's clock by its length and returns at once. GATEWAY_EMULATOR_URL is the emulator, and GATEWAY_EMULATOR_WORLD or
 * GATEWAY_EMULATOR_KEY name the world, else it is `default`; one that is not open is opened. With GATEWAY_EMULATOR_TIME=virtual, as `explore` sets it, the clock of the world becomes
 * manual at the first request of the program.
 */
import FakeTimers from '@sinonjs/fake-timers'
import { readKey } from '../../emulator/words.ts'
import { stillRunning } from '../run/run.ts'
import { hasAny, keepers, wakersOf, work } from './active-resources.ts'
import { followBusyTime, type SyncWaits } from './busy-time.ts'
import { joinRun } from './conductor-link.ts'
import { followTimers } from './held-timers.ts'
import { followRequests } from './in-flight.ts'
import { limitFetch, limitSockets, sendAtOnce } from './limits.ts'
import { tieNodeTimers } from './node-timers.ts'
import { followChildren, followPorts, followThreads, followWorkers, startOfProcess } from './own-process.ts'

/** The longest interval that Node has. */
const longestMs = 2 ** 31 - 1

/** So many turns of the event loop without an event, one after another: nothing is left to do. */
const quietTurns = 2

/** While work is done apart from the event loop, it is looked for so often in a row, and then once in so many wall ms. */
const mostLooks = 200
const lookMs = 1

/** How long a thread that blocks itself looks at nothing, wall ms. */
const shortestNapMs = 0.1
const longestNapMs = 5

const {
  GATEWAY_EMULATOR_URL: url,
  GATEWAY_EMULATOR_WORLD: named,
  GATEWAY_EMULATOR_KEY: key,
  GATEWAY_EMULATOR_CASE: explored,
  GATEWAY_EMULATOR_TIME: time,
  GATEWAY_EMULATOR_TIED: tied,
  GATEWAY_EMULATOR_DIES: dies,
  GATEWAY_EMULATOR_SERVICE: service,
} = process.env
if (url) {
  process.env.GATEWAY_EMULATOR_TIED = String(process.pid)
  await tie(url, named || (key && readKey(key)?.world) || 'default').catch((error: Error) => {
    say(`${error.message}; the program was not started`)
    process.exit(1)
  })
} else if (tied === undefined) {
  say('GATEWAY_EMULATOR_URL is not set, so this program keeps real time; it is such as http://127.0.0.1:8585')
}

function say(line: string): void {
  process.stderr.write(`virtual-time: ${line}\n`)
}

/** Ties this thread to the clock of its run: it says when it waits, and until when, and goes on when that moment has come. */
async function tie(url: string, world: string): Promise<void> {
  const real = { setTimeout, setImmediate }
  const napFor = Atomics.wait
  const nobody = new Int32Array(new SharedArrayBuffer(4))
  /** Keeps the program alive while one of its timers waits: the library's timers do not do so. */
  const alive = setInterval(() => {}, longestMs).unref()
  let now = 0
  /** What was said last; undefined while the program works. */
  let told: string | undefined
  /** The look that was not answered yet. */
  let round: string | undefined
  /** Whether nothing was done since it said that it waits: then it may have been woken before it has read the time of the run. */
  let isResting = false
  /** What it has said that may wake it. */
  let wakers: ReturnType<typeof wakersOf> = 1
  /** Whether it did something since it said that it waits. */
  let isBroken = false
  let events = 0
  let reads = 0
  let isBlocked = false
  /** Before the clock is installed, a line has no more to do than to be kept. */
  let hearNow = (time: number) => {
    now = time
  }
  let answers = 0
  const hear = (line: string) => {
    const [word, rest = ''] = line.split(' ')
    if (word === 'at') answers++
    if (word === 'now' || word === 'at') hearNow(Number(rest))
    else if (word === 'look') hearLook(rest)
    else end(line.slice('over '.length))
  }
  const hearLook = (asked: string) => {
    round = asked
    if (!isBlocked) look()
  }
  const hello = [
    'hello',
    process.pid,
    startOfProcess(),
    time === 'virtual',
    dies !== undefined,
    explored !== undefined,
    service ?? '-',
  ]
  const link = await joinRun({
    url,
    world,
    hello: hello.map(word => (typeof word === 'boolean' ? Number(word) : word)).join(' '),
    hear,
    ended: () => {
      // The emulator has ended: nothing moves the clock any more.
      alive.unref()
      clock?.uninstall()
    },
  })
  let clock: Clock | undefined
  const installed = FakeTimers.install({
    now,
    toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date', 'hrtime'],
    shouldClearNativeTimers: true,
  })
  clock = installed
  const works = () => {
    told = undefined
    look()
  }
  hearNow = time => {
    now = time
    installed.now = time
    const next = nextTimer(installed)
    if (isBlocked || next === undefined || next.callAt > time) return
    isResting = false
    works()
  }
  /** Says a line that is answered by the time of the run. */
  const ask = (line: string) => {
    const before = answers
    link.say(line)
    while (answers === before && link.drain()) napFor(nobody, 0, 0, shortestNapMs)
  }
  const awake = () => {
    ask('awake')
    look()
  }
  /** Its own time, as long as that of the run has not come to it. */
  const ahead = () => (Math.floor(own()) > now ? Math.floor(own()) : '-')
  const waits: SyncWaits = {
    blocked(block) {
      told = undefined
      ask('blocked')
      try {
        return block()
      } finally {
        awake()
      }
    },
    withChild(start) {
      link.say('birth')
      try {
        return waits.blocked(start)
      } finally {
        children.tell()
      }
    },
    until(at, attempt) {
      told = undefined
      isBlocked = true
      link.say(`wait ${ahead()} ${at === Number.POSITIVE_INFINITY ? '-' : Math.ceil(at)} - 1 0`)
      try {
        for (let nap = shortestNapMs; ; nap = Math.min(2 * nap, longestNapMs)) {
          if (!link.drain()) return false
          if (now >= at) return { value: undefined }
          const value = attempt(round === undefined ? nap : 0)
          if (value !== undefined) return { value }
          if (round === undefined) continue
          link.say(`still ${round}`)
          round = undefined
          nap = shortestNapMs
        }
      } finally {
        isBlocked = false
        awake()
      }
    },
  }
  const own = followBusyTime(installed, {
    ...waits,
    onLook() {
      if (!isResting) return
      isResting = false
      // Nobody tells the time to one that only sleeps.
      if (wakers === 0) ask('awake')
      else link.drain()
    },
  })
  /** What the program sends from now on comes at its own time. */
  let hasAsked = false
  const catchUp = () => {
    if (!hasAsked) link.say('begin')
    const at = Math.floor(installed.now)
    if (!hasAsked || at > now) waits.until(at, wallMs => void napFor(nobody, 0, 0, wallMs))
    hasAsked = true
  }
  const isHeld = followTimers(installed, {
    onTimer() {
      alive.ref()
      isBroken = true
      look()
    },
    onClear() {
      isBroken = true
      look()
    },
  })
  leaveToFetch(real)
  tieNodeTimers()
  const flight = followRequests({
    onBegin() {
      isBroken = true
      catchUp()
      look()
    },
    onEnd: () => {
      isBroken = true
    },
    home: url,
  })
  limitFetch()
  limitSockets()
  sendAtOnce()
  const children = followChildren({
    onBirth() {
      link.say('birth')
      works()
    },
    onNone: () => link.say('childless'),
  })
  /** Its workers, which keep it alive although Node does not list them. */
  let workers = 0
  followWorkers(worker => {
    link.say('thread')
    workers++
    worker.once('exit', () => workers--)
  })
  /** Whether others may have reached it at a port, although Node does not list that. */
  let isOpen = false
  followPorts(port => {
    isOpen = true
    link.say(`listen ${port}`)
  })
  const isWorkingApart = followThreads()

  let isLooking = false
  let isAlive = false
  let quiet = 0
  let looks = 0
  let seen = -1
  /** Looks whether the program waits, and says so. */
  const look = () => {
    quiet = 0
    looks = 0
    if (!isLooking) again()
  }
  const again = () => {
    isLooking = true
    if (looks < mostLooks) real.setImmediate(turn)
    else real.setTimeout(() => real.setImmediate(turn), lookMs).unref()
  }
  const turn = () => {
    isLooking = false
    const next = nextTimer(installed)
    if (next !== undefined && next.callAt <= own()) {
      isBroken = true
      quiet = 0
      isLooking = true
      try {
        installed.next()
      } finally {
        again()
      }
      return
    }
    if (!isHeld()) alive.unref()
    const count = eventsOfLoop()
    const active = process.getActiveResourcesInfo()
    const isQuiet = count === seen && !hasAny(work, active)
    seen = count
    looks++
    quiet = isQuiet ? quiet + 1 : 0
    if (quiet < quietTurns || isWorkingApart()) again()
    else if (isAlive || workers > 0 || hasAny(keepers, active))
      report(next, wakersOf(workers > 0 ? [...active, 'Worker'] : active, isOpen))
    else if (active.length > 0) whenAlive()
  }
  /** With nothing that keeps it alive, a program does not wait: it ends before the second of these timers. */
  const whenAlive = () => {
    const kept = () => {
      isLooking = false
      isAlive = true
      look()
    }
    isLooking = true
    real.setTimeout(() => real.setTimeout(kept, 0).unref(), 0).unref()
  }
  const report = (next: { callAt: number } | undefined, wakenBy: typeof wakers) => {
    const since = eventsOfLoop() - events - (link.reads() - reads)
    const text = `wait ${ahead()} ${next ? Math.ceil(next.callAt) : '-'} ${flight.calls()} ${wakenBy} ${flight.bytesRead()}`
    const isStill = told === text && since === 0 && !isBroken
    if (isStill && round === undefined) return
    link.say(isStill ? `still ${round}` : text)
    told = text
    isAlive = false
    isResting = true
    wakers = wakenBy
    round = undefined
    isBroken = false
    events = eventsOfLoop()
    reads = link.reads()
  }
  look()
}

/** How many events the event loop has handled. */
function eventsOfLoop(): number {
  const { uvMetricsInfo } = performance.nodeTiming as unknown as { uvMetricsInfo: { events: number } }
  return uvMetricsInfo.events
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
  /** A stack of one line costs a quarter of a whole one. */
  const isOfFetch = () => {
    const { stackTraceLimit } = Error
    const caller = { stack: '' }
    Reflect.set(Error, 'stackTraceLimit', 1)
    Error.captureStackTrace(caller, choosing)
    Reflect.set(Error, 'stackTraceLimit', stackTraceLimit)
    return String(caller.stack).includes('node:internal/deps/undici')
  }
  const choosing = (...args: Parameters<typeof setTimeout>) =>
    isOfFetch() ? real.setTimeout(...args) : tied(...args)
  globalThis.setTimeout = Object.assign(choosing, tied)
}

function end(why: string): void {
  if (why !== '') say(why)
  process.stderr.write(`${stillRunning.line}\n`)
  process.exit(stillRunning.code)
}
