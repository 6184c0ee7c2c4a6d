import { readlinkSync } from 'node:fs'
import {
  fieldsOf,
  hasWorld,
  openProcFiles,
  type ProcFiles,
  procNames,
  procText,
} from '../worlds/processes.ts'
import { bornMs, restMs } from './limits.ts'
import type { Hello } from './member.ts'
import type { FreePort, Wall, Which } from './port.ts'
import { unseenChildren } from './unseen-children.ts'

/** Whether this system shows what its processes do. A test of the others takes it away. */
export const system = { showsProcesses: process.platform === 'linux' }

/** What runs in these ties itself. */
const willBeTied = /^(node|nodejs|python[\d.]*|pypy[\d.]*)$/

/**
 * The processes of a run that are not tied, such as shells, databases and programs of other languages: the descendants of the tied ones, and
 * what stands above those with the environment of this world. Linux shows whether they did anything. Elsewhere, or on another machine, it is
 * only known that some were started.
 */
export function freeProcesses(world: string, wall: Wall): FreePort & { end(): void } {
  const files = openProcFiles()
  const { childrenOf, isAlive, parentOf, startOf, stateOf, workOf, isTimed } = processesIn(files)
  /** The tied ones, by their numbers: as often as they have a thread that is tied. */
  const tied = new Map<number, number>()
  const roots = new Set<number>()
  /** Those that were tied, and keep their own time. */
  const untied = new Set<Hello>()
  const isUntied = (pid: number) => [...untied].some(one => one.pid === pid)
  /** Services of which no process was tied, and whether each is beside. */
  const services = new Map<number, boolean>()
  /** The free ones: when they were seen first, and what they had done when that changed last. */
  const seen = new Map<number, { bornMs: number; work: string; restsMs: number }>()
  const unseen = unseenChildren(wall)
  let free: number[] = []
  let isStale = true

  const scan = () => {
    isStale = false
    const found = new Set(roots)
    // The emulator may be a child of the program.
    for (const pid of found) for (const child of childrenOf(pid)) if (child !== process.pid) found.add(child)
    free = [...found].filter(pid => !tied.has(pid) && isAlive(pid))
    for (const pid of seen.keys()) if (!free.includes(pid)) seen.delete(pid)
    files.keep(new Set([...found, ...tied.keys()]))
  }
  const isYoung = (pid: number) => {
    const nowMs = wall.nowMs()
    const work = workOf(pid)
    const known = seen.get(pid) ?? { bornMs: nowMs, work, restsMs: nowMs }
    const isResting = known.work === work && !isRunning(work)
    seen.set(pid, isResting ? known : { ...known, work, restsMs: nowMs })
    return nowMs - known.bornMs < bornMs && (!isResting || nowMs - known.restsMs < restMs)
  }
  const isStopped = (pid: number) => tied.has(pid) && /[Tt]\d/.test(workOf(pid))
  /** Whether it has not said hello yet, and will. */
  const isComing = (pid: number) =>
    !isUntied(pid) && isYoung(pid) && willBeTied.test(programOf(pid)) && hasWorld(pid, world)
  const acting = (which: Which) => {
    const isCounted = (pid: number) => (which === 'all' ? services.has(pid) : services.get(pid) === false)
    return free.filter(pid => (!roots.has(pid) || isCounted(pid)) && !isComing(pid))
  }
  const look = (blocked: readonly number[]) => {
    // A blocked process may just start a child.
    if (isStale || blocked.length > 0) scan()
    return [...free, ...blocked.filter(pid => tied.has(pid))].map(pid => `${pid} ${workOf(pid)}`).join('\n')
  }
  const isShown = ({ pid, start }: Pick<Hello, 'pid' | 'start'>) =>
    system.showsProcesses && start !== '' && startOf(pid) === start
  const leave = (hello: Hello) => {
    const { pid } = hello
    isStale = true
    if (untied.delete(hello)) return
    if (!tied.has(pid)) unseen.leave()
    const left = (tied.get(pid) ?? 0) - 1
    if (left > 0) tied.set(pid, left)
    else tied.delete(pid)
  }
  /** Those whose time passes as fast as wall time. */
  const timing = (blocked: readonly number[]) => [
    ...blocked.filter(isStopped),
    ...[...free, ...blocked].filter(pid => isUntied(pid) || isTimed(pid)),
  ]
  return {
    watch(hello) {
      const { pid } = hello
      isStale = true
      untied.delete(hello)
      if (!isShown(hello)) {
        unseen.join()
        return
      }
      tied.set(pid, (tied.get(pid) ?? 0) + 1)
      for (let one = pid; one > 1 && one !== process.pid && hasWorld(one, world); one = parentOf(one)) {
        roots.add(one)
        services.delete(one)
      }
      roots.add(pid)
    },
    start({ host, pid, isBeside }) {
      isStale = true
      if (!system.showsProcesses) {
        if (!isBeside) unseen.expect(host)
        return
      }
      roots.add(pid)
      services.set(pid, isBeside)
    },
    leave,
    untie(hello) {
      leave(hello)
      untied.add(hello)
    },
    hasUntied: () => untied.size > 0,
    expect(parent) {
      isStale = true
      if (!isShown(parent)) unseen.expect(parent)
    },
    childless: unseen.end,
    end: () => files.keep(new Set()),
    look,
    workOf(pid) {
      const work = tied.has(pid) ? workOf(pid) : ''
      return work === '' || isRunning(work) ? undefined : work
    },
    sleeps: pid => tied.get(pid) === 1 && stateOf(pid) === 'S',
    busyMs(work) {
      isStale ||= isRunning(work)
      if (isStale) return 2
      return unseen.isAnyComing() || free.some(isComing) ? 5 : 0
    },
    graceMs({ before, blocked, quietMs }) {
      isStale ||= look(blocked) !== before
      return isStale ? 1 : unseen.graceMs(quietMs)
    },
    isTiming: blocked => untied.size > 0 || timing(blocked).length > 0,
    holders(blocked, which) {
      const found = timing(blocked)
      return (found.length > 0 || !which ? found : acting(which)).map(nameOf).filter(name => name !== '')
    },
    count: which => unseen.count() + acting(which).length,
  }
}

