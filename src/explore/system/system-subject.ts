import { askEmulator } from '../../emulator/gateway.ts'
import { UsageError } from '../../emulator/options.ts'
import type { WorldClient } from '../../kits/client.ts'
import {
  atRest,
  endKindly,
  endLeftProcesses,
  endTold,
  isRead,
  killPart,
  type Started,
  startPart,
} from '../run/processes.ts'
import {
  type Death,
  type Exit,
  type PartRun,
  type Run,
  type RunOptions,
  type Subject,
  type SystemRun,
  stillRunning,
  type ToldStart,
  watchLimit,
} from '../run/run.ts'
import { environmentOf, virtualTimeEnvironment, withEndless } from '../run/run-command.ts'
import { openPorts } from './ports.ts'
import { noteStarted } from './prepared-states.ts'
import { notReady } from './ready.ts'
import { followsTime, looksLikeRedis } from './redis-time.ts'
import { conductedClock, type RunClock, wallClock } from './run-clock.ts'
import { filled, type Part, type Service, type System } from './system.ts'

/** How long a part beside may take to end, and how long what was written last may take to be read, wall ms. */
const lastMomentMs = 500
/** How long a part beside may take to write down what was prepared, wall ms. */
const longMomentMs = 20_000

/** A system to explore: each run starts its services, runs its driver and its check, and ends everything. */
export function systemSubject(system: System, inherited: NodeJS.ProcessEnv): Subject {
  return {
    async run(world, options) {
      const play = new Play(system, { world, options, inherited })
      try {
        const run = await play.run()
        return withEndless({ ...run, ms: play.ms() })
      } finally {
        await play.end()
      }
    },
  }
}

/** How long the emulator of a world has run, wall ms. */
async function uptimeMs({ baseUrl }: WorldClient): Promise<number> {
  const reply = await askEmulator(`${baseUrl}/__emulator/health`)
  return ((await reply.json()) as { uptime_ms: number }).uptime_ms
}

/** Runs what prepares a system, with its parts beside. */
export async function prepareSystem(system: System, prepare: Part, around: Surroundings): Promise<Run> {
  const play = new Play(system, around)
  try {
    const run = await play.prepare(prepare)
    return { ...run, ms: play.ms() }
  } finally {
    await play.end(longMomentMs)
  }
}

interface Surroundings {
  world: WorldClient
  options: RunOptions
  inherited: NodeJS.ProcessEnv
}

class Play {
  readonly #system: System
  readonly #around: Surroundings
  readonly #running = new Map<string, Started>()
  /** What those wrote that were killed and started again. */
  readonly #before = new Map<string, PartRun>()
  readonly #ended: SystemRun['ended'][number][] = []
  /** Of those that tell at their end what ran: the folder with a file of each of their processes that does. */
  readonly #records = new WeakMap<Started, string>()
  /** The parts beside whose clocks do not follow that of the run. */
  readonly #onTheWall = new Set<string>()
  #killed: SystemRun['killed']
  /** Settles when the service that was killed is there again. */
  #isBack: Promise<void> | undefined
  #isEnding = false
  /** Ends the driver or the check. */
  #stop: ((exit: Exit) => void) | undefined
  #ports: Awaited<ReturnType<typeof openPorts>> | undefined
  #clock: RunClock = wallClock()
  readonly #startedMs = performance.now()
  #readyMs: number | undefined
  #driverEndedMs: number | undefined

  constructor(system: System, around: Surroundings) {
    this.#system = system
    this.#around = around
  }

