import {
  asleepMs,
  beforeDeathMs,
  longestMs,
  lookMs,
  surelyMs,
  surelyRounds,
  threadMs,
  transitMs,
} from './limits.ts'
import {
  actorsOf,
  begun,
  blockedOf,
  isAsleep,
  isInMoments,
  isInTransit,
  type Look,
  mayBeWoken,
  noteTraffic,
  onlySleeps,
  owesAnswer,
} from './look.ts'
import { type Hello, joined, type Member, standing, type Wait, waitOf } from './member.ts'
import type { Progress, RunPort } from './port.ts'

/**
 * The one clock of a run. **Time moves only when everybody waits, and then to the next moment that anybody waits for.**
 * `member.ts` says what processes and conductor tell each other.
 *
 * The second look is needed because bytes between two processes lie in the other's queue when they were sent, but the other may not
 * have read them when it said that it waits. All times are virtual epoch ms.
 */
export class Conductor {
  readonly #run: RunPort
  readonly #members = new Set<Member>()
  readonly #ports = new Set<number>()
  /** Threads that have not said hello yet, by their process. */
  #threads: { pid: number; sinceMs: number }[] = []
  #round = 0
  #look: Look | undefined
  #naps = 0
  /** How many looks in a row found nobody who waits for a moment. */
  #vainRounds = 0
  /** Takes back what is done later. */
  #stop = () => {}
  #isChanging = false
  /** When anybody did something last, wall ms. */
  #changedAtMs = 0
  /** The time to which it moves once these have done what they do before. */
  #moving: { to: number; hosts: Set<Member> } | undefined
  #now: number
  #isTaken = false
  /** Up to when wall time has passed in the run; undefined while none does. */
  #passedAtMs: number | undefined
  /** Since when nobody works, wall ms. */
  #restsSinceMs: number | undefined
  #startedAt: number

  constructor(run: RunPort) {
    this.#run = run
    this.#now = this.#startedAt = run.now()
  }

  /** Takes a process in. `say` sends it a line. */
  join(hello: Hello, say: (line: string) => void): Member {
    const member: Member = { hello, say, state: { kind: 'work' }, answered: 0, traffic: '', silentSinceMs: 0 }
    if (this.#members.size === 0) this.#now = this.#startedAt = Math.max(this.#now, this.#run.now())
    this.#add(member)
    if (!hello.takes) this.#isTaken = true
    if (hello.isHost) for (const { hello: other } of this.#members) if (other !== hello) say(joined(other))
    this.#change()
    say(`now ${this.#time()}`)
    return member
  }

  #add(member: Member): void {
    const { hello } = member
    this.#members.add(member)
    this.#run.follow()
    if (hello.isHost) return
    this.#run.free.watch(hello)
    const coming = this.#threads.findIndex(({ pid }) => pid === hello.pid)
    if (coming >= 0) this.#threads.splice(coming, 1)
    for (const { hello: other, say } of this.#members) if (other.isHost) say(joined(hello))
  }

  /** The process has ended, or its connection has; or it is not tied any more. */
  leave(member: Member, isEnd = true): void {
    const isTied = this.#members.delete(member)
    if (!member.hello.isHost) this.#run.free[isEnd ? 'leave' : 'untie'](member.hello)
    if (this.#isOver()) this.#run.release()
    if (!isTied) return
    const isLast = !this.#tied().some(({ hello }) => hello.pid === member.hello.pid)
    if (isLast) this.#threads = this.#threads.filter(({ pid }) => pid !== member.hello.pid)
    this.#hasKept(member)
    this.#change()
  }

  /** Hears a line of a process. Throws for a word that it does not know. */
  hear(member: Member, line: string): void {
    const [word = '', ...rest] = line.split(' ')
    // It waits where it is seen again.
    if (!this.#members.has(member)) this.#add(member)
    delete member.momentsSinceMs
    switch (word) {
      case 'wait':
        member.state = waitOf(rest)
        noteTraffic(member, `${rest[2]} ${rest[4]}`, this.#run.wall.nowMs())
        break
      case 'blocked':
      case 'awake':
        member.state = { kind: word === 'awake' ? 'work' : word }
        this.#change()
        member.say(`at ${this.#time()}`)
        return
      case 'still':
        member.answered = Number(rest[0])
        if (member.state.kind !== 'blocked' || !member.state.before) {
          this.#consider()
          return
        }
        member.state = member.state.before
        break
      case 'birth':
        // Until its next line it may not have been born.
        member.state = { kind: 'work' }
        this.#run.free.expect(member.hello)
        break
      case 'childless':
        this.#run.free.childless(member.hello)
        return
      case 'thread':
        this.#threads.push({ pid: member.hello.pid, sinceMs: this.#run.wall.nowMs() })
        break
      case 'listen':
        this.#ports.add(Number(rest[0]))
        return
      case 'stands_in':
      case 'untied':
        this.#unseen(member, rest.join(' '), word === 'stands_in')
        return
      case 'begin':
        this.#begin()
        break
      case 'started':
        this.#run.free.start({ host: member.hello, pid: Number(rest[0]), isBeside: rest[1] === 'beside' })
        break
      case 'spared':
        member.hello = { ...member.hello, waits: false }
        break
      case 'kept':
        this.#hasKept(member)
        return
      default:
        throw new Error(`"${word.slice(0, 40)}" is not a word of this connection`)
    }
    this.#change()
  }

  #unseen(member: Member, name: string, isReplaced = false): void {
    this.#run.unseen({ name, is_replaced: isReplaced, service: member.hello.service })
    if (!isReplaced) this.leave(member, false)
  }

  /** Whether nobody is left who lives in the time of the run. */
  #isOver(): boolean {
    return this.#members.size === 0 && !this.#run.free.hasUntied()
  }

  /** Something has changed: what was seen before is no longer known. */
  #change(): void {
    this.#look = undefined
    this.#naps = this.#vainRounds = 0
    this.#changedAtMs = this.#run.wall.nowMs()
    if (this.#isChanging) return
    this.#isChanging = true
    // Processes wake each other: their lines come in groups, and only after the last one it pays to look.
    this.#run.turn(() => {
      this.#isChanging = false
      this.#consider()
    })
  }

  #time(): number {
    return this.#isTaken ? this.#run.now() : Math.max(this.#now, this.#run.now())
  }