/** What Linux shows of processes. */
function processesIn({ text }: ProcFiles) {
  const threadsOf = (pid: number) => procNames(`${pid}/task`)
  const statOf = (pid: number, thread: string) => fieldsOf(text(pid, `task/${thread}/stat`))
  return {
    /** Whether a thread sleeps by itself. */
    isTimed: (pid: number) => threadsOf(pid).some(one => isSleeping(text(pid, `task/${one}/syscall`))),
    /** The state of each thread, and how long it has run. */
    workOf: (pid: number) =>
      threadsOf(pid)
        .map(one => `${statOf(pid, one)[0] ?? ''}${text(pid, `task/${one}/schedstat`).split(' ')[0]}`)
        .join(' '),
    /** The state of the first thread. */
    stateOf: (pid: number) => fieldsOf(text(pid, 'stat'))[0],
    childrenOf: (pid: number) =>
      threadsOf(pid).flatMap(one => text(pid, `task/${one}/children`).split(' ').filter(Boolean).map(Number)),
    /** The first thread of a process that ends may be gone before the others, and its parent hears of the end of the last one. */
    isAlive: (pid: number) => threadsOf(pid).some(one => !/^[ZX]?$/.test(statOf(pid, one)[0] ?? '')),
    parentOf: (pid: number) => Number(fieldsOf(text(pid, 'stat'))[1] ?? 0),
    /** When a process was started, in ticks; empty when it cannot be seen. */
    startOf: (pid: number) => fieldsOf(text(pid, 'stat'))[19] ?? '',
  }
}

/** The numbers of `nanosleep` and `clock_nanosleep`, and of `select` and `pselect6`. */
const sleeping: Readonly<Record<string, readonly string[]>> = { x64: ['35', '230'], arm64: ['101', '115'] }
const selecting: Readonly<Record<string, readonly string[]>> = { x64: ['23', '270'], arm64: ['72'] }

/** A `select` of no files, with a limit, is a sleep: those of Perl and of Python up to 3.10 are so. */
function isSleeping(call: string): boolean {
  const [name = '', files, , , , limit] = call.split(' ')
  const isOf = (calls: typeof sleeping) => calls[process.arch]?.includes(name) ?? false
  return isOf(sleeping) || (isOf(selecting) && files === '0x0' && limit !== '0x0')
}

/** Whether a thread runs, or waits for a processor or the disk. */
function isRunning(work: string): boolean {
  return /[RD]\d/.test(work)
}

function programOf(pid: number): string {
  try {
    return readlinkSync(`/proc/${pid}/exe`).split('/').at(-1) ?? ''
  } catch {
    return ''
  }
}

/** What a process was called as, or calls itself: the file of a program may have another name. */
function nameOf(pid: number): string {
  const [called = ''] = procText(`${pid}/cmdline`).split(/[\0 ]/, 1)
  return (called.split('/').at(-1) ?? '').replace(/:$/, '')
}