  /** How long it has taken, wall ms. */
  ms(): number {
    return Math.round(performance.now() - this.#startedMs)
  }

  async run(): Promise<Omit<Run, 'ms'>> {
    const { services, driver, check } = this.#system
    const { world, options } = this.#around
    this.#ports = await openPorts(this.#system)
    const beside = services.filter(({ isBeside }) => isBeside)
    const failed = await this.#startAll(beside)
    if (failed) return this.#unready(failed)
    if (options.time !== 'real')
      this.#clock = await conductedClock(world, { dies: options.death !== undefined })
    for (const { name } of beside) this.#clock.started(this.#pidOf(name), true)
    for (const service of beside) await this.#followTime(service)
    const unready = await this.#startAll(services.filter(({ isBeside }) => !isBeside))
    if (unready) return this.#unready(unready)
    this.#readyMs = this.ms()
    const done = await this.#runPart(driver, options.death)
    if (options.time === 'real' && done.exit.kind === 'ended') this.#driverEndedMs = await uptimeMs(world)
    // A check must not meet a service that is away only because it was killed.
    if (check) await this.#isBack?.catch(() => {})
    const checked = check && (await this.#runPart(check))
    return {
      exit: done.exit,
      output: done.output,
      errors: done.errors,
      system: { ...this.#parts(), ...(checked && { check: { ...checked, isBeside: false } }) },
    }
  }

  async prepare(part: Part): Promise<Omit<Run, 'ms'>> {
    this.#ports = await openPorts(this.#system)
    const failed = await this.#startAll(this.#system.services.filter(({ isBeside }) => isBeside))
    if (failed) return this.#unready(failed)
    const { exit, output, errors } = await this.#runPart(part)
    return { exit, output, errors, system: this.#parts() }
  }

  /** Ends everything. Nothing of a run is left after it. `kindMs`: how long a part beside may take, wall ms. */
  async end(kindMs = lastMomentMs): Promise<void> {
    this.#isEnding = true
    this.#clock.leave()
    const isBeside = (name: string) => this.#system.services.some(one => one.name === name && one.isBeside)
    const running = [...this.#running]
    const ends = (one: Started) => {
      const records = this.#records.get(one)
      return records === undefined ? killPart(one) : endTold(one, { records, ms: longMomentMs })
    }
    await Promise.all(running.filter(([name]) => !isBeside(name)).map(([, one]) => ends(one)))
    await Promise.all(running.filter(([name]) => isBeside(name)).map(([, one]) => endKindly(one, kindMs)))
    await endLeftProcesses(this.#environmentOf(this.#system.driver))
    this.#ports?.close()
  }

  /** Starts services one after another, each when those before it are ready. Returns the first one that does not become so. */
  async #startAll(services: readonly Service[]): Promise<SystemRun['notReady']> {
    for (const service of services) {
      const why = await this.#startService(service)
      if (why !== undefined) return { ...this.#partOf(service.name), why }
    }
    return undefined
  }

  /** Starts a service, and waits until it is ready. Returns why it is not. */
  async #startService(service: Service): Promise<string | undefined> {
    const { name, of, ready, isBeside } = service
    const one = await this.#clock.work(() => this.#start(service))
    this.#running.set(name, one)
    void one.ended.then(() => this.#hasEnded(service, one))
    this.#clock.started(one.child.pid ?? 0, isBeside)
    if (!ready) return undefined
    return notReady({
      ready,
      of,
      values: this.#valuesFor(name),
      clock: this.#clock,
      output: () => one.output().output,
      whyOver: () => {
        if (one.exit()) return `ended before it was ready`
        return this.#around.options.signal.aborted ? 'was not awaited: interrupted' : undefined
      },
    })
  }

  #hasEnded({ name, isBeside }: Service, one: Started): void {
    const exit = one.exit()
    if (this.#isEnding || !exit || this.#running.get(name) !== one) return
    // The conductor ends all that are tied when nobody will ever go on.
    const isOver = exit.kind === 'ended' && one.output().errors.includes(stillRunning.line)
    if (isOver) return
    this.#ended.push({ ...this.#partOf(name), exit, isBeside })
    const isFailed = exit.kind !== 'ended' || exit.code !== 0
    if (isFailed && this.#around.options.isOverByService) this.#stop?.(exit)
  }

  /** Runs the driver or the check to its end. */
  async #runPart(part: Part, death?: Death): Promise<PartRun & { exit: Exit }> {
    const { limitMs, goesOn, signal } = this.#around.options
    const one = await this.#clock.work(() => this.#start(part))
    this.#running.set(part.name, one)
    this.#clock.started(one.child.pid ?? 0, false)
    this.#clock.watch(one.child)
    let stopped: Exit | undefined
    const stop = (exit: Exit) => {
      stopped ??= exit
      void endKindly(one, lastMomentMs)
    }
    this.#stop = stop
    const stopWatch = watchLimit({ limitMs, ...(goesOn && { goesOn }) }, stop)
    const abort = () => stop({ kind: 'signal', signal: 'SIGINT' })
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort, { once: true })
    let failure: unknown
    void death?.reached
      .then(() => {
        if (!one.exit()) this.#isBack = this.#dieAt(death)
        return this.#isBack
      })
      .catch(error => {
        failure = error
        abort()
      })
    const exit = await one.ended
    stopWatch()
    signal.removeEventListener('abort', abort)
    await this.#clock.work(() => isRead(one, lastMomentMs))
    if (failure) throw failure
    return { ...this.#partOf(part.name), exit: stopped ?? exit }
  }

  /** Kills a service, and starts it again. A call of another one is answered while it is dead. */
  async #dieAt({ afterRest, service }: Death): Promise<void> {
    const name = service?.name()
    const caller = service?.caller()
    const one = name === undefined ? undefined : this.#running.get(name)
    const given = this.#system.services.find(service => service.name === name)
    if (!service || !one || !given || one.exit()) {
      this.#clock.spared()
      return
    }
    this.#killed = await this.#clock.work(async () => {
      if (afterRest) await atRest(this.#pidOf(caller ?? given.name))
      this.#running.delete(given.name)
      await killPart(one)
      await isRead(one, lastMomentMs)
      const part = this.#told(given.name, one)
      this.#before.set(given.name, part)
      if (caller !== given.name) await service.release()
      return { ...part, exit: { kind: 'signal', signal: 'SIGKILL' } }
    })
    this.#clock.spared()
    await this.#clock.sleep(service.restartAfterMs)
    if (this.#isEnding) return
    const { now: startedAgainAt } = await this.#clock.work(() => this.#around.world.clock.get())
    this.#killed = { ...this.#killed, startedAgainAt }
    if ((await this.#startService(given)) !== undefined) return
    if (given.isBeside) await this.#clock.work(() => this.#followTime(given))
  }

  /** Lets the clock of a part beside follow that of the run, where it can. */
  async #followTime(service: Service): Promise<void> {
    if (this.#around.options.time === 'real') return
    const own = `port.${service.of}`
    const values = Object.entries(this.#valuesFor(service.name))
    const ports = values.filter(([name]) => name === own || name.startsWith(`${own}.`))
    for (const [, port] of ports) this.#clock.answers(Number(port))
    const port = Number(ports.find(([name]) => name === own)?.[1] ?? 0)
    const follows = looksLikeRedis(service) && port > 0 && (await followsTime(port, this.#clock))
    if (!follows) this.#onTheWall.add(service.name)
  }

  async #start(part: Part): Promise<Started> {
    const values = this.#valuesFor(part.name)
    const [program = '', ...args] = part.command.map(word => filled(word, values))
    const env = this.#environmentOf(part)
    // A held reply holds the time as long as the clock of this run says so.
    const tied = this.#around.options.time === 'real' ? {} : virtualTimeEnvironment(env, { dies: false })
    const told = this.#toldBy(part, { words: [program, ...args], env: { ...env, ...tied } })
    const start = { program, args, env: { ...env, ...tied, ...told }, folder: this.#system.folder }
    const one = await startPart(start).catch(error => {
      throw error instanceof UsageError ? new UsageError(`${part.name}: ${error.message}`) : error
    })
    noteStarted(this.#around.options.state, one.child.pid)
    const { GATEWAY_EMULATOR_COVERAGE: isCovered, GATEWAY_EMULATOR_FILES: records } = told
    if (isCovered !== undefined && records !== undefined) this.#records.set(one, records)
    return one
  }

  /** Variables by which a part tells what it loads. A part beside is no code of the user's. */
  #toldBy({ name }: Part, start: Pick<ToldStart, 'words' | 'env'>): NodeJS.ProcessEnv {
    const { services, check } = this.#system
    if (services.some(one => one.name === name && one.isBeside)) return {}
    return this.#around.options.told?.({ ...start, part: name, isCheck: name === check?.name }) ?? {}
  }

  #valuesFor(name: string): Record<string, string> {
    const { world, options } = this.#around
    return {
      ...this.#ports?.of(name),
      url: world.baseUrl,
      key: world.keyFor('default', name),
      world: world.id,
      state: options.state ?? '',
    }
  }

  #environmentOf({ name, environment }: Part): NodeJS.ProcessEnv {
    const { world, options, inherited } = this.#around
    const values = this.#valuesFor(name)
    const { id, baseUrl } = world
    const own = Object.entries(environment).map(([variable, text]) => [variable, filled(text, values)])
    return {
      ...environmentOf({ env: [], inherited }, { id, baseUrl, apiKey: values.key ?? '' }, options),
      GATEWAY_EMULATOR_SERVICE: name,
      ...Object.fromEntries(own),
    }
  }

  #pidOf(name: string): number {
    return this.#running.get(name)?.child.pid ?? 0
  }

  #partOf(name: string): PartRun {
    const one = this.#running.get(name)
    return one ? this.#told(name, one) : (this.#before.get(name) ?? { name, output: '', errors: '' })
  }

  /** What a part wrote, before it was killed, too. */
  #told(name: string, one: Started): PartRun {
    const { output = '', errors = '' } = this.#before.get(name) ?? {}
    const now = one.output(this.#around.options.state)
    return { name, output: output + now.output, errors: errors + now.errors }
  }

  #parts(): SystemRun {
    const { services, driver } = this.#system
    const own = [...services.filter(({ isBeside }) => !isBeside), driver].map(({ name }) => name)
    const isReal = this.#around.options.time === 'real'
    const onTheWall = [...this.#onTheWall].filter(name => !this.#clock.joined.has(name))
    return {
      parts: services.map(({ name, isBeside }) => ({ ...this.#partOf(name), isBeside })),
      ended: this.#ended,
      untied: isReal ? [] : own.filter(name => !this.#clock.joined.has(name)),
      ...(onTheWall.length > 0 && { onTheWall }),
      ...(this.#killed && { killed: this.#killed }),
      ...(this.#readyMs !== undefined && { readyMs: this.#readyMs }),
      ...(this.#driverEndedMs !== undefined && { driverEndedMs: this.#driverEndedMs }),
    }
  }

  #unready(notReady: NonNullable<SystemRun['notReady']>): Omit<Run, 'ms'> {
    const { signal, limitMs } = this.#around.options
    const exit: Exit = signal.aborted ? { kind: 'signal', signal: 'SIGINT' } : { kind: 'limit', ms: limitMs }
    return { exit, output: '', errors: '', system: { ...this.#parts(), notReady } }
  }
}
