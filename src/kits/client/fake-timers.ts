const what = { 'process.nextTick': 'no request', queueMicrotask: 'no fetch' } as const

/**
 * Why requests of this process cannot end: fake timers have replaced what Node itself needs for them. Undefined when they can. The
 * libraries of fake timers mark what they replace by a property `clock`.
 */
export function stoppedByFakes(): string | undefined {
  const present = { 'process.nextTick': process.nextTick, queueMicrotask: globalThis.queueMicrotask }
  const [name] = (Object.keys(what) as (keyof typeof what)[]).filter(key =>
    Object.hasOwn(present[key], 'clock'),
  )
  return name && `Fake timers replace ${name} in this process: ${what[name]} can end meanwhile`
}

/** What to do instead. */
export const withoutStop =
  'let them replace setTimeout, setInterval and Date alone, as world.clock.attach(vi), attach(jest) and attach(sinon) do'

/** The real function, also when timers are fake later. */
const everySoOften = setInterval
const lookMs = 1000

/** Writes one line when fake timers stop requests, since no request comes then that could be answered. Returns what ends it. */
export function watchFakes(write: (line: string) => void): () => void {
  const looking = everySoOften(() => {
    const why = stoppedByFakes()
    if (why === undefined) return
    write(`${why}. Instead, ${withoutStop}.`)
    clearInterval(looking)
  }, lookMs)
  looking.unref()
  return () => clearInterval(looking)
}