  #begin(): void {
    if (this.#isTaken) return
    this.#isTaken = true
    this.#run.take(this.#time())
  }

  #consider(): void {
    this.#stop()
    if (this.#moving) return
    const members = [...this.#members]
    if (this.#isOver()) {
      this.#passedAtMs = this.#restsSinceMs = undefined
      return
    }
    if (members.some(({ state }) => state.kind === 'work')) {
      this.#look = undefined
      this.#restsSinceMs = undefined
      this.#passRest()
      this.#again(asleepMs / 4, () => this.#watch())
      return
    }
    this.#restsSinceMs ??= this.#run.wall.nowMs()
    // A reply changes what the processes do, so they are asked after it.
    if (!this.#look && this.#isUnderWay(this.#run.progress())) this.#nap()
    else this.#ask(members)
  }

  #ask(members: readonly Member[]): void {
    if (!this.#look) {
      const free = this.#run.free.look(blockedOf(this.#tied()))
      const busyMs = this.#run.free.busyMs(free)
      if (busyMs > 0 && !this.#isWall(this.#next(this.#waits()))) {
        this.#again(busyMs)
        return
      }
      this.#look = begun(members, { round: ++this.#round, free, run: this.#run })
    }
    const look = this.#look
    if (members.some(member => owesAnswer(member, look))) {
      this.#again(asleepMs / 4, () => this.#watch())
      return
    }
    if (look.isSettling) return
    look.isSettling = true
    // What was sent to the emulator before the answers is read in these turns.
    this.#run.turn(() => {
      if (this.#look !== look) return
      this.#look = undefined
      this.#settle(look)
    })
  }

  /** A process that neither answers nor does anything, although a line has come, is blocked by something that nobody has told. */
  #watch(): void {
    let isAnyAsleep = false
    for (const member of this.#tied()) {
      const { state, hello } = member
      if (state.kind === 'blocked' || (state.kind === 'wait' && !owesAnswer(member, this.#look))) continue
      const seen = { work: this.#run.free.workOf(hello.pid), nowMs: this.#run.wall.nowMs() }
      if (isInMoments(member, { ...seen, others: this.#tied(), run: this.#run }))
        this.#unseen(member, 'native code')
      else if (isAsleep(member, { ...seen, line: `now ${this.#time()}` })) {
        member.state = { kind: 'blocked', before: state }
        isAnyAsleep = true
      }
    }
    if (isAnyAsleep) this.#change()
    else this.#again(asleepMs / 4, () => this.#watch())
  }

  #settle(look: Look): void {
    const quietMs = this.#run.wall.nowMs() - this.#changedAtMs
    const graceMs = this.#run.free.graceMs({ before: look.free, blocked: blockedOf(this.#tied()), quietMs })
    if (this.#isUnderWay(look.sent)) this.#nap()
    else if (graceMs > 0 && !this.#isWall(this.#next(this.#waits()))) this.#again(graceMs)
    else {
      this.#naps = 0
      this.#move()
    }
  }

  #again(ms: number, act = () => this.#consider()): void {
    this.#stop = this.#run.wall.after(ms, act)
  }

  #nap(): void {
    this.#again(Math.min(20, 2 ** Math.min(5, ++this.#naps)))
  }

  /** Whether something is on its way to a process that nobody holds back until a moment; `sent` is what had been sent to it before. */
  #isUnderWay(sent: Progress): boolean {
    if (this.#run.isWorking(sent)) return true
    if (this.#threads.some(({ sinceMs }) => this.#run.wall.nowMs() - sinceMs < threadMs)) return true
    const waits = this.#waits()
    const silentMs = this.#run.wall.nowMs() - Math.max(...[...this.#members].map(one => one.silentSinceMs))
    const traffic = { ports: this.#ports, run: this.#run, silentMs }
    if (silentMs < transitMs && isInTransit(waits, traffic)) return true
    const isDeathNear = [...this.#members].some(({ hello }) => hello.waits)
    return this.#run.requests().held > 0 && isDeathNear && silentMs < beforeDeathMs
  }

  #tied(): Member[] {
    return [...this.#members].filter(({ hello }) => !hello.isHost)
  }

  #waits(): Wait[] {
    return [...this.#members].flatMap(({ state }) => (state.kind === 'wait' ? [state] : []))
  }

  #move(): void {
    const waits = this.#waits()
    const next = this.#next(waits)
    if (this.#isWall(next)) {
      this.#passWall(next)
      return
    }
    if (this.#passRest()) return
    if (next === Number.POSITIVE_INFINITY) this.#nobodyWaits(waits)
    else if (next - this.#startedAt > longestMs) this.#end('')
    else this.#moveTo(Math.max(this.#time(), next))
  }

  /** The next moment that anybody waits for; infinity when there is none. */
  #next(waits: readonly Wait[]): number {
    const before = this.#time()
    const moments = waits.flatMap(({ now, until = Number.POSITIVE_INFINITY }) =>
      now > before ? [now, until] : [until],
    )
    return Math.min(...moments, this.#run.moment() ?? Number.POSITIVE_INFINITY)
  }

  /**
   * What is not tied, or is blocked, may sleep itself. What is not tied may be the only one that does anything, or be the program as long as no
   * tied process has made a call. A database, too, may answer a call only after a time that it was given.
   */
  #isWall(next: number): boolean {
    const { free } = this.#run
    if (free.isTiming(blockedOf(this.#tied()))) return true
    const actors = actorsOf(next, this.#isTaken)
    return actors !== undefined && free.count(actors) > 0
  }

  #moveTo(to: number): void {
    const byMs = to - this.#time()
    this.#now = to
    this.#run.move(to, this.#isTaken)
    const hosts = [...this.#members].filter(({ hello }) => hello.isHost)
    if (byMs <= 0 || hosts.length === 0) {
      this.#tell(to)
      return
    }
    this.#moving = { to, hosts: new Set(hosts) }
    for (const { say } of hosts) say(`move ${byMs}`)
  }

  #hasKept(member: Member): void {
    if (!this.#moving?.hosts.delete(member) || this.#moving.hosts.size > 0) return
    const { to } = this.#moving
    this.#moving = undefined
    this.#tell(to)
  }

  #tell(to: number): void {
    const isDue = ({ state }: Member) =>
      state.kind === 'wait' && (state.until ?? Number.POSITIVE_INFINITY) <= to
    const due = [...this.#members].filter(isDue)
    // First those that go on waiting: what the others send them then comes after the new time.
    for (const one of this.#members) if (!due.includes(one) && !onlySleeps(one)) one.say(`now ${to}`)
    for (const member of due) member.state = { kind: 'work' }
    for (const { say } of due) say(`now ${to}`)
    this.#run.fire(to)
    this.#change()
  }

  /** Time passes as fast as wall time, from the moment on at which all were seen to wait. */
  #passWall(next: number): void {
    this.#passedAtMs ??= this.#restsSinceMs ?? this.#run.wall.nowMs()
    const ms = Math.round(this.#run.wall.nowMs() - this.#passedAtMs)
    this.#passedAtMs += ms
    this.#run.passed(ms, this.#run.free.holders(blockedOf(this.#tied()), actorsOf(next, this.#isTaken)))
    if (ms > 0) this.#moveTo(Math.min(this.#time() + ms, Math.max(next, this.#time())))
    this.#look = undefined
    if ([...this.#members].some(({ state }) => state.kind === 'work')) this.#passedAtMs = undefined
    else this.#again(Math.min(lookMs, Math.max(1, next - this.#time())))
  }

  /** No more wall time passes than up to now. Returns whether some did. */
  #passRest(): boolean {
    if (this.#passedAtMs === undefined) return false
    const ms = Math.round(this.#run.wall.nowMs() - this.#passedAtMs)
    this.#passedAtMs = undefined
    this.#run.passed(ms)
    if (ms > 0) this.#moveTo(Math.max(this.#time(), Math.min(this.#time() + ms, this.#next(this.#waits()))))
    return ms > 0
  }

  #nobodyWaits(waits: readonly Wait[]): void {
    const isAsked = waits.some(({ calls }) => calls.length > 0) || this.#run.requests().open > 0
    const isAnswered = isAsked && this.#ports.size === 0
    if (mayBeWoken([...this.#members], isAnswered) || waits.some(({ wakers }) => wakers === 'any')) return
    // A busy machine may only be slow to wake one of them: each must have answered some looks in a row, with nothing in between.
    if (++this.#vainRounds < surelyRounds) this.#again(surelyMs)
    else {
      this.#run.move(this.#time() + longestMs, true)
      this.#end(`nobody waits for any moment: ${this.#tied().map(standing).join('; ')}`)
    }
  }

  #end(why: string): void {
    for (const { say } of this.#members) say(`over ${why}`)
  }
}
